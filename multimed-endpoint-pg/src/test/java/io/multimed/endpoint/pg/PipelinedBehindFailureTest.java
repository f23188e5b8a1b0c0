package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireSession;
import java.io.ByteArrayOutputStream;
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

/** Statements sent together with the end of a block that has failed on a Satellite are placed as if the end had been awaited. */
@Timeout(60)
@Tag("slow")
class PipelinedBehindFailureTest {
    private static final Duration A_MOMENT = Duration.ofMillis(300);

    @RegisterExtension
    private final EndpointOnOneEngine multimed = new EndpointOnOneEngine();

    private WireSession session;

    @BeforeEach
    void open() throws IOException {
        session = multimed.open();
        session.rows("CREATE TABLE written (i int)");
        session.rows("SELECT 1");
    }

    @AfterEach
    void close() throws IOException {
        session.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ROLLBACK", "COMMIT", "ROLLBACK AND CHAIN"})
    void aReadSeesWhatWasCommittedMeanwhile(String end) throws IOException {
        failOnTheSatellite("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
        commit();
        session.send(
                FrontendBytes.query(end), FrontendBytes.query("SELECT 2"), FrontendBytes.query("SHOW multimed.route"));
        assertEquals('C', session.ready().getFirst().type());
        assertEquals('T', session.ready().getFirst().type());
        String route = route();
        assertTrue(route.startsWith("master: "), route);
    }

    @Test
    void aReadInMessagesOfItsOwnToo() throws IOException {
        failOnTheSatellite("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
        commit();
        session.send(messages("ROLLBACK"), messages("SELECT 2"), FrontendBytes.query("SHOW multimed.route"));
        assertEquals("12CZ", Message.types(session.ready()));
        assertEquals("12DCZ", Message.types(session.ready()));
        assertTrue(route().startsWith("master: satellites behind for too long"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ROLLBACK", "COMMIT"})
    void aWriteRunsOnTheMaster(String end) throws IOException {
        failOnTheSatellite("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
        session.send(
                FrontendBytes.query(end),
                FrontendBytes.query("INSERT INTO written VALUES (1)"),
                FrontendBytes.query("SHOW multimed.route"));
        session.ready();
        assertEquals('C', session.ready().getFirst().type());
        assertTrue(route().startsWith("master: "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"SELECT 2", "INSERT INTO written VALUES (1)"})
    void whatComesInOneStringWithTheEndToo(String next) throws IOException {
        failOnTheSatellite("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
        commit();
        session.rows("ROLLBACK; " + next);
        assertTrue(session.value("SHOW multimed.route").startsWith("master: "));
    }

    @Test
    void whatComesBehindASavepointWaitsForTheSatelliteToBeFresh() throws IOException {
        failBehindASavepoint("BEGIN READ ONLY");
        commit();
        session.send(FrontendBytes.query("ROLLBACK TO s"), FrontendBytes.query("SELECT 2"));
        assertEquals('C', session.ready().getFirst().type());
        assertNull(session.client().poll(A_MOMENT));
        multimed.satellite.applied(200);
        multimed.gate.progressed();
        assertEquals('T', session.ready().getFirst().type());
        session.rows("COMMIT");
    }

    @Test
    void whatIsRefusedBeforeTheEndIsAnsweredBeforeTheSatelliteIsLeft() throws IOException {
        failOnTheSatellite("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
        session.send(
                FrontendBytes.query("SELECT 2"),
                FrontendBytes.query("ROLLBACK; INSERT INTO written VALUES (1)"),
                FrontendBytes.query("SHOW multimed.route"));
        assertEquals("25P02", session.ready().getFirst().sqlState());
        assertEquals("CCZ", Message.types(session.ready()));
        assertTrue(route().startsWith("master: "));
    }

    @Test
    void backToASavepointNeedsNoSnapshot() throws IOException {
        failBehindASavepoint("BEGIN READ ONLY");
        commit();
        session.rows("ROLLBACK TO s; RELEASE s");
        session.rows("COMMIT");
    }

    @Test
    void whatIsReadBehindASavepointOfOneSnapshotSeesThatOne() throws IOException {
        failBehindASavepoint("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
        commit();
        session.rows("ROLLBACK TO s; SELECT 2");
        session.rows("COMMIT");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ROLLBACK", "COMMIT"})
    void whatIsChainedMayWriteUnlessTheSessionMayNot(String end) throws IOException {
        failOnTheSatellite("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
        session.rows(end + " AND CHAIN; INSERT INTO written VALUES (1)");
        session.rows("COMMIT");
        assertTrue(session.value("SHOW multimed.route").startsWith("master: "));
        assertEquals("1", session.value("SELECT count(*) FROM written"));
    }

    @Test
    void whatIsChainedToABlockOfWhichNoEngineKnowsMayWriteToo() throws IOException {
        session.rows("BEGIN READ ONLY");
        assertEquals("22012", session.query("SELECT 1/0").getFirst().sqlState());
        session.rows("ROLLBACK AND CHAIN; INSERT INTO written VALUES (1)");
        session.rows("COMMIT");
        assertEquals("1", session.value("SELECT count(*) FROM written"));
    }

    @Test
    void aBlockOfUnknownCharacteristicsIsNotBegunElsewhere() throws IOException {
        session.rows("BEGIN READ ONLY");
        session.rows("COMMIT AND CHAIN");
        session.rows("SELECT now()");
        assertEquals("22012", session.query("SELECT 1/0; COMMIT").getFirst().sqlState());
        session.rows("ROLLBACK AND CHAIN");
        // PostgreSQL would report 25006.
        assertEquals(
                "0A000",
                session.query("INSERT INTO written VALUES (1)").getFirst().sqlState());
        session.rows("ROLLBACK");
    }

    @Test
    void whatIsChainedIsKnownWhenTheFailureIs() throws IOException {
        session.rows("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
        session.rows("SELECT 1");
        session.send(
                FrontendBytes.query("SELECT 1/0"),
                FrontendBytes.query("ROLLBACK AND CHAIN"),
                FrontendBytes.query("INSERT INTO written VALUES (1)"),
                FrontendBytes.query("COMMIT"),
                FrontendBytes.query("SHOW multimed.route"));
        assertEquals("22012", session.ready().getFirst().sqlState());
        assertEquals("CZ", Message.types(session.ready()));
        assertEquals("CZ", Message.types(session.ready()));
        assertEquals("CZ", Message.types(session.ready()));
        // A real Satellite would refuse it; this one, which is the same engine, does not.
        assertTrue(route().startsWith("master: "));
        assertEquals("1", session.value("SELECT count(*) FROM written"));
    }

    @Test
    void theRouteIsToldAsWell() throws IOException {
        failOnTheSatellite("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
        session.send(FrontendBytes.query("ROLLBACK"), FrontendBytes.query("SHOW multimed.route"));
        session.ready();
        assertTrue(route().startsWith("satellite-1"));
    }

    private void failOnTheSatellite(String begin) throws IOException {
        session.rows(begin);
        session.rows("SELECT 1");
        assertEquals(1, multimed.satellite.active());
        assertEquals("22012", session.query("SELECT 1/0").getFirst().sqlState());
    }

    private void failBehindASavepoint(String begin) throws IOException {
        session.rows(begin);
        session.rows("SAVEPOINT s");
        session.rows("SELECT now()");
        assertEquals("22012", session.query("SELECT 1/0").getFirst().sqlState());
    }

    /** Commits on the Master, which the Satellite does not receive. */
    private void commit() {
        multimed.log.commit(200, 200);
        multimed.log.received(200);
    }

    private String route() throws IOException {
        List<Message> answer = session.ready();
        assertEquals("TDCZ", Message.types(answer), answer::toString);
        byte[] row = answer.get(1).body();
        return new String(row, 6, row.length - 6, java.nio.charset.StandardCharsets.UTF_8);
    }

    private static byte[] messages(String sql) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(FrontendBytes.parse("", sql));
        all.writeBytes(FrontendBytes.bind("", ""));
        all.writeBytes(FrontendBytes.execute("", 0));
        all.writeBytes(FrontendBytes.sync());
        return all.toByteArray();
    }
}
