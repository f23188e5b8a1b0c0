package io.multimed.tests.prepared;

import io.multimed.testkit.wire.FrontendBytes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Steps of a few clients that prepare the same texts under names, keep them, and change the objects that the names in these
 * texts stand for. No step waits for another client: definitions run while no other client is in a transaction, and no other
 * client does anything until they are committed or rolled back.
 */
final class Generator {
    static final int CLIENTS = 4;

    /** The kind of change that is most frequent in an episode. */
    enum Emphasis {
        /** Changes of the search path, the role and temporary objects. */
        RESOLUTION,
        /** Changes of permanent objects as well. */
        DEFINITIONS,
        /** Tables that hide others of the same name come and go, and many of these changes are rolled back. */
        HIDING
    }

    private static final List<String> NAMES = List.of("n1", "n2", "n3", "n4", "n5");
    private static final List<String> TEXTS = List.of(
            "INSERT INTO t VALUES ($1)",
            "INSERT INTO t (a) VALUES ($1)",
            "INSERT INTO ev VALUES ($1, $2)",
            "SELECT * FROM t ORDER BY 1",
            "SELECT a FROM t WHERE a::text = $1 ORDER BY 1",
            "SELECT a = $1 FROM t ORDER BY 1",
            "SELECT * FROM ev ORDER BY a::text, b::text",
            "SELECT count(*), max(b::text) FROM ev",
            "SELECT * FROM public.rows_of_t()",
            "SELECT f($1)",
            "SELECT $1::mood",
            "SELECT 'ok'::mood, '1'::mood",
            "SELECT '2026-01-01 00:00:00+05'::timestamptz::timestamp, $1::timestamptz");
    private static final List<String> TEXTS_OF_TABLES = TEXTS.stream()
            .filter(text ->
                    text.contains(" t ") || text.contains(" ev") || text.contains("f(") || text.contains("_t()"))
            .toList();
    private static final List<String> VALUES = List.of(
            "1",
            "ok",
            "s1",
            "s2",
            "1.23456789012345",
            "2026-01-01 00:00:00+05",
            "2026-02-03",
            "12345678901",
            "16777217");
    private static final List<String> PATHS =
            List.of("s1", "s2", "s3", "s1, s2", "\"$user\", public", "public, s3", "s2, pg_temp");

    /** A setting under which a hot standby refuses queries. */
    private static final String SERIALIZABLE = "SET default_transaction_isolation TO serializable";
    /** A search path on which tables of the first schema hide those of the second. */
    private static final String SEARCH_TWO = "SET search_path TO s1, s2";

    private final Random random;
    private final Universe universe;
    private final Emphasis emphasis;
    private final boolean[] searchesTwo = new boolean[CLIENTS];
    private final char[] status = new char[CLIENTS];
    private final Map<Integer, Map<String, String>> prepared = new HashMap<>();
    private final Set<String> texts = new HashSet<>();
    /** The only client that goes on, since its transaction holds locks that others would wait for; -1 if none. */
    private int alone = -1;

    Generator(Random random, Universe universe, Emphasis emphasis) {
        this.random = random;
        this.universe = universe;
        this.emphasis = emphasis;
        java.util.Arrays.fill(status, 'I');
        for (int i = 0; i < CLIENTS; i++) {
            prepared.put(i, new HashMap<>());
        }
        // There are few texts, so that clients prepare the same ones.
        List<String> from = emphasis == Emphasis.HIDING ? TEXTS_OF_TABLES : TEXTS;
        while (texts.size() < 4) {
            texts.add(universe.one(from));
        }
    }

    /** Returns the transaction status of the client. */
    char status(int client) {
        return status[client];
    }

    /** Records the end of the latest step for its client. */
    void ended(ClientStep step, StepAnswer answer) {
        status[step.client()] = answer.status();
        if (alone == step.client() && answer.status() == 'I') {
            alone = -1;
        }
    }

    /** Records that the client's session has ended, and another has begun. */
    void begunAnew(int client) {
        status[client] = 'I';
        searchesTwo[client] = false;
        prepared.put(client, new HashMap<>());
        if (alone == client) {
            alone = -1;
        }
    }

    ClientStep next() {
        int client = alone >= 0 ? alone : random.nextInt(CLIENTS);
        int choice = random.nextInt(100);
        if (emphasis == Emphasis.HIDING && choice >= 70 && random.nextInt(8) != 0) {
            return hide(client);
        }
        if (status[client] == 'E' && choice < 60) {
            return sql(client, universe.one(List.of("ROLLBACK", "ROLLBACK", "ROLLBACK TO sp", "COMMIT")));
        }
        if (emphasis == Emphasis.HIDING && !searchesTwo[client]) {
            searchesTwo[client] = true;
            return sql(client, SEARCH_TWO);
        }
        if (choice < 20) {
            return prepare(client, false);
        }
        if (choice < 30) {
            return prepare(client, true);
        }
        if (choice < 70) {
            return execute(client);
        }
        if (choice < 73) {
            String name = universe.one(NAMES);
            prepared(client).remove(name);
            return new ClientStep(
                    client, "Close " + name, List.of(FrontendBytes.close('S', name), FrontendBytes.sync()));
        }
        if (choice < 85) {
            return sql(client, transactionControl(client));
        }
        if (choice < 95) {
            return status[client] != 'I' && random.nextInt(10) == 0
                    ? sql(client, "SELECT public.make_temp()")
                    : sql(client, resolution(client));
        }
        if (choice < 97) {
            return sql(client, universe.temporaryTable());
        }
        return emphasis == Emphasis.DEFINITIONS && mayDefine(client)
                ? definition(client, universe.definition())
                : sql(client, "DROP TABLE IF EXISTS pg_temp.t, pg_temp.ev");
    }

