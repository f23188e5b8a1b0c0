package io.multimed.core.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.Nodes;
import io.multimed.core.propagation.FreshnessGate;
import io.multimed.core.propagation.MasterLog;
import io.multimed.model.NodeId;
import io.multimed.model.Role;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BlockingFreshnessTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    private final AtomicInteger requests = new AtomicInteger();
    private final FreshnessGate gate = new FreshnessGate(requests::incrementAndGet);
    private final ComputationalNode satellite = new ComputationalNode(NodeId.satellite(1), Role.SATELLITE);
    private final Nodes nodes = new Nodes(new ComputationalNode(NodeId.MASTER, Role.MASTER), List.of(satellite));
    private final BlockingFreshness freshness = new BlockingFreshness(gate, nodes);

    @Test
    void placesAtOnceWhatNeedsNoWaiting() throws InterruptedException {
        assertEquals(new Placement.OnMaster(Reason.NO_SATELLITE), freshness.place(100, LONG));
        assertEquals(new Placement.OnMaster(Reason.FLOOR_UNKNOWN), freshness.place(MasterLog.UNKNOWN, LONG));
        satellite.serving(true);
        satellite.applied(100);
        assertEquals(new Placement.OnSatellite(satellite), freshness.place(100, LONG));
        assertEquals(0, requests.get());
    }

    @Test
    void goesToTheMasterWhenPatienceRunsOut() throws InterruptedException {
        satellite.serving(true);

        assertEquals(new Placement.OnMaster(Reason.WAIT_EXPIRED), freshness.place(100, Duration.ofMillis(5)));
        assertEquals(1, requests.get());
    }

    @Test
    void isWokenWhenTheSatelliteHasAppliedEnough() {
        satellite.serving(true);
        CompletableFuture<Placement> placed = inBackground(100);
        awaitWaiter();
        satellite.applied(99);
        gate.progressed();
        satellite.applied(100);
        gate.progressed();

        assertEquals(new Placement.OnSatellite(satellite), placed.join());
    }

    @Test
    void isWokenWhenTheLastSatelliteLeaves() {
        satellite.serving(true);
        CompletableFuture<Placement> placed = inBackground(100);
        awaitWaiter();
        satellite.serving(false);
        gate.progressed();

        assertEquals(new Placement.OnMaster(Reason.NO_SATELLITE), placed.join());
    }

    @Test
    void neverMissesProgressHoweverItsThreadsMeet() {
        satellite.serving(true);
        int rounds = 20_000;
        CompletableFuture<Void> feed = CompletableFuture.runAsync(() -> {
            for (long scn = 1; scn <= rounds; scn++) {
                satellite.applied(scn);
                gate.progressed();
            }
        });
        List<CompletableFuture<Placement>> readers = List.of(inBackground(rounds), inBackground(rounds));
        for (long scn = 1; scn <= rounds; scn += 50) {
            assertEquals(new Placement.OnSatellite(satellite), inBackground(scn).join());
        }
        feed.join();
        readers.forEach(reader -> assertEquals(new Placement.OnSatellite(satellite), reader.join()));
        assertFalse(gate.readersWait());
    }

    @Test
    void waitingCanBeInterrupted() {
        satellite.serving(true);
        Thread.currentThread().interrupt();

        assertThrows(InterruptedException.class, () -> freshness.place(100, LONG));
        assertFalse(gate.readersWait());
    }

    private CompletableFuture<Placement> inBackground(long required) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return freshness.place(required, LONG);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                },
                task -> new Thread(task).start());
    }

    private void awaitWaiter() {
        while (!gate.readersWait()) {
            Thread.onSpinWait();
        }
    }
}
