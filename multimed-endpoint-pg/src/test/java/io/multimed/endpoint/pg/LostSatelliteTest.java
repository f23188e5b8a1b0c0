package io.multimed.endpoint.pg;

import static io.multimed.testkit.wire.FrontendBytes.bind;
import static io.multimed.testkit.wire.FrontendBytes.describe;
import static io.multimed.testkit.wire.FrontendBytes.execute;
import static io.multimed.testkit.wire.FrontendBytes.flush;
import static io.multimed.testkit.wire.FrontendBytes.parse;
import static io.multimed.testkit.wire.FrontendBytes.query;
import static io.multimed.testkit.wire.FrontendBytes.sync;
import static io.multimed.testkit.wire.Message.types;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A session loses its Satellite: a unit that cannot run again on another node fails with 40001 where PostgreSQL would report any
 * failure of the transaction, and the session continues.
 */
@Timeout(60)
@Tag("slow")
class LostSatelliteTest {
    private static final String READS_ONE_SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
    /** A read whose first rows reach the client and whose others never do. */
    private static final String STOPS_AMID_ROWS =
            "SELECT repeat('x', 9000), CASE WHEN g = 5 THEN pg_sleep(60) END" + " FROM generate_series(1, 10) AS g";

    private static final String FAILED = "the Satellite that executed this transaction has failed";

    @RegisterExtension
    private static final EndpointOnOneEngine multimed = new EndpointOnOneEngine();

    enum Death {
        /** The engine's process is terminated and reports FATAL 57P01. */
        TERMINATED {
            @Override
            void happens() throws IOException {
                try (WireSession engine = multimed.openEngine()) {
                    // The processes that serve the Master are idle. One that has been asked may not have noticed yet.
                    while (engine.rows("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                                    + " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
                                    + " AND state <> 'idle' AND query NOT LIKE 'LOCK%'")
                            .isEmpty()) {
                        LockSupport.parkNanos(1_000_000);
                    }
                }
            }
        },
        /** Its connections are closed without a message. */
        GONE {
            @Override
            void happens() {
                multimed.endpoint.nodeGone(multimed.satellite);
            }
        };

        abstract void happens() throws IOException;
    }

    private WireSession session;

    @BeforeEach
    void open() throws IOException {
        session = multimed.open();
        session.rows("SELECT 1");
    }

    /** Checks that the session works normally afterwards. */
    @AfterEach
    void goesOn() throws IOException {
        assertEquals("7", session.value("SELECT 7"));
        session.rows("CREATE TEMP TABLE kept (i int)");
        session.rows("INSERT INTO kept VALUES (8)");
        assertEquals("8", session.value("SELECT i FROM kept"));
        session.close();
    }

    private void dies(Death death) throws IOException {
        assertTrue(multimed.satellite.active() > 0, "nothing runs on the Satellite");
        death.happens();
    }

    private void diesAmidRows(Death death) throws IOException {
        session.client().readUntil("D");
        dies(death);
    }

    private List<Message> assertFails(String endsAs, char status) throws IOException {
        List<Message> answer = session.ready();
        List<Message> rest = answer.stream().filter(m -> m.type() != 'D').toList();
        assertEquals(endsAs, types(rest), answer::toString);
        assertEquals((byte) status, answer.getLast().body()[0]);
        rest.stream().filter(m -> m.type() == 'E').forEach(LostSatelliteTest::assertFailed);
        return answer;
    }

    private static void assertFailed(Message error) {
        assertEquals("40001", error.sqlState(), error::toString);
        assertEquals("ERROR", error.fields().get('V'));
        assertEquals(FAILED, error.fields().get('M'));
        assertEquals("Try the transaction again.", error.fields().get('H'));
    }

    private void assertFailedBlock() throws IOException {
        List<Message> refused = session.query("SELECT 1");
        assertEquals("EZ", types(refused));
        assertEquals("25P02", refused.getFirst().sqlState());
        assertEnds("COMMIT", "ROLLBACK");
    }

    private void assertEnds(String sql, String tag) throws IOException {
        List<Message> ended = session.query(sql);
        assertEquals("CZ", types(ended), ended::toString);
        assertTrue(ended.getFirst().toString().contains(tag), ended::toString);
        assertEquals((byte) 'I', ended.getLast().body()[0]);
    }

