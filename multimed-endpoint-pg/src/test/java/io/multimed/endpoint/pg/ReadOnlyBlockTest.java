package io.multimed.endpoint.pg;

import static io.multimed.testkit.wire.Message.types;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.multimed.endpoint.pg.backend.NodeBackends;
import io.multimed.endpoint.pg.backend.ReadSharing;
import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The reads of a READ ONLY block under READ COMMITTED are separate transactions for the engine, and a block for the client. */
@Timeout(60)
@Tag("slow")
class ReadOnlyBlockTest {
    @RegisterExtension
    private static final EndpointOnOneEngine multimed = new EndpointOnOneEngine(
            options -> options.withLimits(options.limits().withConnections(4, 1).withSharing(new ReadSharing(1, 8))));

    private WireSession session;

    @BeforeEach
    void open() throws IOException {
        session = multimed.open();
        session.rows("SELECT 'of a shape that is known'");
        session.rows("SELECT 1");
    }

    @AfterEach
    void close() throws IOException {
        session.close();
    }

    @Test
    void holdsNoConnectionBetweenItsReads() throws IOException {
        session.rows("BEGIN READ ONLY");
        try (WireSession other = multimed.open()) {
            for (int i = 0; i < 3; i++) {
                assertEquals("mine", session.value("SELECT 'mine'"));
                assertEquals(0, multimed.satellite.active());
                assertEquals("others", other.value("SELECT 'others'"));
            }
        }
        assertEquals('T', status(session.query("SELECT 1")));
        assertEquals('I', status(session.query("COMMIT")));
    }

