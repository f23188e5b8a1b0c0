package io.multimed.tests.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.random.Seed;
import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.PlainServer;
import io.multimed.tests.server.RunningMultimed;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The first statement of a transaction block, whatever it is, after every kind of BEGIN and in every form of messages, is
 * answered as PostgreSQL answers it.
 *
 * <p>{@code -Dmultimed.first.cases=1000000} tries all cases, {@code -Dmultimed.test.seed=N} the same ones again.
 */
@Tag("slow")
class FirstInBlockTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int CASES = Integer.getInteger("multimed.first.cases", 1_500);
    private static final long SEED = Seed.of("multimed.test.seed");
    /** At least one case in so many must end on a Satellite. */
    private static final int ONE_ON_A_SATELLITE_IN = 20;

    private static final List<String> FIRST = List.of(
            "SHOW transaction_isolation",
            "SHOW transaction_read_only",
            "SHOW transaction_deferrable",
            "SHOW TRANSACTION ISOLATION LEVEL",
            "SHOW default_transaction_isolation",
            "SHOW default_transaction_read_only",
            "SHOW search_path",
            "SHOW work_mem",
            "SHOW first.unknown",
            "SELECT 1",
            "SELECT current_setting('transaction_isolation'), current_setting('transaction_read_only')",
            "SELECT id FROM first_rows ORDER BY id",
            "SELECT id FROM first_rows WHERE id = 1 FOR UPDATE",
            "SELECT nextval('first_sequence') IS NOT NULL",
            "SELECT first_function()",
            "SELECT * FROM first_missing",
            "SELECT 1/0",
            "SELEKT",
            "",
            "INSERT INTO first_rows VALUES (3)",
            "UPDATE first_rows SET id = id WHERE false",
            "CREATE TABLE first_made (i int)",
            "CREATE TEMP TABLE first_made (i int)",
            "SET LOCAL work_mem = '5MB'",
            "SET work_mem = '6MB'",
            "RESET work_mem",
            "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE",
            "SET TRANSACTION ISOLATION LEVEL READ COMMITTED",
            "SET TRANSACTION READ ONLY",
            "SET TRANSACTION READ WRITE",
            "SET TRANSACTION DEFERRABLE",
            "SET LOCAL transaction_read_only = on",
            "SET LOCAL transaction_read_only = off",
            "SET transaction_read_only TO 'f'",
            "SET transaction_isolation = 'repeatable read'",
            "SET SESSION transaction_isolation TO 'Serializable'",
            "SET transaction_isolation TO DEFAULT",
            "SET transaction_deferrable = on",
            "RESET transaction_isolation",
            "SELECT set_config('transaction_isolation', 'serializable', true)",
            "SELECT set_config('transaction_read_only', 'off', false)",
            "SAVEPOINT s",
            "RELEASE s",
            "DECLARE c CURSOR FOR SELECT 1",
            "FETCH c",
            "LOCK TABLE first_rows IN ACCESS SHARE MODE",
            "LOCK TABLE first_rows",
            "PREPARE first_prepared AS SELECT 1",
            "EXECUTE first_unprepared",
            "EXPLAIN (COSTS OFF) SELECT 1",
            "VALUES (1), (2)",
            "TABLE first_rows",
            "COMMIT",
            "ROLLBACK",
            "COMMIT AND CHAIN",
            "ROLLBACK AND CHAIN",
            "BEGIN",
            "BEGIN ISOLATION LEVEL SERIALIZABLE",
            "LISTEN first_channel",
            "NOTIFY first_channel",
            "VACUUM first_rows",
            "DISCARD ALL",
            "DO 'BEGIN END'",
            "CALL first_procedure()");

    private static final List<String> BEHIND = List.of(
            "SHOW transaction_isolation", "SHOW transaction_read_only", "SELECT count(*) FROM first_rows", "ROLLBACK");

    /**
     * @param before statements sent by Query, outside the block
     */
    private record Case(List<String> before, List<String> opening, String first, Form form) {
        List<String> statements() {
            List<String> statements = new ArrayList<>(opening);
            statements.add(first);
            return statements;
        }
    }

    @Test
    void isAnsweredAsByPostgresql() throws Exception {
        Random random = new Random(SEED);
        List<Case> cases = cases();
        Collections.shuffle(cases, random);
        StringBuilder differences = new StringBuilder();
        int differing = 0;
        int onSatellites = 0;
        int tried = Math.min(CASES, cases.size());
        ServerAddress plainAddress = PlainServer.get().unix();
        ServerAddress address = RunningMultimed.shared().address();
        prepare(plainAddress, "postgres");
        prepare(RunningMultimed.shared().master(), "postgres");
        WireSession plain = open(plainAddress);
        WireSession through = open(address);
        try {
            for (Case each : cases.subList(0, tried)) {
                String expected = run(plain, each);
                String actual;
                try {
                    actual = run(through, each);
                } catch (IOException e) {
                    throw new IOException(each + ", seed " + SEED, e);
                }
                if (!actual.equals(expected)) {
                    differing++;
                    if (differing <= 40) {
                        differences
                                .append("\n--- ")
                                .append(each)
                                .append("\nPostgreSQL:\n")
                                .append(expected)
                                .append("Multimed:\n")
                                .append(actual);
                    }
                    plain.close();
                    through.close();
                    plain = open(plainAddress);
                    through = open(address);
                    continue;
                }
                try {
                    if (through.value("SHOW multimed.route").startsWith("satellite")) {
                        onSatellites++;
                    }
                } catch (IOException e) {
                    throw new IOException(each + ", seed " + SEED + "\n" + actual, e);
                }
                for (WireSession session : List.of(plain, through)) {
                    session.query("DISCARD ALL");
                }
            }
        } finally {
            plain.close();
            through.close();
        }
        assertEquals("", differences.toString(), differing + " of " + tried + " cases, seed " + SEED);
        assertTrue(onSatellites * ONE_ON_A_SATELLITE_IN >= tried, "only " + onSatellites + " cases on Satellites");
    }

    private static String run(WireSession session, Case one) throws IOException {
        StringBuilder answers = new StringBuilder();
        answers.append(Form.QUERY.answers(session, one.before()));
        answers.append(one.form().answers(session, one.statements()));
        if (!answers.toString().contains("connection ended")) {
            answers.append(Form.QUERY.answers(session, BEHIND));
        }
        return answers.toString();
    }

    private static List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (Form form : Form.values()) {
            for (String first : FIRST) {
                for (String characteristics : characteristics()) {
                    cases.add(new Case(List.of(), List.of("BEGIN" + characteristics), first, form));
                    cases.add(new Case(List.of(), List.of("START TRANSACTION" + characteristics), first, form));
                    if (!characteristics.isEmpty()) {
                        cases.add(new Case(
                                List.of(), List.of("BEGIN", "SET TRANSACTION" + characteristics), first, form));
                        cases.add(new Case(
                                List.of(),
                                List.of("BEGIN READ ONLY", "SET TRANSACTION" + characteristics),
                                first,
                                form));
                        cases.add(new Case(
                                List.of("SET SESSION CHARACTERISTICS AS TRANSACTION" + characteristics),
                                List.of("BEGIN"),
                                first,
                                form));
                        cases.add(new Case(
                                List.of("SET SESSION CHARACTERISTICS AS TRANSACTION" + characteristics),
                                List.of("BEGIN READ ONLY"),
                                first,
                                form));
                        cases.add(new Case(
                                List.of("SET SESSION CHARACTERISTICS AS TRANSACTION" + characteristics),
                                List.of(),
                                first,
                                form));
                    }
                }
                for (String level : List.of("read uncommitted", "read committed", "repeatable read", "serializable")) {
                    for (String readOnly : List.of("on", "off")) {
                        cases.add(new Case(
                                List.of(
                                        "SET default_transaction_isolation = '" + level + "'",
                                        "SET default_transaction_read_only = " + readOnly),
                                List.of("BEGIN"),
                                first,
                                form));
                    }
                }
            }
        }
        return cases;
    }

    private static List<String> characteristics() {
        List<String> all = new ArrayList<>();
        for (String level : List.of("", "READ UNCOMMITTED", "READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE")) {
            for (String access : List.of("", " READ ONLY", " READ WRITE")) {
                for (String deferrable : List.of("", " DEFERRABLE", " NOT DEFERRABLE")) {
                    all.add((level.isEmpty() ? "" : " ISOLATION LEVEL " + level) + access + deferrable);
                }
            }
        }
        return all;
    }

    private static void prepare(ServerAddress address, String database) throws IOException {
        try (WireSession owner = WireSession.open(address, "postgres", database, PATIENCE)) {
            owner.rows("CREATE TABLE IF NOT EXISTS first_rows (id int)");
            owner.rows("TRUNCATE first_rows");
            owner.rows("INSERT INTO first_rows VALUES (1), (2)");
            owner.rows("CREATE SEQUENCE IF NOT EXISTS first_sequence");
            owner.rows(
                    "CREATE OR REPLACE FUNCTION first_function() RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN 1; END'");
            owner.rows("CREATE OR REPLACE PROCEDURE first_procedure() LANGUAGE plpgsql AS 'BEGIN END'");
        }
    }

    private static WireSession open(ServerAddress address) throws IOException {
        return WireSession.open(address, "postgres", "postgres", PATIENCE);
    }
}
