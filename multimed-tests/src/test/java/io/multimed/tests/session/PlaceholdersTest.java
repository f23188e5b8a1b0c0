package io.multimed.tests.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.endpoint.pg.PostgresEndpoint;
import io.multimed.testkit.random.Seed;
import io.multimed.testkit.wire.FrontendBytes;
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
 * Parameters with a qualified name, which exist from the first SET until the session ends. Clients that share few engine
 * connections see only their own ones, as if each had a PostgreSQL process.
 *
 * <p>{@code -Dmultimed.session.steps=100000} for more steps, {@code -Dmultimed.test.seed=N} for the same ones again.
 */
@Tag("slow")
class PlaceholdersTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int STEPS = Integer.getInteger("multimed.session.steps", 4_000);
    private static final long SEED = Seed.of("multimed.test.seed");
    private static final int CLIENTS = 8;
    /** Connections to each node, fewer than there are clients. */
    private static final int CONNECTIONS = 3;

    private static final List<String> NAMES = List.of("ph.one", "ph.two", "ph.three", "request.tid");

    private static final List<String> SETTING = List.of(
            "SET %n = '%v'",
            "SET SESSION %n TO '%v'",
            "SET LOCAL %n = '%v'",
            "SET LOCAL %n = '%v'",
            "SET %n TO DEFAULT",
            "RESET %n",
            "RESET ALL",
            "DISCARD ALL",
            "SELECT set_config('%n', '%v', false)",
            "SELECT set_config('%n', '%v', true)",
            "SELECT pg_catalog.set_config('%n', '%v', true), set_config('%n', '%v', false)",
            "SELECT set_config('%n', '%v', true) WHERE false",
            "SELECT set_config('%n', coalesce(current_setting('%n', true), 'was null'), true)",
            "SET %n = '%v'; SELECT 1/0",
            "SELECT 1/0; SET %n = '%v'",
            "SELECT current_setting('%n', true) IS NULL; SET %n = '%v'",
            "BEGIN; SET LOCAL %n = '%v'; SELECT current_setting('%n', true); COMMIT",
            "SELECT ph_set_one('%v')",
            "SELECT ph_with_two()",
            "DO $$ BEGIN PERFORM set_config('ph.two', '%v', true); END $$",
            "DO $$ BEGIN SET LOCAL ph.one = '%v'; END $$");

    private static final List<String> ASKING = List.of(
            "SELECT current_setting('%n', true)",
            "SELECT current_setting('%n', true) IS NULL",
            "SELECT current_setting('%n')",
            "SHOW %n",
            "SELECT count(*) FROM ph_rows WHERE tenant = current_setting('request.tid', true)",
            "SELECT count(*) FROM ph_guarded",
            "INSERT INTO ph_rows SELECT coalesce(current_setting('%n', true), 'null')",
            "SELECT 1",
            "SELECT count(*) > 0 FROM ph_rows");

    private static final List<String> BEGINNING = List.of(
            "BEGIN", "BEGIN", "BEGIN READ ONLY", "BEGIN READ ONLY", "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    private static final List<String> ENDING = List.of("COMMIT", "ROLLBACK", "COMMIT AND CHAIN", "ROLLBACK AND CHAIN");
    private static final List<String> WITHIN = List.of("SAVEPOINT s", "ROLLBACK TO s", "RELEASE s");

    private static final List<Form> FORMS =
            List.of(Form.QUERY, Form.QUERY, Form.SYNC, Form.DESCRIBED_FIRST, Form.FLUSH_EACH_MESSAGE);

    private final Random random = new Random(SEED);
    private final StringBuilder history = new StringBuilder();
    private int refused;

    /** A client, with a plain PostgreSQL process of its own beside it. */
    private static final class Pair implements AutoCloseable {
        final WireSession plain;
        final WireSession through;
        boolean inBlock;
        boolean failed;
        boolean refused;

        Pair(ServerAddress plain, ServerAddress through) throws IOException {
            this.plain = WireSession.open(plain, "ph_user", "postgres", PATIENCE);
            this.through = WireSession.open(through, "ph_user", "postgres", PATIENCE);
        }

        @Override
        public void close() throws IOException {
            plain.close();
            through.close();
        }
    }

    @Test
    void ofOtherClientsAreUnknown() throws Exception {
        RunningMultimed multimed = RunningMultimed.shared();
        ServerAddress plain = PlainServer.get().unix();
        prepare(plain);
        prepare(multimed.master());
        multimed.awaitSatellites("postgres");
        try (PostgresEndpoint endpoint = multimed.endpoint(
                        options -> options.withLimits(options.limits().withConnections(CONNECTIONS, CONNECTIONS)),
                        UnaryOperator.identity());
                WireSession definer = WireSession.open(multimed.master(), "postgres", "postgres", PATIENCE)) {
            ServerAddress through = RunningMultimed.address(endpoint);
            long sessionsBefore = sessions(multimed);
            List<Pair> pairs = new ArrayList<>();
            int satellites = 0;
            try {
                for (int i = 0; i < CLIENTS; i++) {
                    pairs.add(new Pair(plain, through));
                }
                for (int step = 0; step < STEPS; ) {
                    int number = random.nextInt(CLIENTS);
                    Pair pair = pairs.get(number);
                    long others = pairs.stream().filter(each -> each.inBlock).count();
                    if (!pair.inBlock && others >= CONNECTIONS - 1) {
                        continue;
                    }
                    if (!pair.inBlock && random.nextInt(40) == 0) {
                        history.append(number).append(": connects anew\n");
                        pair.close();
                        pairs.set(number, new Pair(plain, through));
                        continue;
                    }
                    step++;
                    boolean beside = random.nextInt(8) == 0;
                    if (beside) {
                        // Until the catalog has been reread, the parameters that functions set are not known.
                        definer.send(
                                FrontendBytes.query("CREATE TABLE ph_other ()"),
                                FrontendBytes.query("DROP TABLE ph_other"));
                    }
                    step(number, pair);
                    if (beside) {
                        definer.client().readUntil("Z");
                        definer.client().readUntil("Z");
                    }
                    if (pair.refused) {
                        pair.close();
                        pairs.set(number, new Pair(plain, through));
                        continue;
                    }
                    if (!pair.failed
                            && pair.through.value("SHOW multimed.route").startsWith("satellite")) {
                        satellites++;
                    }
                }
            } finally {
                for (Pair pair : pairs) {
                    pair.close();
                }
            }
            long opened = sessions(multimed) - sessionsBefore;
            System.out.println("placeholders: " + STEPS + " steps, " + satellites + " last on a Satellite, " + refused
                    + " refused, " + opened + " connections to the Master");
            assertTrue(satellites * 40 > STEPS, satellites + " steps on Satellites");
            assertTrue(opened * 2 < STEPS, opened + " connections to the Master were opened");
        }
    }

    private void step(int number, Pair pair) throws IOException {
        String sql;
        Form form = one(FORMS);
        int kind = random.nextInt(10);
        if (kind < (pair.failed ? 7 : pair.inBlock ? 3 : 2)) {
            sql = pair.inBlock ? one(ENDING) : one(BEGINNING);
        } else if (kind == 3 && pair.inBlock) {
            sql = one(WITHIN);
        } else if (kind < 6) {
            sql = one(SETTING);
        } else {
            sql = one(ASKING);
        }
        String name = one(NAMES);
        boolean call = sql.contains("('%n'");
        sql = sql.replace("%n", call ? name.replace("\"", "") : name)
                .replace("%v", Integer.toString(random.nextInt(3)));
        // Answers to Parse in a block that has failed are not compared here.
        if (pair.failed || (sql.contains(";") && !sql.startsWith("DO"))) {
            form = Form.QUERY;
        }
        history.append(number).append(": ").append(form).append(' ').append(sql).append('\n');
        // A generic plan, after other clients' executions, computes at Execute. A plan for these values computes
        // already at Bind.
        String expected = form.answers(pair.plain, List.of(sql)).replace("BindComplete\nError", "Error");
        String actual = form.answers(pair.through, List.of(sql)).replace("BindComplete\nError", "Error");
        if (actual.contains("0A000 cannot execute on a satellite within this transaction")) {
            refused++;
            // PostgreSQL has executed the statement, and may have one more name from now on.
            pair.refused = true;
            return;
        }
        assertEquals(expected, actual, () -> "seed " + SEED + "\n" + lastSteps());
        pair.inBlock = !expected.endsWith("ReadyForQuery I\n");
        pair.failed = expected.endsWith("ReadyForQuery E\n");
    }

    private String lastSteps() {
        String[] lines = history.toString().split("\n");
        StringBuilder last = new StringBuilder();
        for (int i = Math.max(0, lines.length - 80); i < lines.length; i++) {
            last.append(lines[i]).append('\n');
        }
        return last.toString();
    }

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private static long sessions(RunningMultimed multimed) throws IOException {
        try (WireSession master = WireSession.open(multimed.master(), "postgres", "postgres", PATIENCE)) {
            return Long.parseLong(master.value("SELECT sessions FROM pg_stat_database WHERE datname = 'postgres'"));
        }
    }

    private static void prepare(ServerAddress address) throws IOException {
        try (WireSession owner = WireSession.open(address, "postgres", "postgres", PATIENCE)) {
            owner.query("CREATE ROLE ph_user LOGIN");
            owner.rows("DROP TABLE IF EXISTS ph_rows, ph_guarded, ph_other");
            owner.rows("CREATE TABLE ph_rows (tenant text)");
            owner.rows("CREATE TABLE ph_guarded (tenant text)");
            owner.rows("INSERT INTO ph_rows VALUES ('0'), ('1'), ('2')");
            owner.rows("INSERT INTO ph_guarded VALUES ('0'), ('1'), ('1'), ('2'), ('2'), ('2'), ('2')");
            owner.rows("ALTER TABLE ph_guarded ENABLE ROW LEVEL SECURITY");
            owner.rows(
                    "CREATE POLICY own ON ph_guarded USING (tenant::int = current_setting('request.tid', true)::int)");
            owner.rows("GRANT ALL ON ph_rows, ph_guarded TO ph_user");
            owner.rows("CREATE OR REPLACE FUNCTION ph_set_one(v text) RETURNS text LANGUAGE plpgsql"
                    + " AS 'BEGIN RETURN set_config(''ph.one'', v, false); END'");
            owner.rows("CREATE OR REPLACE FUNCTION ph_with_two() RETURNS text LANGUAGE plpgsql SET ph.two = 'inside'"
                    + " AS 'BEGIN RETURN current_setting(''ph.two''); END'");
        }
    }
}