    @Test
    void itsReadsShareConnections() throws Exception {
        try (WireSession slow = multimed.open()) {
            slow.rows("SELECT pg_sleep(0)");
            session.rows("BEGIN READ ONLY");
            long before = behind();
            slow.send(FrontendBytes.query("SELECT pg_sleep(0.2)"));
            EndpointTest.await(() -> multimed.satellite.active() == 1);
            session.send(FrontendBytes.query("SELECT 'mine'"));
            EndpointTest.await(() -> behind() == before + 1);
            assertEquals('T', status(session.ready()));
            slow.ready();
        }
        session.rows("COMMIT");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
                "SET LOCAL work_mem = '1MB'",
                "SAVEPOINT s",
                "DECLARE c CURSOR FOR SELECT 1",
                "SELECT now()",
                "SHOW transaction_isolation"
            })
    void holdsOneAfterWhatMustBeSeenLater(String statement) throws IOException {
        if (!statement.startsWith("BEGIN")) {
            session.rows("BEGIN READ ONLY");
        }
        session.rows(statement);
        assertEquals('T', status(session.query("SELECT 1")));
        assertEquals(1, multimed.satellite.active() + multimed.master.active());
        assertEquals('I', status(session.query("COMMIT")));
    }

    @Test
    void timeOfTheTransactionIsTheSameWheneverItIsAsked() throws IOException {
        session.rows("BEGIN READ ONLY");
        session.rows("SELECT 1");
        String now = session.value("SELECT now()");
        session.rows("SELECT 1");
        assertEquals(now, session.value("SELECT now()"));
        session.rows("COMMIT");
        assertNotEquals(now, session.value("SELECT now()"));
    }

    @Test
    void errorFailsIt() throws IOException {
        session.rows("BEGIN READ ONLY");
        session.rows("SELECT 1");
        List<Message> answer = session.query("SELECT 1/0");
        assertEquals("22012", answer.getFirst().sqlState(), answer::toString);
        assertEquals('E', status(answer));
        answer = session.query("SELECT 1");
        assertEquals("25P02", answer.getFirst().sqlState(), answer::toString);
        assertEquals("ROLLBACK", tag(session.query("COMMIT")));
        assertEquals("1", session.value("SELECT 1"));
    }

    @Test
    void errorOfItsFirstReadFailsItThoughItCameWithItsBegin() throws IOException {
        session.send(beginAnd("SELECT 1/$1::int", "0"));
        List<Message> answer = session.ready();
        assertEquals("12C1EZ", types(answer), answer::toString);
        assertEquals('E', status(answer));
        assertEquals("ROLLBACK", tag(session.query("COMMIT")));
    }

    @Test
    void beginsWithItsFirstRead() throws IOException {
        session.send(beginAnd("SELECT $1", "first"));
        List<Message> answer = session.ready();
        assertEquals("12C12TDCZ", types(answer), answer::toString);
        assertEquals('T', status(answer));
        assertEquals(0, multimed.satellite.active());
        assertEquals("second", session.value("SELECT 'second'"));
        assertEquals('I', status(session.query("COMMIT")));
    }

    /** pgjdbc sends blocks like this. */
    @Test
    void beginsAndEndsByStatementsThatWerePrepared() throws IOException {
        for (int i = 0; i < 3; i++) {
            session.send(
                    i == 0 ? FrontendBytes.parse("S_1", "BEGIN READ ONLY") : new byte[0],
                    FrontendBytes.bind("", "S_1"),
                    FrontendBytes.execute("", 1),
                    i == 0 ? FrontendBytes.parse("S_2", "SELECT $1") : new byte[0],
                    FrontendBytes.bind("", "S_2", "value"),
                    FrontendBytes.describe('P', ""),
                    FrontendBytes.execute("", 0),
                    FrontendBytes.sync());
            List<Message> answer = session.ready();
            assertEquals(i == 0 ? "12C12TDCZ" : "2C2TDCZ", types(answer), answer::toString);
            assertEquals('T', status(answer));
            assertEquals(0, multimed.satellite.active());
            session.send(
                    i == 0 ? FrontendBytes.parse("S_3", "COMMIT") : new byte[0],
                    FrontendBytes.bind("", "S_3"),
                    FrontendBytes.describe('P', ""),
                    FrontendBytes.execute("", 1),
                    FrontendBytes.sync());
            answer = session.ready();
            assertEquals(i == 0 ? "12nCZ" : "2nCZ", types(answer), answer::toString);
            assertEquals("COMMIT", tag(answer));
            assertEquals('I', status(answer));
        }
        assertEquals("t", session.value("SELECT pg_current_xact_id() IS NOT NULL"));
    }

    @Test
    void whatWasPreparedForItIsThereAlsoWhereEnginesAreTold() throws IOException {
        session.send(FrontendBytes.parse("b", "BEGIN"), FrontendBytes.sync());
        session.ready();
        for (int i = 0; i < 2; i++) {
            session.send(FrontendBytes.bind("", "b"), FrontendBytes.execute("", 0), FrontendBytes.sync());
            assertEquals("2CZ", types(session.ready()));
            session.rows("SELECT pg_current_xact_id()");
            session.send(
                    FrontendBytes.parse("", "ROLLBACK"),
                    FrontendBytes.bind("", ""),
                    FrontendBytes.describe('S', ""),
                    FrontendBytes.execute("", 0),
                    FrontendBytes.sync());
            List<Message> answer = session.ready();
            assertEquals("12tnCZ", types(answer), answer::toString);
            assertEquals('I', status(answer));
        }
    }

    @Test
    void portalThatIsExecutedFurtherKeepsItsConnection() throws IOException {
        session.rows("BEGIN READ ONLY");
        session.send(
                FrontendBytes.parse("", "SELECT generate_series(1, 3)"),
                FrontendBytes.bind("c", ""),
                FrontendBytes.execute("c", 2),
                FrontendBytes.sync());
        assertEquals("12DDsZ", types(session.ready()));
        session.send(FrontendBytes.execute("c", 2), FrontendBytes.sync());
        assertEquals("DCZ", types(session.ready()));
        session.rows("COMMIT");
    }

    /** No engine reports this default to its clients. */
    @Test
    void seesOneSnapshotWhereThatIsTheDefaultOfItsDatabase() throws IOException {
        try (WireSession owner = multimed.openEngine()) {
            owner.rows("CREATE DATABASE one_snapshot");
            owner.rows("ALTER DATABASE one_snapshot SET default_transaction_isolation = 'repeatable read'");
        }
        Duration patience = Duration.ofSeconds(20);
        try (WireSession owner = WireSession.open(multimed.engine.unix(), "postgres", "one_snapshot", patience);
                WireSession reader = WireSession.open(multimed.address(), "postgres", "one_snapshot", patience)) {
            owner.rows("CREATE TABLE t AS SELECT 1 AS i");
            reader.rows("SELECT i FROM t");
            reader.rows("BEGIN READ ONLY");
            assertEquals("1", reader.value("SELECT i FROM t"));
            owner.rows("UPDATE t SET i = 2");
            assertEquals("1", reader.value("SELECT i FROM t"));
            reader.rows("COMMIT");
            assertEquals("2", reader.value("SELECT i FROM t"));
            reader.rows("SET default_transaction_isolation = 'read committed'");
            reader.rows("BEGIN READ ONLY");
            assertEquals("2", reader.value("SELECT i FROM t"));
            owner.rows("UPDATE t SET i = 3");
            assertEquals("3", reader.value("SELECT i FROM t"));
            reader.rows("COMMIT");
        }
    }

    @Test
    void portalThatIsExecutedLaterKeepsItsConnection() throws IOException {
        session.rows("BEGIN READ ONLY");
        session.send(
                FrontendBytes.parse("", "SELECT 1"),
                FrontendBytes.bind("", ""),
                FrontendBytes.describe('P', ""),
                FrontendBytes.sync());
        assertEquals("12TZ", types(session.ready()));
        session.send(FrontendBytes.execute("", 0), FrontendBytes.sync());
        assertEquals("DCZ", types(session.ready()));
        session.rows("COMMIT");
    }

    /** Before the read the engine is asked for the present result columns of the statement. */
    @Test
    void readWhoseResultHasChangedIsRefused() throws IOException {
        try (WireSession owner = multimed.openEngine()) {
            owner.rows("CREATE TABLE changed (i int)");
            session.send(
                    FrontendBytes.parse("b", "BEGIN READ ONLY"),
                    FrontendBytes.parse("r", "SELECT * FROM changed"),
                    FrontendBytes.describe('S', "r"),
                    FrontendBytes.sync());
            session.ready();
            multimed.endpoint.nodeGone(multimed.satellite);
            owner.rows("ALTER TABLE changed ADD COLUMN j int");
            multimed.schemaVersion.incrementAndGet();
            session.rows("BEGIN READ ONLY");
            session.send(FrontendBytes.bind("", "r"), FrontendBytes.execute("", 0), FrontendBytes.sync());
            List<Message> answer = session.ready();
            assertEquals("0A000", answer.getFirst().sqlState(), answer::toString);
            assertEquals('E', status(answer));
            session.rows("ROLLBACK");
            multimed.endpoint.nodeGone(multimed.satellite);
            session.send(
                    FrontendBytes.bind("", "b"),
                    FrontendBytes.execute("", 1),
                    FrontendBytes.bind("", "r"),
                    FrontendBytes.execute("", 0),
                    FrontendBytes.sync());
            answer = session.ready();
            assertEquals("0A000", answer.get(answer.size() - 2).sqlState(), answer::toString);
            session.query("ROLLBACK");
            assertEquals("1", session.value("SELECT 1"));
            owner.rows("DROP TABLE changed");
        }
    }

    /** The engine session that was asked for the present result columns is lost before it has answered, so another one is asked. */
    @Test
    void readWhoseResultHasChangedIsRefusedByAnotherSessionThanTheOneAskedFirst() throws Exception {
        try (WireSession owner = multimed.openEngine()) {
            owner.rows("CREATE TABLE changing (i int)");
            session.send(
                    FrontendBytes.parse("r", "SELECT * FROM changing"),
                    FrontendBytes.describe('S', "r"),
                    FrontendBytes.sync());
            session.ready();
            int begun = multimed.connectionsBegun.get();
            multimed.endpoint.nodeGone(multimed.satellite);
            EndpointTest.await(() -> "1".equals(session.value("SELECT 1")) && multimed.connectionsBegun.get() > begun);
            owner.rows("BEGIN; ALTER TABLE changing ADD COLUMN j int");
            multimed.schemaVersion.incrementAndGet();
            session.send(FrontendBytes.bind("", "r"), FrontendBytes.execute("", 0), FrontendBytes.sync());
            String asked = "SELECT coalesce(string_agg(pid::text, ' '), '') FROM pg_locks WHERE NOT granted";
            EndpointTest.await(() -> !"".equals(owner.value(asked)));
            String first = owner.value(asked);
            multimed.endpoint.nodeGone(multimed.satellite);
            EndpointTest.await(() -> !List.of("", first).contains(owner.value(asked)));
            owner.rows("COMMIT");
            List<Message> answer = session.ready();
            assertEquals("0A000", answer.getFirst().sqlState(), answer::toString);
            owner.rows("DROP TABLE changing");
        }
    }

    /** The read has waited behind another for too long. */
    @Test
    void readThatIsSentElsewhereGoesOn() throws Exception {
        session.send(
                FrontendBytes.parse("b", "BEGIN READ ONLY"),
                FrontendBytes.parse("r", "SELECT 'mine'"),
                FrontendBytes.sync());
        session.ready();
        session.send(
                FrontendBytes.bind("", "b"),
                FrontendBytes.execute("", 1),
                FrontendBytes.bind("", "r"),
                FrontendBytes.execute("", 0),
                FrontendBytes.sync());
        session.ready();
        try (WireSession slow = multimed.open()) {
            long before = displaced();
            try (LockedTable _ = LockedTable.readBy(slow, multimed, "ahead_of_a_block")) {
                session.send(FrontendBytes.bind("", "r"), FrontendBytes.execute("", 0), FrontendBytes.sync());
                EndpointTest.await(() -> displaced() == before + 1);
            }
            assertEquals('T', status(session.ready()));
            slow.ready();
        }
        session.rows("COMMIT");
    }

    @Test
    void hasNotFailedBecauseTheOneBeforeWasLost() throws Exception {
        session.rows("BEGIN READ ONLY");
        session.rows("SELECT now()");
        try (WireSession administrator = multimed.openEngine()) {
            administrator.rows(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle in transaction'");
        }
        EndpointTest.await(() -> multimed.satellite.active() == 0);
        session.rows("COMMIT");
        session.rows("BEGIN READ ONLY");
        assertEquals('T', status(session.query("SELECT 1")));
        session.rows("COMMIT");
    }

    @Test
    void whatIsSentBehindAReadThatFailsIsNotExecuted() throws IOException {
        session.rows("BEGIN READ ONLY");
        session.send(FrontendBytes.query("SELECT 1/0"), FrontendBytes.query("SELECT 'behind'"));
        assertEquals("22012", session.ready().getFirst().sqlState());
        assertEquals("25P02", session.ready().getFirst().sqlState());
        session.rows("ROLLBACK");
    }

    @Test
    void cancelledReadFailsIt() throws Exception {
        session.rows("BEGIN READ ONLY");
        String endless = "SELECT count(*) FROM generate_series(1, 100000000) a, generate_series(1, 1000) b";
        session.send(FrontendBytes.query(endless));
        EndpointTest.await(() -> multimed.satellite.active() == 1);
        session.cancel();
        List<Message> answer = session.ready();
        assertEquals("57014", answer.get(answer.size() - 2).sqlState(), answer::toString);
        assertEquals('E', status(answer));
        session.rows("ROLLBACK");
    }

    @Test
    void idleItIsEndedByTheTimeout() throws IOException {
        session.rows("SET idle_in_transaction_session_timeout = '300ms'");
        session.rows("BEGIN READ ONLY");
        session.rows("SELECT 1");
        assertEquals("25P03", session.client().read().sqlState());
    }

    @Test
    void isNotIdleWhileItReads() throws Exception {
        session.rows("SET idle_in_transaction_session_timeout = '1s'");
        session.rows("BEGIN READ ONLY");
        try (LockedTable _ = LockedTable.readBy(session, multimed, "not_idle")) {
            assertNull(session.client().poll(Duration.ofMillis(1_500)));
        }
        assertEquals('T', status(session.ready()));
        session.rows("COMMIT");
    }

    @Test
    void goesOnOnTheMasterWhenTheSatelliteIsGone() throws IOException {
        session.rows("BEGIN READ ONLY");
        session.rows("SELECT 1");
        multimed.satellite.serving(false);
        try {
            assertEquals('T', status(session.query("SELECT 1")));
            assertEquals(1, multimed.master.active());
            assertEquals("on", session.value("SHOW transaction_read_only"));
            session.rows("COMMIT");
        } finally {
            multimed.satellite.serving(true);
        }
    }

    private static byte[] beginAnd(String sql, String value) {
        return join(
                FrontendBytes.parse("", "BEGIN READ ONLY"),
                FrontendBytes.bind("", ""),
                FrontendBytes.execute("", 0),
                FrontendBytes.parse("", sql),
                FrontendBytes.bind("", "", value),
                FrontendBytes.describe('P', ""),
                FrontendBytes.execute("", 0),
                FrontendBytes.sync());
    }

    private static byte[] join(byte[]... messages) {
        java.io.ByteArrayOutputStream all = new java.io.ByteArrayOutputStream();
        for (byte[] message : messages) {
            all.writeBytes(message);
        }
        return all.toByteArray();
    }

    private static long behind() {
        return multimed.endpoint.backends(multimed.satellite).stream()
                .mapToLong(NodeBackends::behindCount)
                .sum();
    }

    private static long displaced() {
        return multimed.endpoint.backends(multimed.satellite).stream()
                .mapToLong(NodeBackends::displacedCount)
                .sum();
    }

    private static byte status(List<Message> answer) {
        return answer.getLast().body()[0];
    }

    private static String tag(List<Message> answer) {
        Message complete = answer.get(answer.size() - 2);
        return new String(complete.body(), 0, complete.body().length - 1, java.nio.charset.StandardCharsets.UTF_8);
    }
}
