package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import io.multimed.testkit.random.Seed;
import io.multimed.testkit.wire.ConnectionEnded;
import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Clients share few engine connections, and some of them limit their statements to a few milliseconds. Such a timeout must not end
 * a statement of Multimed's own: a client without a timeout gets PostgreSQL's answers, and one with a timeout gets no error but
 * 57014 for its own statements.
 *
 * <p>{@code -Dmultimed.timeouts.rounds=1000} takes longer; {@code -Dmultimed.timeouts.seed=N} repeats the statements, though not
 * their timing.
 */
@Timeout(300)
class ShortTimeoutsTest {
    private static final int ROUNDS = Integer.getInteger("multimed.timeouts.rounds", 80);
    private static final long SEED = Seed.of("multimed.timeouts.seed");
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int CLIENTS = 12;
    /** Text in place of an error. */
    private static final String OWN_END = "ended by its own timeout";

    @RegisterExtension
    private static final EndpointOnOneEngine multimed = new EndpointOnOneEngine(
            options -> options.withLoops(1).withLimits(options.limits().withConnections(CLIENTS, CLIENTS)));

    private static final String TABLES = "CREATE SCHEMA one; CREATE SCHEMA two;"
            + "CREATE TABLE one.t (id int, text text); CREATE TABLE two.t (id int, text text);"
            + "CREATE SEQUENCE s;"
            + "CREATE FUNCTION opaque(int) RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN $1 + 1; END'";

    private static final List<String> TIMEOUTS =
            new ArrayList<>(List.of("statement_timeout", "statement_timeout", "lock_timeout", "idle_session_timeout"));

    private final Random random = new Random(SEED);
    private final List<String> wrong = new ArrayList<>();
    private int timedOut;
    private int ended;

    @BeforeAll
    static void create() throws IOException {
        try (WireSession session = multimed.open()) {
            session.rows(TABLES);
            session.rows("CREATE DATABASE plain");
            session.rows("CREATE ROLE hasty LOGIN SUPERUSER; ALTER ROLE hasty SET statement_timeout = '2ms'");
            if (Integer.parseInt(session.value("SHOW server_version_num")) >= 170000) {
                TIMEOUTS.add("transaction_timeout");
            }
        }
        try (WireSession session = openPlain()) {
            session.rows(TABLES);
        }
    }

    private static String clients() throws IOException {
        try (WireSession admin = WireSession.open(multimed.address(), "postgres", "multimed", PATIENCE);
                WireSession engine = multimed.openEngine()) {
            return admin.rows("SHOW CLIENTS") + "\n"
                    + engine.rows("SELECT pid, state, wait_event, query FROM pg_stat_activity");
        }
    }

    private static WireSession openPlain() throws IOException {
        return WireSession.open(multimed.engine.unix(), "postgres", "plain", PATIENCE);
    }

