package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.wire.Frontend;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a read goes where, with the positions set by hand. */
@Timeout(60)
class FreshnessAtTheEndpointTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration A_MOMENT = Duration.ofMillis(300);

    private EndpointOnOneEngine multimed;

    @BeforeEach
    void start() throws Exception {
        multimed = new EndpointOnOneEngine();
    }

    @AfterEach
    void stop() throws Exception {
        multimed.close();
    }

    @Test
    void readWaitsForTheSatelliteThatIsBehindAndThenRunsThere() throws Exception {
        try (Connection connection = multimed.connect();
                ExecutorService reader = Executors.newSingleThreadExecutor()) {
            assertEquals("1", ask(connection, "SELECT 1"));
            commitAt(200);
            Future<String> answer = reader.submit(() -> ask(connection, "SELECT 2"));
            multimed.satellite.applied(200);
            multimed.gate.progressed();
            assertEquals("2", answer.get());
            assertEquals("satellite-1: read on a fresh satellite", ask(connection, "SHOW multimed.route"));
        }
    }

    @Test
    void masterAnswersWhenNoSatelliteBecomesFreshInTime() throws SQLException {
        try (Connection connection = multimed.connect()) {
            ask(connection, "SELECT 1");
            commitAt(200);
            assertEquals("2", ask(connection, "SELECT 2"));
            assertTrue(ask(connection, "SHOW multimed.route").startsWith("master: satellites behind for too long"));
        }
    }

    @Test
    void sessionFreshnessDoesNotWaitForCommitsOfOthers() throws SQLException {
        try (Connection connection = multimed.connect()) {
            execute(connection, "SET multimed.freshness = 'session'");
            // What this session has seen on the Master so far, and no more, is required of a Satellite.
            assertEquals("1", ask(connection, "SELECT 1"));
            commitAt(200);
            assertEquals("2", ask(connection, "SELECT 2"));
            assertEquals("satellite-1: read on a fresh satellite", ask(connection, "SHOW multimed.route"));
        }
    }

    @Test
    void nothingIsReadOnSatellitesWhileTheRelayIsAway() throws SQLException {
        try (Connection connection = multimed.connect()) {
            multimed.log.disconnected();
            assertEquals("1", ask(connection, "SELECT 1"));
            assertTrue(ask(connection, "SHOW multimed.route").startsWith("master: relay not connected"));
        }
    }

    @Test
    void readsGoToTheMasterWithoutAServingSatellite() throws SQLException {
        try (Connection connection = multimed.connect()) {
            multimed.satellite.serving(false);
            assertEquals("1", ask(connection, "SELECT 1"));
            assertTrue(ask(connection, "SHOW multimed.route").startsWith("master: no satellite serving"));
        }
    }

    @Test
    void idleClientsDoNotNoticeThatASatelliteIsGone() throws SQLException {
        try (Connection connection = multimed.connect()) {
            assertEquals("1", ask(connection, "SELECT 1"));
            multimed.satellite.serving(false);
            multimed.endpoint.nodeGone(multimed.satellite);
            assertEquals("2", ask(connection, "SELECT 2"));
        }
    }

    @Test
    void readInFlightOnASatelliteThatGoesIsAnsweredByTheMasterUnseen() throws Exception {
        try (Connection connection = multimed.connect();
                ExecutorService reader = Executors.newSingleThreadExecutor()) {
            Future<String> answer = reader.submit(() -> ask(connection, "SELECT 3 FROM pg_sleep(1)"));
            EndpointTest.await(() -> multimed.satellite.active() > 0);
            multimed.satellite.serving(false);
            while (!answer.isDone() && multimed.satellite.active() > 0) {
                multimed.endpoint.nodeGone(multimed.satellite);
                Thread.onSpinWait();
            }
            assertEquals("3", answer.get());
            assertFalse(ask(connection, "SHOW multimed.route").startsWith("satellite"));
        }
    }

    @Test
    void transactionSentBehindAnotherUnitWaitsUntilTheMasterShowsWhatSatellitesHaveShown() throws Exception {
        try (WireSession session = WireSession.open(multimed.address(), "postgres", "postgres", PATIENCE)) {
            commitAt(200);
            session.send(Frontend.query("DO 'BEGIN PERFORM pg_sleep(0.5); END'"));
            EndpointTest.await(() -> multimed.master.active() > 0);
            multimed.visibility.shown(200);
            session.send(Frontend.query("BEGIN; SELECT 1"));
            session.ready();
            assertNull(session.client().poll(A_MOMENT));
            multimed.visibility.observed(transaction -> true);
            assertEquals('Z', session.ready().getLast().type());
        }
    }

    @Test
    void blockIsOpenStillForItsClientWhenItsSatelliteIsGone() throws Exception {
        try (WireSession session = open()) {
            session.rows("SELECT 1");
            session.rows("BEGIN READ ONLY");
            session.rows("SELECT 1");
            loseTheSatellite();
            session.send(Frontend.close('S', "s"), Frontend.sync());
            assertEquals('T', session.ready().getLast().body()[0]);
            assertEquals("on", session.value("SHOW transaction_read_only"));
            session.rows("COMMIT");
        }
    }

    @Test
    void nobodyIsWaitedForAnyMoreWhenTheSatelliteThatWasWaitedForIsGone() throws Exception {
        multimed.close();
        multimed = new EndpointOnOneEngine(
                options -> options.withTimeouts(options.timeouts().withFreshness(PATIENCE)));
        try (WireSession session = open()) {
            session.rows("SELECT 1");
            session.rows("BEGIN READ ONLY");
            session.rows("SELECT 1");
            commitAt(200);
            session.send(Frontend.query("SELECT 2"));
            EndpointTest.await(multimed.gate::readersWait);
            loseTheSatellite();
            assertEquals('Z', session.ready().getLast().type());
            assertFalse(multimed.gate.readersWait());
        }
    }

    private void loseTheSatellite() throws Exception {
        multimed.satellite.serving(false);
        EndpointTest.await(() -> {
            multimed.endpoint.nodeGone(multimed.satellite);
            return multimed.satellite.active() == 0;
        });
    }

    private WireSession open() throws IOException {
        return WireSession.open(multimed.address(), "postgres", "postgres", PATIENCE);
    }

    private void commitAt(long scn) {
        multimed.log.commit(scn, scn);
        multimed.log.received(scn);
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String ask(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            assertTrue(rows.next());
            return rows.getString(1);
        }
    }
}
