package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.sql.DatabaseCatalog;
import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A BEGIN by itself is answered without an engine, which receives it together with the block's first statement. */
@Timeout(60)
@Tag("slow")
class DeferredBeginTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

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
    void holdsNoConnectionUntilTheFirstStatement() throws Exception {
        assertEquals("BEGIN, T", begin("BEGIN"));
        assertEquals(0, multimed.master.active());
        session.rows("CREATE TABLE t (i int)");
        assertEquals(1, multimed.master.active());
        session.rows("ROLLBACK");
        assertEquals("f", session.value("SELECT to_regclass('t') IS NOT NULL"));
    }

    @Test
    void isAnsweredInTheWordsOfItsStatement() throws Exception {
        assertEquals(
                "START TRANSACTION, T", begin("start transaction isolation level serializable, read only, deferrable"));
        assertEquals("serializable", session.value("SHOW transaction_isolation"));
        assertEquals("on", session.value("SHOW transaction_read_only"));
        assertEquals("on", session.value("SHOW transaction_deferrable"));
    }

    @Test
    void leavesToTheEngineWhatTheSessionHasForItsDefault() throws Exception {
        session.rows("SET default_transaction_isolation = 'repeatable read'");
        session.rows("SET default_transaction_read_only = on");
        begin("BEGIN");
        assertEquals("repeatable read", session.value("SHOW transaction_isolation"));
        assertEquals("on", session.value("SHOW transaction_read_only"));
        session.rows("COMMIT");
    }

    @Test
    void readOnlyBlockIsPlacedByItsFirstStatement() throws Exception {
        session.rows("SELECT 1");
        begin("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
        session.rows("SELECT 1");
        assertEquals(1, multimed.satellite.active());
        session.rows("COMMIT");
        begin("BEGIN READ ONLY");
        session.rows("SELECT pg_is_in_recovery() FROM pg_stat_activity");
        assertEquals(1, multimed.master.active());
    }

    @Test
    void emptyBlockEndsAsInPostgresql() throws Exception {
        begin("BEGIN");
        session.rows("COMMIT");
        begin("BEGIN");
        session.rows("ROLLBACK");
        assertEquals("1", session.value("SELECT 1"));
    }

    @Test
    void blockThatFailsWithItsFirstStatementHasFailed() throws Exception {
        begin("BEGIN");
        session.send(FrontendBytes.query("SELECT 1/0"));
        assertEquals('E', session.ready().getLast().body()[0]);
        session.send(FrontendBytes.query("SELECT 1"));
        assertTrue(session.ready().stream().anyMatch(message -> "25P02".equals(message.sqlState())));
        session.rows("ROLLBACK");
    }

    @Test
    void blockWhoseFirstStatementWasCancelledWhileItWaitedHasFailed() throws Exception {
        begin("BEGIN READ WRITE");
        masterIsBehind();
        session.send(FrontendBytes.query("CREATE TABLE never (i int)"));
        assertNull(session.client().poll(Duration.ofMillis(300)));
        session.cancel();
        List<Message> answer = session.ready();
        assertEquals("57014", answer.getFirst().sqlState());
        assertEquals('E', answer.getLast().body()[0]);
        multimed.visibility.observed(transaction -> true);
        session.send(FrontendBytes.query("SELECT currval('none')"));
        assertTrue(session.ready().stream().anyMatch(message -> "25P02".equals(message.sqlState())));
        session.send(FrontendBytes.query("COMMIT AND CHAIN"));
        assertTrue(session.ready().getFirst().toString().contains("ROLLBACK"));
        session.rows("ROLLBACK");
        assertEquals("1", session.value("SELECT 1"));
    }

    /** A client that has given up waiting for an engine need not wait for one to roll the transaction back. */
    @Test
    void blockOfWhichNoEngineKnowsIsRolledBackWithoutAny() throws Exception {
        masterIsBehind();
        begin("BEGIN");
        assertEquals("ROLLBACK, I", begin("ROLLBACK"));
        begin("BEGIN");
        assertEquals("COMMIT, I", begin("END"));
        begin("BEGIN");
        session.send(FrontendBytes.query("CREATE TABLE never (i int)"));
        assertNull(session.client().poll(Duration.ofMillis(300)));
        session.cancel();
        assertEquals('E', session.ready().getLast().body()[0]);
        assertEquals("ROLLBACK, I", begin("COMMIT"));
        multimed.visibility.observed(transaction -> true);
        assertEquals("f", session.value("SELECT to_regclass('never') IS NOT NULL"));
        assertEquals(0, multimed.master.active());
    }

    /** A Satellite refuses such a BEGIN. */
    @Test
    void blockThatMayWriteEndsOnTheMasterWhateverWasSaidInIt() throws Exception {
        begin("BEGIN READ WRITE");
        session.send(
                FrontendBytes.parse("", "COMMIT"),
                FrontendBytes.bind("", ""),
                FrontendBytes.execute("", 0),
                FrontendBytes.sync());
        assertEquals("12CZ", types());
        assertEquals(0, multimed.satellite.served() + multimed.satellite.active());
    }

    /** The Master executes any statement. */
    @Test
    void statementOfABlockThatIsDeclaredReadWriteDoesNotWaitForTheCatalog() throws Exception {
        multimed.restartEndpoint(
                options -> options.withTimeouts(options.timeouts().withFreshness(PATIENCE)));
        session = multimed.open();
        session.rows("BEGIN READ WRITE");
        multimed.catalog = DatabaseCatalog.UNKNOWN;
        session.send(FrontendBytes.query("SELECT count(*) > 0 FROM pg_class"));
        assertNotNull(session.client().poll(Duration.ofSeconds(20)));
        session.ready();
        session.rows("COMMIT");
    }

    @Test
    void secondBeginIsWarnedOf() throws Exception {
        begin("BEGIN");
        session.send(FrontendBytes.query("BEGIN"));
        assertEquals("NCZ", types());
        session.rows("ROLLBACK");
    }

    @Test
    void extendedQueryGoesOnBehindIt() throws Exception {
        begin("BEGIN");
        session.send(
                FrontendBytes.parse("", "SELECT 7"),
                FrontendBytes.bind("", ""),
                FrontendBytes.execute("", 0),
                FrontendBytes.sync());
        assertEquals("12DCZ", types());
        session.send(FrontendBytes.query("COMMIT"));
        assertEquals('I', session.ready().getLast().body()[0]);
    }

    @Test
    void beginsOfOnePacketAreAnsweredInTheirOrder() throws Exception {
        session.send(
                FrontendBytes.query("SELECT 1"),
                FrontendBytes.query("BEGIN"),
                FrontendBytes.query("SELECT 2"),
                FrontendBytes.query("END"));
        StringBuilder status = new StringBuilder();
        for (int i = 0; i < 4; i++) {
            status.append((char) session.ready().getLast().body()[0]);
        }
        assertEquals("ITTI", status.toString());
    }

    @Test
    void clientsThatBeginAndThinkAreAsManyAsTheyLike() throws Exception {
        WireSession[] others = new WireSession[100];
        for (int i = 0; i < others.length; i++) {
            others[i] = multimed.open();
            others[i].rows("BEGIN");
        }
        assertEquals("1", session.value("SELECT 1 FROM pg_stat_activity LIMIT 1"));
        for (WireSession other : others) {
            other.close();
        }
    }

    private void masterIsBehind() {
        multimed.log.commit(200, 200);
        multimed.log.received(200);
        multimed.satellite.applied(200);
        multimed.visibility.shown(200);
    }

    /** Sends SQL and returns the command tag and the status. */
    private String begin(String sql) throws IOException {
        session.send(FrontendBytes.query(sql));
        List<Message> answer = session.ready();
        assertEquals(2, answer.size());
        byte[] tag = answer.getFirst().body();
        return new String(tag, 0, tag.length - 1, StandardCharsets.UTF_8) + ", "
                + (char) answer.getLast().body()[0];
    }

    private String types() throws IOException {
        StringBuilder types = new StringBuilder();
        session.ready().forEach(message -> types.append(message.type()));
        return types.toString();
    }
}
