package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.WireSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Sessions that wait until the Master shows something are served by a snapshot that their loop itself has taken. */
@Tag("slow")
class MasterSnapshotsTest {
    private static final Duration A_MOMENT = Duration.ofMillis(200);
    private static final String OWN = "SELECT pid FROM pg_stat_activity WHERE query LIKE '%pg_current_snapshot%'"
            + " AND application_name = 'multimed'";

    @RegisterExtension
    final EndpointOnOneEngine multimed = new EndpointOnOneEngine();

    private final Queue<Runnable> askedOtherwise = new ConcurrentLinkedQueue<>();
    private final Queue<String> taken = new ConcurrentLinkedQueue<>();
    private long scn = 200;

    @BeforeEach
    void aMasterThatCanBeAsked() {
        multimed.snapshotQuery = "SELECT pg_catalog.pg_current_snapshot()::pg_catalog.text";
        multimed.probe = askedOtherwise::add;
        multimed.taken = snapshot -> {
            taken.add(snapshot);
            multimed.visibility.observed(transaction -> true);
        };
    }

    @Test
    void isServedOnTheLoopsOwnConnectionOnceThereIsOne() throws Exception {
        try (WireSession session = multimed.open()) {
            openTheConnection(session);
            for (int i = 0; i < 3; i++) {
                masterIsBehind();
                session.send(FrontendBytes.query("DO 'BEGIN END'"));
                assertEquals('C', session.ready().getFirst().type());
            }
            assertEquals(3, taken.size());
            assertTrue(taken.stream().allMatch(snapshot -> snapshot.matches("\\d+:\\d+:[\\d,]*")), taken::toString);
            assertEquals(0, askedOtherwise.size());
        }
    }

    /** The first two sessions that wait have a snapshot each; sessions that begin to wait meanwhile share the next one. */
    @Test
    void oneSnapshotServesAllWhoAskWhileTwoAreUnderWay() throws Exception {
        try (WireSession session = multimed.open()) {
            openTheConnection(session);
            long process = own();
            signal(process, "STOP");
            masterIsBehind();
            List<WireSession> askers = new ArrayList<>();
            try {
                for (int i = 0; i < 6; i++) {
                    WireSession asker = multimed.open();
                    askers.add(asker);
                    asker.send(FrontendBytes.query("DO 'BEGIN END'"));
                    // By then it has requested a snapshot, in a round of its own.
                    assertNull(asker.client().poll(A_MOMENT));
                }
                signal(process, "CONT");
                for (WireSession asker : askers) {
                    assertEquals('C', asker.ready().getFirst().type());
                }
            } finally {
                for (WireSession asker : askers) {
                    asker.close();
                }
            }
            // There are fewer if a session is so late that the commits it needs have been shown.
            assertTrue(taken.size() <= 3, taken::toString);
        }
    }

    @Test
    void isServedOtherwiseWhenTheConnectionIsLost() throws Exception {
        try (WireSession session = multimed.open()) {
            long process = stoppedWhileAsked(session);
            assertNull(session.client().poll(A_MOMENT));
            signal(process, "TERM");
            signal(process, "CONT");
            await("asked otherwise", () -> !askedOtherwise.isEmpty() || !taken.isEmpty());
            multimed.visibility.observed(transaction -> true);
            askedOtherwise.forEach(Runnable::run);
            assertEquals('C', session.ready().getFirst().type());
        }
    }

    @Test
    void isServedOtherwiseWhenTheEngineStaysSilent() throws Exception {
        try (WireSession session = multimed.open()) {
            long process = stoppedWhileAsked(session);
            await("asked otherwise", () -> !askedOtherwise.isEmpty());
            signal(process, "CONT");
            multimed.visibility.observed(transaction -> true);
            askedOtherwise.forEach(Runnable::run);
            assertEquals('C', session.ready().getFirst().type());
        }
    }

    @Test
    void isServedOtherwiseWhenTheEngineRefuses() throws Exception {
        multimed.snapshotQuery = "SELECT 1/0";
        multimed.probe = done -> {
            askedOtherwise.add(done);
            multimed.visibility.observed(transaction -> true);
            done.run();
        };
        try (WireSession session = multimed.open()) {
            long until = System.nanoTime() + Duration.ofSeconds(1).toNanos();
            int served = 0;
            for (; System.nanoTime() - until < 0; served++) {
                masterIsBehind();
                session.send(FrontendBytes.query("DO 'BEGIN END'"));
                assertEquals('C', session.ready().getFirst().type());
            }
            assertEquals(served, askedOtherwise.size());
        }
    }

    /** Opens the loop's connection; the first request is served in another way. */
    private void openTheConnection(WireSession session) throws Exception {
        masterIsBehind();
        session.send(FrontendBytes.query("DO 'BEGIN END'"));
        await("asked otherwise", () -> !askedOtherwise.isEmpty());
        multimed.visibility.observed(transaction -> true);
        askedOtherwise.remove().run();
        assertEquals('C', session.ready().getFirst().type());
        await("the loop's connection", () -> {
            masterIsBehind();
            session.send(FrontendBytes.query("DO 'BEGIN END'"));
            await("an answer", () -> !taken.isEmpty() || !askedOtherwise.isEmpty());
            boolean there = !taken.isEmpty();
            multimed.visibility.observed(transaction -> true);
            askedOtherwise.forEach(Runnable::run);
            session.ready();
            return there;
        });
        askedOtherwise.clear();
        taken.clear();
    }

    /** @return number of the engine's process that was asked for the session and does not answer */
    private long stoppedWhileAsked(WireSession session) throws Exception {
        openTheConnection(session);
        long process = own();
        signal(process, "STOP");
        masterIsBehind();
        session.send(FrontendBytes.query("DO 'BEGIN END'"));
        return process;
    }

    private long own() throws Exception {
        try (WireSession engine = multimed.openEngine()) {
            return Long.parseLong(engine.value(OWN));
        }
    }

    private static void signal(long process, String name) throws Exception {
        assertEquals(
                0,
                new ProcessBuilder("kill", "-" + name, Long.toString(process))
                        .start()
                        .waitFor());
    }

    private static void await(String what, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.call()) {
            assertTrue(System.nanoTime() - deadline < 0, what);
            Thread.sleep(5);
        }
    }

    private void masterIsBehind() {
        scn++;
        multimed.log.commit(scn, scn);
        multimed.log.received(scn);
        multimed.satellite.applied(scn);
        multimed.visibility.shown(scn);
    }
}