    /** Hides a table; no other client does anything while this one is in a transaction. */
    private ClientStep hide(int client) {
        if (!mayDefine(client)) {
            return execute(client);
        }
        return switch (random.nextInt(10)) {
            case 0, 1 -> {
                alone = client;
                yield sql(client, status[client] == 'I' ? "BEGIN" : transactionControl(client));
            }
            case 2 ->
                sql(client, universe.one(List.of(SEARCH_TWO, SERIALIZABLE, "RESET default_transaction_isolation")));
            case 3 -> sql(client, universe.temporaryTable());
            case 4 -> sql(client, "DROP TABLE IF EXISTS pg_temp.t, pg_temp.ev");
            default -> definition(client, universe.hiding());
        };
    }

    private boolean mayDefine(int client) {
        return alone == client || nobodyElseIsInATransaction(client);
    }

    private Map<String, String> prepared(int client) {
        return prepared.getOrDefault(client, Map.of());
    }

    private boolean nobodyElseIsInATransaction(int client) {
        for (int i = 0; i < CLIENTS; i++) {
            if (i != client && status[i] != 'I') {
                return false;
            }
        }
        return true;
    }

    private ClientStep definition(int client, String definition) {
        if (status[client] == 'T') {
            alone = client;
        }
        return new ClientStep(client, definition, List.of(FrontendBytes.query(definition)));
    }

    private String transactionControl(int client) {
        if (status[client] == 'I') {
            return universe.one(
                    List.of("BEGIN", "BEGIN", "BEGIN", "BEGIN READ ONLY", "BEGIN ISOLATION LEVEL REPEATABLE READ"));
        }
        return universe.one(List.of("COMMIT", "COMMIT", "ROLLBACK", "SAVEPOINT sp", "SAVEPOINT sp", "ROLLBACK TO sp"));
    }

    private String resolution(int client) {
        String path = universe.one(PATHS);
        String role = universe.one(Universe.ROLES);
        String local = status[client] == 'I' ? "" : universe.one(List.of("", "LOCAL ", "LOCAL "));
        return switch (random.nextInt(14)) {
            case 0, 1, 2, 3, 4 -> "SET " + local + "search_path TO " + path;
            case 5 -> "RESET search_path";
            case 6 -> "SET " + local + "ROLE " + role;
            case 7 -> "RESET ROLE";
            case 8 -> "SELECT set_config('search_path', '" + path + "', " + !local.isEmpty() + ")";
            case 9 -> "SELECT public.lead_to('" + path + "')";
            case 10 -> "DISCARD TEMP";
            case 11 -> "SET " + local + "TimeZone TO '" + universe.one(List.of("Asia/Tokyo", "UTC")) + "'";
            case 12 -> "SET " + local + "SESSION AUTHORIZATION " + universe.one(List.of(role, "DEFAULT"));
            default -> "RESET ALL";
        };
    }

    private ClientStep sql(int client, String sql) {
        if (random.nextBoolean()) {
            return new ClientStep(client, sql, List.of(FrontendBytes.query(sql)));
        }
        return new ClientStep(
                client,
                "(extended) " + sql,
                List.of(
                        FrontendBytes.parse("", sql),
                        FrontendBytes.bind("", ""),
                        FrontendBytes.execute("", 0),
                        FrontendBytes.sync()));
    }

    private ClientStep prepare(int client, boolean executed) {
        String name = universe.one(NAMES);
        String text = universe.one(List.copyOf(texts.stream().sorted().toList()));
        List<byte[]> messages = new ArrayList<>();
        String about = "Parse " + name + " " + text;
        if (prepared(client).containsKey(name)) {
            messages.add(FrontendBytes.close('S', name));
            about = "Close, " + about;
        }
        messages.add(FrontendBytes.parse(name, text));
        if (random.nextBoolean()) {
            messages.add(FrontendBytes.describe('S', name));
            about += ", Describe";
        }
        prepared(client).put(name, text);
        if (executed) {
            about += ", " + addExecution(messages, name, text);
        }
        messages.add(FrontendBytes.sync());
        return new ClientStep(client, about, messages);
    }

    private ClientStep execute(int client) {
        List<String> names = prepared(client).keySet().stream().sorted().toList();
        if (names.isEmpty()) {
            return prepare(client, true);
        }
        String name = universe.one(names);
        String text = prepared(client).getOrDefault(name, "");
        List<byte[]> messages = new ArrayList<>();
        String about = "";
        if (random.nextInt(8) == 0) {
            messages.add(FrontendBytes.describe('S', name));
            about = "Describe " + name + ", ";
        }
        about += addExecution(messages, name, text);
        messages.add(FrontendBytes.sync());
        return new ClientStep(client, about + " (" + text + ")", messages);
    }

    private String addExecution(List<byte[]> messages, String name, String text) {
        String[] values = new String[text.contains("$2") ? 2 : text.contains("$1") ? 1 : 0];
        for (int i = 0; i < values.length; i++) {
            values[i] = universe.one(VALUES);
        }
        messages.add(FrontendBytes.bind("", name, values));
        if (random.nextBoolean()) {
            messages.add(FrontendBytes.describe('P', ""));
        }
        messages.add(FrontendBytes.execute("", 0));
        return "Bind " + name + " " + String.join(", ", values) + ", Execute";
    }
}
