package io.multimed.endpoint.pg;

import static io.multimed.endpoint.pg.EndpointOnOneEngine.ask;
import static io.multimed.endpoint.pg.EndpointOnOneEngine.execute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.WireSession;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Placement and waits of reads, with positions set by the test. */
@Timeout(60)
@Tag("slow")
class FreshnessAtTheEndpointTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration A_MOMENT = Duration.ofMillis(300);

    @RegisterExtension
    private final EndpointOnOneEngine multimed = new EndpointOnOneEngine();

    @Test
    void readWaitsForTheSatelliteThatIsBehindAndThenRunsThere() throws Exception {
        multimed.restartEndpoint(
                options -> options.withTimeouts(options.timeouts().withFreshness(PATIENCE)));
        try (Connection connection = multimed.connect();
                ExecutorService reader = Executors.newSingleThreadExecutor()) {
            assertEquals("1", ask(connection, "SELECT 1"));
            commitAt(200);
            Future<String> answer = reader.submit(() -> ask(connection, "SELECT 2"));
            EndpointTest.await(multimed.gate::readersWait);
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
    void nobodyWaitsAgainForASatelliteThatAReaderAwaitedInVainUntilItHasGotThere() throws Exception {
        multimed.restartEndpoint(
                options -> options.withTimeouts(options.timeouts().withFreshness(A_MOMENT)));
        try (WireSession session = multimed.open();
                WireSession other = multimed.open()) {
            session.rows("SELECT 1");
            other.rows("SELECT 1");
            commitAt(200);
            assertEquals("2", session.value("SELECT 2"));
            assertTrue(session.value("SHOW multimed.route").startsWith("master: satellites behind for too long"));

            assertEquals("2", other.value("SELECT 2"));
            assertTrue(other.value("SHOW multimed.route").startsWith("master: satellites overdue"));

            multimed.satellite.applied(200);
            assertEquals("2", other.value("SELECT 2"));
            assertTrue(other.value("SHOW multimed.route").startsWith("satellite-1"));
        }
    }

    @Test
    void sessionFreshnessDoesNotWaitForCommitsOfOthers() throws SQLException {
        try (Connection connection = multimed.connect()) {
            execute(connection, "SET multimed.freshness = 'session'");
            // A Satellite must have the commits that this session has seen on the Master so far, and no more.
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
        try (WireSession session = multimed.open()) {
            commitAt(200);
            session.send(FrontendBytes.query("DO 'BEGIN PERFORM pg_sleep(0.5); END'"));
            EndpointTest.await(() -> multimed.master.active() > 0);
            multimed.visibility.shown(200);
            session.send(FrontendBytes.query("BEGIN; SELECT 1"));
            session.ready();
            assertNull(session.client().poll(A_MOMENT));
            multimed.visibility.observed(transaction -> true);
            assertEquals('Z', session.ready().getLast().type());
        }
    }

    @Test
    void whoseSnapshotASatelliteEndsHearsOfAFailedTransaction() throws Exception {
        try (WireSession session = multimed.open();
                WireSession administrator = multimed.openEngine()) {
            session.rows("SELECT 1");
            session.rows("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
            session.rows("SELECT 1");
            administrator.rows(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle in transaction'");
            session.send(FrontendBytes.query("SELECT 2"));
            assertEquals("40001", session.client().read().sqlState());
            assertEquals('E', session.ready().getLast().body()[0]);
            session.rows("ROLLBACK");
            assertEquals("3", session.value("SELECT 3"));
        }
    }

    @Test
    void blockIsOpenStillForItsClientWhenItsSatelliteIsGone() throws Exception {
        try (WireSession session = multimed.open()) {
            session.rows("SELECT 1");
            session.rows("BEGIN READ ONLY");
            session.rows("SELECT now()");
            multimed.loseTheSatellite();
            session.send(FrontendBytes.close('S', "s"), FrontendBytes.sync());
            assertEquals('T', session.ready().getLast().body()[0]);
            assertEquals("on", session.value("SHOW transaction_read_only"));
            session.rows("COMMIT");
        }
    }

    @Test
    void blockHasFailedStillForItsClientWhenItsSatelliteIsGone() throws Exception {
        try (WireSession session = multimed.open()) {
            session.rows("SELECT 1");
            session.rows("BEGIN READ ONLY");
            session.rows("SELECT now()");
            session.send(FrontendBytes.query("SELECT 1/0"));
            assertEquals('E', session.ready().getLast().body()[0]);
            multimed.loseTheSatellite();
            session.send(FrontendBytes.query("SELECT 1"));
            assertEquals("25P02", session.client().read().sqlState());
            session.ready();
            session.send(FrontendBytes.query("COMMIT"));
            assertTrue(session.ready().getFirst().toString().contains("ROLLBACK"));
        }
    }

    @Test
    void noBlockIsOpenWhenItsEndWasCancelledAfterItsSatelliteWasGone() throws Exception {
        try (WireSession session = multimed.open()) {
            session.rows("SELECT 1");
            session.rows("BEGIN READ ONLY");
            session.rows("SELECT 1");
            session.send(FrontendBytes.query("SELECT 3 FROM pg_sleep(2); COMMIT"));
            assertNull(session.client().poll(A_MOMENT));
            commitAt(200);
            multimed.satellite.applied(200);
            multimed.visibility.shown(200);
            multimed.loseTheSatellite();
            assertNull(session.client().poll(A_MOMENT));
            session.cancel();
            assertEquals('I', session.ready().getLast().body()[0]);
            multimed.visibility.observed(transaction -> true);
            session.send(FrontendBytes.query("SELECT 1"));
            assertEquals('I', session.ready().getLast().body()[0]);
        }
    }

    @Test
    void nobodyIsWaitedForAnyMoreWhenTheSatelliteThatWasWaitedForIsGone() throws Exception {
        multimed.restartEndpoint(
                options -> options.withTimeouts(options.timeouts().withFreshness(PATIENCE)));
        try (WireSession session = multimed.open()) {
            session.rows("SELECT 1");
            session.rows("BEGIN READ ONLY");
            session.rows("SELECT now()");
            commitAt(200);
            session.send(FrontendBytes.query("SELECT 2"));
            EndpointTest.await(multimed.gate::readersWait);
            multimed.loseTheSatellite();
            assertEquals('Z', session.ready().getLast().type());
            assertFalse(multimed.gate.readersWait());
        }
    }

    @Test
    void whatTakesNoNewSnapshotNeedsNoFreshSatellite() throws Exception {
        try (WireSession session = multimed.open()) {
            session.rows("SELECT 1");
            session.rows("BEGIN READ ONLY");
            session.rows("DECLARE c CURSOR FOR SELECT generate_series(1, 3)");
            assertEquals("1", session.value("FETCH c"));
            commitAt(200);
            assertEquals("2", session.value("FETCH c"));
            session.rows("SAVEPOINT s");
            session.rows("CLOSE c");
            session.rows("COMMIT");
        }
    }

    /** Its block cannot begin anew on the Master. */
    @Test
    void whatReadsAnewBesideACursorWaitsForItsSatellite() throws Exception {
        try (WireSession session = multimed.open()) {
            session.rows("SELECT 1");
            session.rows("BEGIN READ ONLY");
            session.rows("DECLARE c CURSOR FOR SELECT generate_series(1, 3)");
            commitAt(200);
            session.send(FrontendBytes.query("SELECT 2"));
            assertNull(session.client().poll(A_MOMENT));
            multimed.satellite.applied(200);
            multimed.gate.progressed();
            assertEquals('T', session.ready().getFirst().type());
            assertEquals("1", session.value("FETCH c"));
            session.rows("COMMIT");
        }
    }

    /** The read was placed while the one before still ran, which showed a later SCN in the end. */
    @Test
    void readSentBehindAnotherSeesWhatThatOneHasSeen() throws Exception {
        multimed.restartEndpoint(
                options -> options.withTimeouts(options.timeouts().withFreshness(PATIENCE)));
        try (WireSession session = multimed.open()) {
            session.rows("SELECT 1");
            session.send(FrontendBytes.query("SELECT 1 FROM pg_sleep(1)"));
            EndpointTest.await(() -> multimed.satellite.active() > 0);
            commitAt(200);
            session.send(FrontendBytes.query("SELECT 2"));
            assertNull(session.client().poll(A_MOMENT));
            multimed.satellite.forwarded(300);
            commitAt(300);
            // This suffices for the SCN that the read required when it was first placed, as another Satellite may have.
            multimed.satellite.applied(250);
            session.ready();
            assertNull(session.client().poll(A_MOMENT));
            multimed.satellite.applied(300);
            multimed.gate.progressed();
            assertEquals('Z', session.ready().getLast().type());
            assertTrue(session.value("SHOW multimed.route").startsWith("satellite-1"));
        }
    }

    private void commitAt(long scn) {
        multimed.log.commit(scn, scn);
        multimed.log.received(scn);
    }
}
