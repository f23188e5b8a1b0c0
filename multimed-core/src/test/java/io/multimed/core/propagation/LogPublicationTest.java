package io.multimed.core.propagation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogPublicationTest {
    private final MasterLog log = new MasterLog(new MasterVisibility());
    private final FreshnessGate gate = new FreshnessGate(() -> {});
    private final List<String> steps = new ArrayList<>();
    private boolean broken;

    private final LogPublication publication = new LogPublication(log, gate, new LogPublication.Output() {
        @Override
        public void announceCatalogChanges() {
            steps.add("catalogs, floor " + log.floor());
        }

        @Override
        public void confirm(long position) throws IOException {
            if (broken) {
                throw new IOException("connection lost");
            }
            steps.add("confirm " + position + ", floor " + log.floor());
        }

        @Override
        public void forward(long position) {
            steps.add("forward " + position);
        }
    });

    @Test
    void floorIsKnownBeforeTheMasterHearsOfItAndSatellitesComeLast() throws IOException {
        log.connected(5);
        log.commit(10, 1);
        publication.publish(10, 9);

        assertEquals(List.of("catalogs, floor -1", "confirm 10, floor 10", "forward 9"), steps);
    }

    @Test
    void nothingIsForwardedThatIsNotConfirmed() {
        log.connected(5);
        broken = true;
        assertThrows(IOException.class, () -> publication.publish(10, 10));
        assertEquals(List.of("catalogs, floor -1"), steps);
    }

    @Test
    void readersAreWokenByTheFirstFloorAlone() throws IOException {
        int[] woken = new int[1];
        gate.register(Runnable::run, () -> woken[0]++).waiting(1);
        log.connected(20);
        publication.publish(10, 10);
        assertEquals(0, woken[0]);
        publication.publish(20, 20);
        assertEquals(1, woken[0]);
        publication.publish(30, 30);
        assertEquals(1, woken[0], "those that wait for the SCN are woken by the Satellite's progress");
    }
}