    @ParameterizedTest
    @EnumSource
    void amidRowsOfAQuery(Death death) throws IOException {
        session.send(query(STOPS_AMID_ROWS));
        diesAmidRows(death);
        assertFails("EZ", 'I');
    }

    @ParameterizedTest
    @EnumSource
    void amidRowsOfAPortalWhoseSyncIsStillToCome(Death death) throws IOException {
        session.rows(READS_ONE_SNAPSHOT);
        session.send(parse("", STOPS_AMID_ROWS), bind("", ""), describe('P', ""), execute("", 0), flush());
        diesAmidRows(death);
        assertFailed(session.client().readUntil("E").getLast());
        session.send(parse("ignored", "SELECT 1"), sync());
        assertFails("Z", 'E');
        assertFailedBlock();
        session.send(parse("ignored", "SELECT 2"), bind("", "ignored"), execute("", 0), sync());
        assertEquals("12DCZ", types(session.ready()));
    }

    @ParameterizedTest
    @EnumSource
    void withSeveralUnitsOutstanding(Death death) throws IOException {
        session.send(
                query(STOPS_AMID_ROWS),
                query("SELECT 2"),
                parse("", "SELECT 3"),
                parse("named", "SELECT 4"),
                bind("", "named"),
                execute("", 0),
                sync());
        diesAmidRows(death);
        assertFails("EZ", 'I');
        assertFails("EZ", 'I');
        assertFails("EZ", 'I');
        // The client has received no confirmation of a statement of that name.
        session.send(parse("named", "SELECT 5"), bind("", "named"), execute("", 0), sync());
        assertEquals("12DCZ", types(session.ready()));
    }

    @ParameterizedTest
    @EnumSource
    void withUnitsOfABlockOutstanding(Death death) throws IOException {
        session.send(
                query(READS_ONE_SNAPSHOT), query(STOPS_AMID_ROWS), query("SELECT 2"), query("COMMIT"), query("BEGIN"));
        diesAmidRows(death);
        assertFails("EZ", 'E');
        assertFails("EZ", 'E');
        assertFails("EZ", 'I');
        session.ready();
        assertEnds("ROLLBACK", "ROLLBACK");
    }

    @ParameterizedTest
    @EnumSource
    void amidRowsWithinABlock(Death death) throws IOException {
        session.rows(READS_ONE_SNAPSHOT);
        session.rows("SELECT 1");
        session.send(query(STOPS_AMID_ROWS));
        diesAmidRows(death);
        assertFails("EZ", 'E');
        assertFailedBlock();
    }

    @ParameterizedTest
    @EnumSource
    void amidRowsOfATransactionOfItsOwnWithinABlock(Death death) throws IOException {
        session.rows("BEGIN READ ONLY");
        session.send(query(STOPS_AMID_ROWS));
        diesAmidRows(death);
        assertFails("EZ", 'E');
        assertFailedBlock();
    }

    @ParameterizedTest
    @EnumSource
    void idleWithASnapshotFailsTheNextStatement(Death death) throws IOException {
        session.rows(READS_ONE_SNAPSHOT);
        session.rows("SELECT 1");
        dies(death);
        session.send(query("SELECT 2"));
        assertFails("EZ", 'E');
        assertFailedBlock();
    }

    @ParameterizedTest
    @EnumSource
    void idleWithASnapshotFailsTheNextMessagesUpToSync(Death death) throws IOException {
        session.rows(READS_ONE_SNAPSHOT);
        session.rows("SELECT 1");
        dies(death);
        session.send(parse("", "SELECT 2"), bind("", ""), flush());
        assertFailed(session.client().read());
        session.send(execute("", 0), sync());
        assertFails("Z", 'E');
        assertFailedBlock();
    }

