package io.multimed.endpoint.pg;

import static io.multimed.testkit.wire.FrontendBytes.bind;
import static io.multimed.testkit.wire.FrontendBytes.close;
import static io.multimed.testkit.wire.FrontendBytes.execute;
import static io.multimed.testkit.wire.FrontendBytes.flush;
import static io.multimed.testkit.wire.FrontendBytes.parse;
import static io.multimed.testkit.wire.FrontendBytes.query;
import static io.multimed.testkit.wire.FrontendBytes.sync;
import static io.multimed.testkit.wire.Message.types;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

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

/** Extended query messages without a Sync yet: after a Flush the client waits for answers before it continues. */
@Timeout(60)
@Tag("slow")
class UnsyncedSegmentTest {
    private static final Duration A_MOMENT = Duration.ofMillis(200);

    @RegisterExtension
    private final EndpointOnOneEngine multimed = new EndpointOnOneEngine();

    private WireSession session;

    @BeforeEach
    void start() throws Exception {
        session = multimed.open();
    }

    @AfterEach
    void stop() throws Exception {
        session.close();
    }

    @Test
    void refusalIsOneErrorAndReadyComesForTheSync() throws IOException {
        session.send(parse("", "SET multimed.freshness = 'bogus'"), bind("", ""), execute("", 0), flush());
        session.client().readUntil("1");
        assertRefused("22023", 'I');
        assertEquals("strong", session.value("SHOW multimed.freshness"));
    }

    @Test
    void refusalAbortsTheTransactionBlock() throws IOException {
        session.rows("BEGIN");
        session.rows("CREATE TABLE t (i int)");
        session.send(parse("", "SET multimed.freshness = 'bogus'"), bind("", ""), execute("", 0), flush());
        session.client().readUntil("1");
        assertRefused("22023", 'E');
        session.rows("ROLLBACK");
        assertEquals("0", session.value("SELECT count(*) FROM pg_class WHERE relname = 't'"));
    }

    @Test
    void refusalOnASatelliteWhoseSnapshotTheBlockKeeps() throws IOException {
        session.rows("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY");
        session.rows("SELECT 1");
        session.send(parse("", "SHOW work_mem"), bind("", ""), execute("", 0), flush());
        assertRefused("0A000", 'E');
        session.rows("ROLLBACK");
    }

    @Test
    void commitsNothingYetThoughTheEngineTellsThatCodeHasDeallocatedStatements() throws Exception {
        try (WireSession engine = multimed.openEngine()) {
            session.rows("CREATE TABLE t (i int)");
            session.send(parse("s", "SELECT pg_current_xact_id()"), bind("", "s"), execute("", 0), sync());
            session.ready();
            engine.rows("BEGIN; LOCK TABLE pg_prepared_statements IN ACCESS EXCLUSIVE MODE");
            session.rows("DO $$ BEGIN EXECUTE 'DEALLOCATE ALL'; END $$");
            session.send(parse("", "INSERT INTO t VALUES (1)"), bind("", ""), execute("", 0), flush());
            assertNull(session.client().poll(A_MOMENT));
            engine.rows("COMMIT");
            session.client().readUntil("C");
            session.send(parse("", "SELECT 1/0"), bind("", ""), execute("", 0), sync());
            assertEquals('I', session.ready().getLast().body()[0]);
            assertEquals("0", session.value("SELECT count(*) FROM t"));
            session.send(bind("", "s"), execute("", 0), sync());
            assertEquals("2DCZ", types(session.ready()));
        }
    }

    @Test
    void engineThatCouldNotTellWhatIsSetIsNotAskedAgainInTheNextTransaction() throws Exception {
        try (WireSession engine = multimed.openEngine()) {
            engine.rows("BEGIN; LOCK TABLE pg_settings IN ACCESS EXCLUSIVE MODE");
            session.rows("SET statement_timeout = 300");
            session.send(query("BEGIN READ WRITE"));
            session.ready();
            engine.rows("COMMIT");
            assertEquals("300ms", session.value("SHOW statement_timeout"));
            session.rows("COMMIT");
            assertEquals("300ms", session.value("SHOW statement_timeout"));
        }
    }

