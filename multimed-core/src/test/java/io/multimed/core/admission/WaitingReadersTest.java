package io.multimed.core.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.core.propagation.FreshnessGate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitingReadersTest {
    private final FreshnessGate gate = new FreshnessGate(() -> {});
    private final WaitingReaders readers = new WaitingReaders(gate, Runnable::run);
    private final List<String> gone = new ArrayList<>();

    private final class Reader implements WaitingReaders.Reader {
        private final String name;
        private boolean over;

        Reader(String name) {
            this.name = name;
        }

        @Override
        public boolean isOver() {
            return over;
        }

        @Override
        public void goOn() {
            gone.add(name);
        }
    }

    private final Reader one = new Reader("one");
    private final Reader two = new Reader("two");

    @Test
    void progressLetsThoseGoOnWhoseWaitIsOver() {
        assertFalse(readers.await(one));
        assertFalse(readers.await(two));
        one.over = true;
        gate.progressed();
        assertEquals(List.of("one"), gone);

        two.over = true;
        gate.progressed();
        gate.progressed();
        assertEquals(List.of("one", "two"), gone);
        assertFalse(gate.readersWait());
    }

    @Test
    void readerWhoseWaitIsOverWhenItBeginsDoesNotWait() {
        one.over = true;
        assertTrue(readers.await(one));
        assertFalse(gate.readersWait());
        gate.progressed();
        assertEquals(List.of(), gone);
    }

    @Test
    void readerIsAnnouncedBeforeItIsLookedAt() {
        boolean[] announced = new boolean[1];
        readers.await(new WaitingReaders.Reader() {
            @Override
            public boolean isOver() {
                announced[0] = gate.readersWait();
                return false;
            }

            @Override
            public void goOn() {}
        });
        assertTrue(announced[0]);
    }

    @Test
    void readerThatHasLeftIsLeftAlone() {
        readers.await(one);
        readers.leave(one);
        one.over = true;
        gate.progressed();
        readers.lookAt(one);
        assertEquals(List.of(), gone);
        assertFalse(gate.readersWait());
    }

    @Test
    void readerThatHasWaitedLongEnoughGoesOnByItself() {
        readers.await(one);
        readers.lookAt(one);
        assertEquals(List.of(), gone);
        one.over = true;
        readers.lookAt(one);
        assertEquals(List.of("one"), gone);
    }
}