    @Test
    void onlyOnesOwnStatementsAreEndedByOnesTimeouts() throws IOException {
        List<Client> clients = new ArrayList<>();
        try {
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(new Client(i, i % 3 > 0, i % 3 == 2 ? "hasty" : "postgres"));
            }
            for (int round = 0; round < ROUNDS && wrong.isEmpty(); round++) {
                // Every second round has no concurrency, so that one connection serves all clients in turn.
                boolean together = random.nextBoolean();
                for (Client client : clients) {
                    client.send();
                    if (!together) {
                        client.hear();
                    }
                }
                for (Client client : clients) {
                    client.hear();
                }
            }
            for (Client client : clients) {
                client.end();
            }
        } finally {
            for (Client client : clients) {
                client.close();
            }
        }
        System.out.println("seed " + SEED + ": " + timedOut + " statements timed out, " + ended + " sessions ended");
        if (!wrong.isEmpty()) {
            fail("seed " + SEED + "\n" + String.join("\n", wrong));
        }
        for (String schema : List.of("one", "two")) {
            String rows = "SELECT id, text, count(*) FROM " + schema + ".t GROUP BY 1, 2 ORDER BY 1, 2";
            try (WireSession plain = openPlain();
                    WireSession through = multimed.openEngine()) {
                assertEquals(plain.rows(rows), through.rows(rows), schema + ", seed " + SEED);
            }
        }
    }

    /** A client, with a PostgreSQL process of its own without timeouts for comparison. */
    private final class Client implements AutoCloseable {
        private final int number;
        private final boolean hurried;
        private final String user;
        private WireSession through;
        private WireSession plain;
        private final List<String> before = new ArrayList<>();
        private byte[][] sent = {};
        private String what = "";
        private boolean outstanding;
        private char status = 'I';
        private int named;

        Client(int number, boolean hurried, String user) throws IOException {
            this.number = number;
            this.hurried = hurried;
            this.user = user;
            through = open();
            plain = openPlain();
        }

        private WireSession open() throws IOException {
            return WireSession.open(multimed.address(), user, "postgres", PATIENCE);
        }

        private void send() throws IOException {
            if (outstanding) {
                return;
            }
            if (hurried && status == 'I' && random.nextInt(4) == 0) {
                timeout();
                return;
            }
            sent = next();
            outstanding = true;
            note(what);
            through.send(sent);
        }

        /** Sets a timeout through Multimed only, so that PostgreSQL's process has no time limit. */
        private void timeout() throws IOException {
            String name = TIMEOUTS.get(random.nextInt(TIMEOUTS.size()));
            int millis = random.nextInt(5) + (name.equals("idle_session_timeout") ? 100 : 0);
            what = "SET " + name + " = " + millis;
            note(what);
            through.send(FrontendBytes.query(what));
            Answer answer = ready();
            if (!answer.error.isEmpty()) {
                check(answer.isOwnTimeout(), "failed with " + answer);
            }
        }

        private byte[][] next() {
            int value = random.nextInt(1000);
            if (status == 'E') {
                return query("ROLLBACK");
            }
            if (status == 'T' && hurried && random.nextInt(4) == 0) {
                return query("SET LOCAL statement_timeout = " + random.nextInt(5));
            }
            if (status == 'T' && random.nextInt(3) == 0) {
                return query(random.nextInt(3) > 0 ? "COMMIT" : "ROLLBACK");
            }
            if (status == 'I' && random.nextInt(3) == 0) {
                return query(List.of("BEGIN", "BEGIN", "BEGIN READ ONLY").get(random.nextInt(3)));
            }
            return switch (random.nextInt(status == 'I' ? 12 : 8)) {
                case 0 -> query("INSERT INTO one.t VALUES (" + number + ", 'a" + value + "')");
                case 1 -> query("SELECT opaque(" + value + ")");
                case 2 ->
                    query(
                            "SELECT count(*) > -1, current_setting('search_path'), current_setting('work_mem') FROM one.t");
                case 3 -> query("SELECT nextval('s') > 0, currval('s') > 0");
                case 4 -> query("SELECT pg_backend_pid() > 0, count(*) > 0 FROM pg_stat_activity");
                case 5 ->
                    query(
                            // A failed SET leaves an empty value, if the engine has executed it.
                            "SELECT length(coalesce(current_setting('my.big', true), '')),"
                                    + " coalesce(current_setting('my.small', true), '')");
                case 6 -> {
                    String name = "n" + named++;
                    what = "named INSERT";
                    yield new byte[][] {
                        FrontendBytes.parse(name, "INSERT INTO one.t VALUES ($1, 'named')", 23),
                        FrontendBytes.bind("", name, String.valueOf(number)),
                        FrontendBytes.execute("", 0),
                        FrontendBytes.sync()
                    };
                }
                case 7 -> query("INSERT INTO t VALUES (" + number + ", 'b" + value + "')");
                case 8 -> query("SET search_path = " + (random.nextBoolean() ? "one" : "two"));
                case 9 -> query("SET work_mem = " + (1000 + value));
                case 10 -> query("SELECT length(set_config('my.big', repeat('\"''', " + 100 * value + "), false))");
                default -> query("SET my.small = '" + value + "'");
            };
        }

        private byte[][] query(String sql) {
            what = sql;
            return new byte[][] {FrontendBytes.query(sql)};
        }

        private void hear() throws IOException {
            if (!outstanding) {
                return;
            }
            outstanding = false;
            Answer answer = ready();
            if (answer.isOwnTimeout() && hurried) {
                timedOut++;
                status = answer.error.equals(OWN_END) ? 'I' : mirrorFailure(answer.status);
                check(answer.status == status, "status " + answer.status + " for " + status);
                return;
            }
            plain.send(what.startsWith("SET LOCAL") ? query("SET LOCAL statement_timeout = 0") : sent);
            Answer right = new Answer(plain.ready());
            status = right.status;
            check(answer.equals(right), "Multimed " + answer + "\nPostgreSQL " + right);
        }

        private Answer ready() throws IOException {
            List<Message> messages = new ArrayList<>();
            try {
                do {
                    messages.add(through.client().read());
                } while (messages.getLast().type() != 'Z');
            } catch (ConnectionEnded ended) {
                if (endsItself(messages)) {
                    startAnew();
                    return new Answer(List.of(), OWN_END, 'I');
                }
                check(false, "the connection has ended after " + messages);
                throw new IOException("seed " + SEED + ": " + wrong, ended);
            } catch (IOException stuck) {
                check(false, "is not answered; clients: " + clients());
                throw new IOException("seed " + SEED + ": " + wrong, stuck);
            }
            return new Answer(messages);
        }

        /**
         * Whether the session was ended by its own timeouts. PostgreSQL too ends the session of a client that is idle, or in a
         * transaction, for longer than its own setting allows.
         */
        private boolean endsItself(List<Message> messages) {
            String state = messages.isEmpty() || messages.getLast().type() != 'E'
                    ? ""
                    : messages.getLast().sqlState();
            return hurried && ((status == 'I' && state.equals("57P05")) || state.equals("25P04"));
        }

        private void startAnew() throws IOException {
            note("starts anew");
            close();
            through = open();
            plain = openPlain();
            ended++;
        }

        /** Makes PostgreSQL's process fail likewise. */
        private char mirrorFailure(char answered) throws IOException {
            if (status == 'I') {
                return status;
            }
            // A timeout may end COMMIT or ROLLBACK before or during its execution.
            boolean over = answered == 'I' && (what.equals("COMMIT") || what.equals("ROLLBACK"));
            return new Answer(plain.query(over ? "ROLLBACK" : "SELECT 1/0")).status;
        }

        private void end() throws IOException {
            while (status != 'I' && wrong.isEmpty()) {
                sent = query("ROLLBACK");
                note(what);
                through.send(sent);
                outstanding = true;
                hear();
            }
        }

        private void note(String step) {
            before.add(step.length() > 200 ? step.substring(0, 200) : step);
            if (before.size() > 12) {
                before.removeFirst();
            }
        }

        private void check(boolean right, String message) {
            if (!right) {
                wrong.add("client " + number + (hurried ? ", hurried" : "") + ": " + message + "\n  after "
                        + String.join("\n  ", before));
            }
        }

        @Override
        public void close() throws IOException {
            plain.client().close();
            through.client().close();
        }
    }

    /**
     * A server's messages up to ReadyForQuery.
     *
     * @param said rows and tags
     * @param error with its severity; empty if there is none
     */
    private record Answer(List<String> said, String error, char status) {
        Answer(List<Message> messages) {
            this(
                    messages.stream()
                            .filter(message -> "DC12nst".indexOf(message.type()) >= 0)
                            .map(Message::toString)
                            .toList(),
                    messages.stream()
                            .filter(message -> message.type() == 'E')
                            .map(message -> message.fields().get('V') + " " + message.sqlState())
                            .findFirst()
                            .orElse(""),
                    (char) messages.getLast().body()[0]);
        }

        boolean isOwnTimeout() {
            return error.equals(OWN_END) || error.equals("ERROR 57014") || error.equals("ERROR 55P03");
        }
    }
}
