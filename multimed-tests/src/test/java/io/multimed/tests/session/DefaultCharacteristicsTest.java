package io.multimed.tests.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.endpoint.pg.PostgresEndpoint;
import io.multimed.testkit.random.Seed;
import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.PlainServer;
import io.multimed.tests.server.RunningMultimed;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Default transaction characteristics of clients that share few engine connections: each client has its own ones, and no
 * statement of Multimed's own is refused or delayed because of them.
 *
 * <p>{@code -Dmultimed.characteristics.steps=100000} for more steps, {@code -Dmultimed.test.seed=N} for the same ones again.
 */
@Tag("slow")
class DefaultCharacteristicsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int STEPS = Integer.getInteger("multimed.characteristics.steps", 600);
    private static final long SEED = Seed.of("multimed.test.seed");
    private static final int CLIENTS = 4;
    /** Connections to each node, fewer than there are clients. */
    private static final int CONNECTIONS = 2;

    private static final List<String> LEVELS =
            List.of("read uncommitted", "read committed", "repeatable read", "serializable", "serializable");
    private static final List<String> FORMS_OF_BLOCK = List.of(
            "BEGIN READ ONLY",
            "BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY",
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
            "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY, DEFERRABLE",
            "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE",
            "BEGIN ISOLATION LEVEL SERIALIZABLE",
            "BEGIN");
    private static final List<String> READS = List.of(
            "SELECT count(*) FROM default_rows",
            "SHOW transaction_isolation",
            "SHOW transaction_read_only",
            "SHOW transaction_deferrable",
            "SHOW default_transaction_isolation");
    private static final List<Form> FORMS =
            List.of(Form.QUERY, Form.QUERY, Form.SYNC, Form.PIPELINED_QUERIES, Form.PIPELINED_SYNC);

    private final Random random = new Random(SEED);
    private final List<String> history = new ArrayList<>();

    @Test
    void concernTheirOwnSessionAlone() throws Exception {
        RunningMultimed multimed = RunningMultimed.shared();
        ServerAddress plainAddress = PlainServer.get().unix();
        prepare(plainAddress);
        prepare(multimed.master());
        multimed.awaitSatellites("postgres");
        int onSatellites = 0;
        try (PostgresEndpoint endpoint = multimed.endpoint(
                options -> options.withLimits(options.limits().withConnections(CONNECTIONS, CONNECTIONS)),
                UnaryOperator.identity())) {
            List<WireSession> plain = new ArrayList<>();
            List<WireSession> through = new ArrayList<>();
            try {
                for (int i = 0; i < CLIENTS; i++) {
                    plain.add(WireSession.open(plainAddress, "postgres", "postgres", PATIENCE));
                    through.add(WireSession.open(RunningMultimed.address(endpoint), "postgres", "postgres", PATIENCE));
                }
                for (int step = 0; step < STEPS; step++) {
                    int client = random.nextInt(CLIENTS);
                    Form form = one(FORMS);
                    // No block stays open: with another open block, a deferrable transaction would wait.
                    List<String> statements = random.nextInt(3) == 0 ? List.of(setting()) : block();
                    history.add(client + ": " + form + " " + statements);
                    String expected = form.answers(plain.get(client), statements);
                    String actual;
                    try {
                        actual = form.answers(through.get(client), statements);
                    } catch (IOException e) {
                        throw new IOException(lastSteps(), e);
                    }
                    assertEquals(withoutStates(expected), withoutStates(actual), this::lastSteps);
                    boolean serializable = plain.get(client)
                            .value("SHOW default_transaction_isolation")
                            .equals("serializable");
                    if (serializable
                            && statements.size() > 1
                            && through.get(client).value("SHOW multimed.route").startsWith("satellite")) {
                        onSatellites++;
                    }
                }
            } finally {
                for (int i = 0; i < plain.size(); i++) {
                    plain.get(i).close();
                }
                for (int i = 0; i < through.size(); i++) {
                    through.get(i).close();
                }
            }
        }
        System.out.println("default characteristics: " + STEPS + " steps, " + onSatellites
                + " blocks on a Satellite of a client whose default is serializable");
        assertTrue(onSatellites * 30 > STEPS, onSatellites + " blocks on Satellites under serializable, seed " + SEED);
    }

    private String setting() {
        return switch (random.nextInt(10)) {
            case 0, 1 -> "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL " + one(LEVELS);
            case 2 -> "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SERIALIZABLE, READ ONLY, DEFERRABLE";
            case 3 -> "SET default_transaction_read_only = " + one(List.of("on", "off", "off"));
            case 4 -> "SET default_transaction_deferrable = " + one(List.of("on", "off"));
            case 5 -> "SELECT set_config('default_transaction_isolation', '" + one(LEVELS) + "', false)";
            case 6 -> "SET work_mem = '" + (4 + random.nextInt(4)) + "MB'";
            case 7 -> "SET search_path = " + one(List.of("public", "\"$user\"", "pg_catalog, public")) + ", public";
            case 8 -> one(List.of("SHOW work_mem", "SHOW search_path"));
            default -> one(List.of("RESET ALL", "RESET default_transaction_isolation", "DISCARD ALL"));
        };
    }

    private List<String> block() {
        List<String> statements = new ArrayList<>();
        statements.add(one(FORMS_OF_BLOCK));
        for (int i = random.nextInt(3); i >= 0; i--) {
            statements.add(one(READS));
        }
        statements.add(one(List.of("COMMIT", "ROLLBACK")));
        return statements;
    }

    /** Removes the reported parameters: their order after RESET ALL depends on the process's earlier settings. */
    private static String withoutStates(String answers) {
        return answers.replaceAll("(?m)^ParameterStatus .*\n", "");
    }

    private String lastSteps() {
        return "seed " + SEED + "\n"
                + String.join("\n", history.subList(Math.max(0, history.size() - 40), history.size()));
    }

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private static void prepare(ServerAddress address) throws IOException {
        try (WireSession owner = WireSession.open(address, "postgres", "postgres", PATIENCE)) {
            owner.rows("CREATE TABLE IF NOT EXISTS public.default_rows (i int)");
        }
    }
}