    @Test
    void cancelWhileItWaitsForAnEngine() throws IOException {
        masterIsBehind();
        session.send(parse("", "CREATE TABLE t (i int)"), bind("", ""), execute("", 0), flush());
        assertNull(session.client().poll(A_MOMENT));
        session.cancel();
        assertRefused("57014", 'I');
        multimed.visibility.observed(transaction -> true);
        assertEquals("0", session.value("SELECT count(*) FROM pg_class WHERE relname = 't'"));
    }

    @Test
    void cancelWhileItWaitsWithinATransactionBlock() throws IOException {
        session.rows("BEGIN");
        masterIsBehind();
        session.send(parse("", "CREATE TABLE t (i int)"), bind("", ""), execute("", 0), flush());
        assertNull(session.client().poll(A_MOMENT));
        session.cancel();
        assertRefused("57014", 'E');
        multimed.visibility.observed(transaction -> true);
        session.rows("ROLLBACK");
        assertEquals("0", session.value("SELECT count(*) FROM pg_class WHERE relname = 't'"));
    }

    @Test
    void refusedSegmentWithItsSyncIsOneErrorAndOneReady() throws IOException {
        session.send(parse("s", "SET multimed.freshness = 'bogus'"), bind("", "s"), execute("", 0), sync());
        assertEquals("1EZ", types(session.ready()));
        assertNull(session.client().poll(A_MOMENT));
        session.send(parse("", "SELECT 1"), sync());
        assertEquals("1Z", types(session.ready()));
    }

    @Test
    void whatFollowsAFlushOnTheMasterStaysWithItsSession() throws IOException {
        session.rows("CREATE TABLE t (i int)");
        session.rows("BEGIN");
        session.send(parse("", "INSERT INTO t VALUES (1)"), bind("", ""), execute("", 0), flush());
        assertEquals("12C", types(session.client().readUntil("C")));
        session.send(parse("", "SET statement_timeout = 12345"), bind("", ""), execute("", 0), sync());
        assertEquals("12CZ", types(session.ready()));
        session.rows("COMMIT");
        try (WireSession other = multimed.open()) {
            assertEquals("0", other.value("SELECT setting FROM pg_settings WHERE name = 'statement_timeout'"));
        }
        assertEquals("12345", session.value("SELECT setting FROM pg_settings WHERE name = 'statement_timeout'"));
    }

    /** Engines hold statements that other sessions have prepared under such names. */
    @Test
    void whatFollowsAFlushOnTheMasterCannotNameWhatMultimedHasPrepared() throws IOException {
        session.rows("BEGIN READ WRITE");
        session.send(parse("s", "SELECT 7"), bind("", "s"), execute("", 0), sync());
        assertEquals("12DCZ", types(session.ready()));
        String name = session.value("SELECT name FROM pg_prepared_statement()");
        session.send(parse("", "EXECUTE " + name), flush());
        assertEquals('1', session.client().read().type());
        session.send(bind("", ""), execute("", 0), sync());
        List<Message> answer = session.ready();
        assertEquals("EZ", types(answer));
        assertEquals("26000", answer.getFirst().sqlState());
        session.rows("ROLLBACK");
    }

    /** libpq sends Flush without waiting for the answers, by PQsendFlushRequest. */
    @Test
    void whatIsSentBehindAFlushOnASatelliteMayNeedTheMaster() throws IOException {
        session.rows("BEGIN READ ONLY");
        session.rows("SELECT 1");
        session.send(
                parse("", "SELECT 2"),
                bind("", ""),
                execute("", 0),
                flush(),
                parse("", "SHOW transaction_read_only"),
                bind("", ""),
                execute("", 0),
                sync());
        assertEquals("12DC12DCZ", types(session.ready()));
        session.rows("COMMIT");
    }

    @Test
    void whatFollowsAQueryInsteadOfASyncIsLookedAt() throws IOException {
        session.rows("BEGIN READ ONLY");
        session.rows("SELECT 1");
        session.send(parse("", "SELECT 2"), bind("", ""), execute("", 0), query("SELECT 3"));
        assertEquals("12DCTDCZ", types(session.ready()));
        multimed.log.commit(200, 200);
        multimed.log.received(200);
        session.send(parse("", "SELECT 4"), bind("", ""), execute("", 0), sync());
        assertEquals("12DCZ", types(session.ready()));
        String route = session.value("SHOW multimed.route");
        assertTrue(route.startsWith("master: satellites behind for too long"), route);
        session.rows("COMMIT");
    }

