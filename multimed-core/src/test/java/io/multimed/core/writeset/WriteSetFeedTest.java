package io.multimed.core.writeset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.core.node.ComputationalNode;
import io.multimed.model.NodeId;
import io.multimed.model.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class WriteSetFeedTest {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(10);

    private final WriteSetLog<Integer> log = new WriteSetLog<>();
    private final ComputationalNode node = new ComputationalNode(NodeId.satellite(1), Role.SATELLITE);
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    /** An engine that is a list: applied write sets become visible at the commit. */
    private static class Engine implements WriteSetTarget<Integer> {
        final List<Integer> visible = new ArrayList<>();
        private final List<Integer> open = new ArrayList<>();
        int failAt = Integer.MAX_VALUE;

        @Override
        public void apply(Integer writeSet) {
            if (writeSet >= failAt) {
                throw new IllegalStateException("cannot apply " + writeSet);
            }
            open.add(writeSet);
        }

        @Override
        public synchronized void commit() {
            visible.addAll(open);
            open.clear();
        }

        synchronized List<Integer> visible() {
            return List.copyOf(visible);
        }
    }

    private WriteSetFeed<Integer> feed(Engine engine) {
        WriteSetFeed<Integer> feed =
                WriteSetFeed.start(log, WriteSetFeed.Position.end(log), node, engine, failure::set);
        node.serving(true);
        return feed;
    }

    private long commit(int writeSet) {
        return log.commit(writeSet, 1, () -> {});
    }

    @Test
    void appliesInScnOrderUpToWhatIsAsked() throws Exception {
        Engine engine = new Engine();
        try (WriteSetFeed<Integer> feed = feed(engine)) {
            for (int i = 1; i <= 100; i++) {
                assertEquals(i, commit(i));
            }
            assertTrue(feed.reach(100, PATIENCE));
            assertEquals(100, engine.visible().size());
            assertEquals(1, engine.visible().get(0));
            assertEquals(100, engine.visible().get(99));
            assertTrue(node.covers(100));
            assertFalse(node.covers(101));
        }
    }

    /**
     * A session must find everything that it has seen again on other nodes, and it may read between an engine's commit and the
     * report of it.
     */
    @Test
    void whatAReaderMaySeeIsKnownBeforeItIsApplied() throws Exception {
        List<Long> known = new ArrayList<>();
        Engine engine = new Engine() {
            @Override
            public void apply(Integer writeSet) {
                known.add(node.forwarded() - writeSet);
                super.apply(writeSet);
            }
        };
        try (WriteSetFeed<Integer> feed = feed(engine)) {
            for (int i = 1; i <= 2000; i++) {
                commit(i);
            }
            assertTrue(feed.reach(2000, PATIENCE));
            assertEquals(2000, known.size());
            assertEquals(0, known.stream().filter(ahead -> ahead < 0).count(), "applied before they were known");
            assertEquals(2000, node.forwarded());
        }
    }

    @Test
    void theFloorCoversACommitBeforeItShows() {
        log.commit(1, 1, () -> assertEquals(1, log.floor()));
    }

    @Test
    void aCommitThatFailsLeavesAnEmptyEntry() throws Exception {
        Engine engine = new Engine();
        try (WriteSetFeed<Integer> feed = feed(engine)) {
            assertThrows(
                    IllegalStateException.class,
                    () -> log.commit(1, 1, () -> {
                        throw new IllegalStateException("refused");
                    }));
            assertEquals(2, commit(2));
            assertTrue(feed.reach(2, PATIENCE));
            assertEquals(List.of(2), engine.visible());
        }
    }

    @Test
    void aSatelliteThatCannotApplyServesNoMore() throws Exception {
        Engine engine = new Engine();
        engine.failAt = 3;
        try (WriteSetFeed<Integer> feed = feed(engine)) {
            commit(1);
            assertTrue(feed.reach(1, PATIENCE));
            commit(3);
            assertFalse(feed.reach(2, PATIENCE));
            assertTrue(feed.ended());
            assertFalse(node.serving());
            assertEquals("cannot apply 3", failure.get().getMessage());
            assertEquals(List.of(1), engine.visible());
        }
    }

    @Test
    void committersHelpASatelliteThatIsFarBehind() {
        Engine engine = new Engine();
        try (WriteSetFeed<Integer> feed = feed(engine)) {
            for (int i = 1; i <= 4 * WriteSetLog.HELP_BEHIND; i++) {
                commit(i);
                assertTrue(feed.behind() <= 2 * WriteSetLog.HELP_BEHIND, "bounded: " + feed.behind());
            }
        }
    }

    @Test
    void aFeedBeginsWhereItsCopyWasTaken() throws Exception {
        commit(1);
        Engine engine = new Engine();
        try (WriteSetFeed<Integer> feed = feed(engine)) {
            commit(2);
            assertTrue(feed.reach(2, PATIENCE));
            assertEquals(List.of(2), engine.visible());
        }
    }
}