    @ParameterizedTest
    @EnumSource
    void idleWithASnapshotIsRolledBackAsIfNothingHadBeen(Death death) throws IOException {
        for (boolean simple : List.of(true, false)) {
            session.rows(READS_ONE_SNAPSHOT);
            session.rows("SELECT 1");
            dies(death);
            if (simple) {
                assertEnds("ROLLBACK", "ROLLBACK");
            } else {
                session.send(parse("", "ROLLBACK"), bind("", ""), execute("", 0), sync());
                assertEquals("12CZ", types(session.ready()));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void idleWithASnapshotDoesNotCommit(Death death) throws IOException {
        for (boolean simple : List.of(true, false)) {
            session.rows(READS_ONE_SNAPSHOT);
            session.rows("SELECT 1");
            dies(death);
            if (simple) {
                session.send(query("COMMIT"));
            } else {
                session.send(parse("", "COMMIT"), bind("", ""), execute("", 0), sync());
            }
            assertFails("EZ", 'I');
        }
    }

    @ParameterizedTest
    @EnumSource
    void cursorsAndSavepointsAreGoneWithTheirTransaction(Death death) throws IOException {
        session.rows("BEGIN READ ONLY");
        session.rows("SAVEPOINT s");
        session.rows("DECLARE c CURSOR FOR SELECT generate_series(1, 1000)");
        assertEquals("1", session.value("FETCH c"));
        dies(death);
        session.send(query("FETCH c"));
        assertFails("EZ", 'E');
        session.send(query("ROLLBACK TO s"));
        assertFails("EZ", 'E');
        assertFailedBlock();
    }

    @ParameterizedTest
    @EnumSource
    void aBlockThatHasFailedBeforeIsRolledBack(Death death) throws IOException {
        session.rows(READS_ONE_SNAPSHOT);
        session.rows("SELECT 1");
        assertEquals(
                "22012",
                session.query("SELECT 1/0").stream()
                        .filter(m -> m.type() == 'E')
                        .findFirst()
                        .orElseThrow()
                        .sqlState());
        dies(death);
        assertFailedBlock();
    }

    @ParameterizedTest
    @EnumSource
    void aPortalThatIsHalfReadFailsWithinABlock(Death death) throws IOException {
        session.rows("BEGIN READ ONLY");
        session.send(parse("", "SELECT generate_series(1, 1000)"), bind("p", ""), execute("p", 2), sync());
        assertEquals("12DDsZ", types(session.ready()));
        dies(death);
        session.send(execute("p", 2), sync());
        assertFails("EZ", 'E');
        assertFailedBlock();
    }

    @ParameterizedTest
    @EnumSource
    void aPortalThatIsHalfReadFailsBeforeAnySync(Death death) throws IOException {
        session.rows("BEGIN READ ONLY");
        session.send(parse("", "SELECT generate_series(1, 1000)"), bind("p", ""), execute("p", 2), flush());
        assertEquals("12DDs", types(session.client().readUntil("s")));
        dies(death);
        session.send(execute("p", 2), flush());
        assertFailed(session.client().read());
        session.send(sync());
        assertFails("Z", 'E');
        assertFailedBlock();
    }

    @ParameterizedTest
    @EnumSource
    void aPortalThatIsOnlyMadeFailsToo(Death death) throws IOException {
        session.rows("BEGIN READ ONLY");
        session.send(parse("", "SELECT 5"), bind("p", ""), flush());
        assertEquals("12", types(session.client().readUntil("2")));
        dies(death);
        session.send(execute("p", 0), sync());
        assertFails("EZ", 'E');
        assertFailedBlock();
    }

    @ParameterizedTest
    @EnumSource
    void aSyncTellsNothingOfWhatIsLost(Death death) throws Exception {
        session.rows("BEGIN READ ONLY");
        session.send(parse("", "SELECT generate_series(1, 1000)"), bind("p", ""), execute("p", 2), flush());
        assertEquals("12DDs", types(session.client().readUntil("s")));
        dies(death);
        EndpointTest.await(() -> multimed.satellite.active() == 0);
        session.send(sync());
        assertFails("Z", 'T');
        session.send(parse("", "SELECT 1"), bind("", ""), execute("", 0), sync());
        assertFails("EZ", 'E');
        assertFailedBlock();
    }

    @ParameterizedTest
    @EnumSource
    void whatIsOnlyPreparedIsNotLost(Death death) throws IOException {
        session.rows("BEGIN READ ONLY");
        session.send(parse("", "SELECT 5"), describe('S', ""), flush());
        assertEquals("1tT", types(session.client().readUntil("T")));
        dies(death);
        session.send(bind("", ""), execute("", 0), sync());
        assertEquals("2DCZ", types(session.ready()));
        assertEnds("COMMIT", "COMMIT");
    }

    @ParameterizedTest
    @EnumSource
    void whatTheClientHasSeenNothingOfRunsAgain(Death death) throws Exception {
        session.send(query("SELECT g, pg_sleep(1) FROM generate_series(1, 2) AS g"));
        EndpointTest.await(() -> multimed.satellite.active() > 0);
        EndpointTest.await(() -> executes("pg_sleep(1)"));
        dies(death);
        assertEquals("TDDCZ", types(session.ready()));
    }

    private static boolean executes(String part) {
        try (WireSession engine = multimed.openEngine()) {
            return !engine.rows("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND query LIKE '%" + part
                            + "%' AND pid <> pg_backend_pid()")
                    .isEmpty();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static final List<String> SETTING = List.of(
            "SET search_path TO 'A b'",
            "SET search_path TO \"A b\"",
            "SET search_path = pg_catalog, public",
            "SET statement_timeout = '5min'",
            "SET LOCAL statement_timeout = 70000",
            "SET TIME ZONE -7",
            "SET DateStyle = 'SQL, DMY'",
            "SET datestyle TO DEFAULT",
            "SET my.own = 'a ''quoted'' \"one\"'");

    private static final String ASKED = "SELECT pg_catalog.concat_ws('; ', current_setting('search_path'),"
            + " current_setting('statement_timeout'), current_setting('timezone'), current_setting('datestyle'),"
            + " nullif(current_setting('my.own', true), ''))";

    /** The engine is lost before it could report the settings of a committed block. */
    @ParameterizedTest
    @EnumSource
    void whatABlockHasSetIsKnown(Death death) throws Exception {
        for (int first = 0; first < SETTING.size(); first++) {
            List<String> setting = List.of(SETTING.get(first), SETTING.get((first + 4) % SETTING.size()));
            for (boolean commits : List.of(true, false)) {
                String expected = afterwards(setting, commits);
                session.rows("RESET ALL");
                session.rows(READS_ONE_SNAPSHOT);
                session.rows("SELECT 1");
                for (String each : setting) {
                    session.rows(each);
                }
                try (WireSession locking = multimed.openEngine()) {
                    locking.rows("BEGIN");
                    locking.rows("LOCK pg_catalog.pg_settings");
                    session.rows(commits ? "COMMIT" : "ROLLBACK");
                    dies(death);
                    EndpointTest.await(() -> multimed.satellite.active() == 0);
                }
                assertEquals(expected, session.value(ASKED), setting::toString);
            }
        }
        session.rows("RESET ALL");
    }

    @ParameterizedTest
    @EnumSource
    void whatABlockHasSetBeforeItWasChainedIsKnown(Death death) throws IOException {
        for (String setting : SETTING) {
            String expected = afterwards(List.of(setting), true);
            session.rows("RESET ALL");
            session.rows(READS_ONE_SNAPSHOT);
            session.rows("SELECT 1");
            session.rows(setting);
            session.rows("COMMIT AND CHAIN");
            session.rows("SET my.own = 'undone'");
            session.rows("SELECT 1");
            dies(death);
            session.send(query("SELECT 1"));
            assertFails("EZ", 'E');
            session.rows("ROLLBACK");
            assertEquals(expected, session.value(ASKED), setting);
        }
        session.rows("RESET ALL");
    }

    /** Returns the settings after the same block in a session of PostgreSQL. */
    private static String afterwards(List<String> setting, boolean commits) throws IOException {
        try (WireSession engine = multimed.openEngine()) {
            engine.rows("BEGIN");
            for (String each : setting) {
                engine.rows(each);
            }
            engine.rows(commits ? "COMMIT" : "ROLLBACK");
            return engine.value(ASKED);
        }
    }

    @ParameterizedTest
    @EnumSource
    void amidCopy(Death death) throws IOException {
        session.send(query("COPY ("
                + STOPS_AMID_ROWS.replace(
                        "CASE WHEN g = 5 THEN pg_sleep(60) END", "CASE WHEN g = 5 THEN pg_sleep(60)::text END")
                + ") TO STDOUT"));
        session.client().readUntil("d");
        dies(death);
        List<Message> answer = session.ready();
        assertEquals("EZ", types(answer.stream().filter(m -> m.type() != 'd').toList()));
        assertFailed(answer.get(answer.size() - 2));
    }
}