    @Test
    void whatNoSyncHasFollowedIsLostWithTheMaster() throws IOException {
        session.rows("CREATE TABLE t (i int)");
        session.send(parse("", "INSERT INTO t VALUES (1)"), bind("", ""), execute("", 0), flush());
        assertEquals("12C", types(session.client().readUntil("C")));
        multimed.endpoint.nodeGone(multimed.master);
        assertEquals("57P02", session.client().read().sqlState());
    }

    @Test
    void whatFollowsAnErrorIsIgnoredUpToSyncThoughTheSatelliteIsGone() throws Exception {
        session.rows("SELECT 1");
        session.rows("BEGIN READ ONLY");
        session.rows("SELECT 1");
        session.send(parse("", "SELECT 1/0"), bind("", ""), execute("", 0), flush());
        assertEquals("22012", session.client().readUntil("E").getLast().sqlState());
        multimed.loseTheSatellite();
        session.send(parse("", "SELECT 2"), bind("", ""), execute("", 0), close('S', "s"), sync());
        List<Message> ready = session.ready();
        assertEquals("Z", types(ready));
        assertEquals('E', ready.getFirst().body()[0]);
        assertEquals("25P02", session.query("SELECT 3").getFirst().sqlState());
        session.rows("ROLLBACK");
        assertEquals("4", session.value("SELECT 4"));
    }

    /** Asserts exactly one error, nothing more for messages sent before the Sync, and one ReadyForQuery for the Sync. */
    private void assertRefused(String sqlState, char status) throws IOException {
        Message error = session.client().read();
        assertEquals('E', error.type(), error::toString);
        assertEquals(sqlState, error.sqlState());
        assertNull(session.client().poll(A_MOMENT));
        session.send(parse("ignored", "SELECT 1"), flush(), query("SELECT 1"), bind("", "ignored"), flush());
        assertNull(session.client().poll(A_MOMENT));
        session.send(sync());
        List<Message> ready = session.ready();
        assertEquals("Z", types(ready));
        assertEquals(status, ready.getFirst().body()[0]);
        assertNull(session.client().poll(A_MOMENT));
    }

    private void masterIsBehind() {
        multimed.log.commit(200, 200);
        multimed.log.received(200);
        multimed.satellite.applied(200);
        multimed.visibility.shown(200);
    }

    @Test
    void commitsNothingYetThoughAQueryBehindNamesAPreparedStatement() throws Exception {
        prepareAndInsert("SELECT 1/0");
        assertEquals("EZ", types(session.query("EXECUTE s")));
        assertEquals("0", session.value("SELECT count(*) FROM t"));
    }

    @Test
    void commitsNothingYetThoughMessagesBehindNameAPreparedStatement() throws Exception {
        prepareAndInsert("SELECT 1/0");
        session.send(parse("", "EXECUTE s"), bind("", ""), execute("", 0), sync());
        assertEquals("12EZ", types(session.ready()));
        assertEquals("0", session.value("SELECT count(*) FROM t"));
    }

    @Test
    void isOverWithAQueryBehindThatNamesAPreparedStatementWhoseTableIsGone() throws Exception {
        session.rows("CREATE TABLE passing (i int)");
        prepareAndInsert("SELECT * FROM passing");
        try (WireSession other = multimed.open()) {
            other.rows("DROP TABLE passing");
        }
        assertEquals("EZ", types(session.query("EXECUTE s")));
        assertEquals("0", session.value("SELECT count(*) FROM t"));
        session.send(parse("s2", "SELECT 1"), bind("", "s2"), execute("", 0), sync());
        assertEquals("12DCZ", types(session.ready()));
    }

    @Test
    void endsWithAQueryThatNamesAPreparedStatement() throws Exception {
        prepareAndInsert("SELECT 7");
        assertEquals("TDCZ", types(session.query("EXECUTE s")));
        assertEquals("1", session.value("SELECT count(*) FROM t"));
        assertEquals("TDCZ", types(session.query("EXECUTE s")));
    }

    /** Prepares the statement as s, and inserts without a Sync. */
    private void prepareAndInsert(String sql) throws IOException {
        session.rows("CREATE TABLE t (i int)");
        session.send(parse("s", sql), sync());
        session.ready();
        session.send(parse("", "INSERT INTO t VALUES (1)"), bind("", ""), execute("", 0), flush());
        session.client().readUntil("C");
    }
}
