package io.multimed.endpoint.pg.session.reads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.core.node.ComputationalNode;
import io.multimed.model.NodeId;
import io.multimed.model.Role;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Followers on loops of their own join and leave while the leader's loop sends, receives the answer and completes. */
@Timeout(60)
class CoalescedReadTest {
    private static final int LOOPS = 3;
    private static final int ROUNDS = 2_000;

    private final ComputationalNode node = new ComputationalNode(NodeId.satellite(1), Role.SATELLITE);
    private final List<ExecutorService> loops = new ArrayList<>();
    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(false);

    @BeforeEach
    void start() {
        node.serving(true);
        for (int i = 0; i < LOOPS; i++) {
            loops.add(Executors.newSingleThreadExecutor());
        }
    }

    @AfterEach
    void stop() {
        loops.forEach(ExecutorService::close);
        assertEquals(0, allocator.metric().usedHeapMemory(), "bytes that were not released");
    }

    /** The calls that one follower received; used on its loop, and by the test after that loop has finished. */
    private static final class Heard implements CoalescedRead.Follower {
        int answers;
        int timesAlone;
        long mustSee;
        boolean joined;
        long shown;

        @Override
        public void answered(CoalescedRead read, ComputationalNode node, ByteBuf answer) {
            answers++;
            shown = answer.getLong(answer.readerIndex());
        }

        @Override
        public void leftAlone(CoalescedRead read) {
            timesAlone++;
        }
    }

    @Test
    void whoHasJoinedIsAnsweredOnceWithWhatItMustSeeOrLeftAloneOnce() throws Exception {
        SplittableRandom random = new SplittableRandom(1);
        int answers = 0;
        for (int round = 0; round < ROUNDS; round++) {
            CoalescedRead read = new CoalescedRead(node, loops.getFirst());
            boolean fails = random.nextInt(10) == 0;
            long pause = random.nextInt(2_000);
            List<Heard> followers = new ArrayList<>();
            List<Future<?>> done = new ArrayList<>();
            for (ExecutorService loop : loops) {
                Heard heard = new Heard();
                followers.add(heard);
                done.add(loop.submit(() -> {
                    heard.mustSee = commit();
                    heard.joined = read.join(heard, heard.mustSee, loop);
                    return null;
                }));
            }
            done.add(loops.getFirst().submit(() -> {
                for (long spun = 0; spun < pause; spun++) {
                    Thread.onSpinWait();
                }
                if (read.begin()) {
                    ByteBuf answer =
                            allocator.buffer().writeLong(node.applied()).writeByte('Z');
                    read.told(answer, 0, answer.readableBytes());
                    answer.release();
                    if (fails) {
                        read.dissolve();
                    } else {
                        read.complete(1);
                    }
                }
                return null;
            }));
            for (Future<?> each : done) {
                each.get();
            }
            awaitIdle();
            for (Heard heard : followers) {
                assertEquals(heard.joined ? 1 : 0, heard.answers + heard.timesAlone, "round " + round);
                assertTrue(heard.answers == 0 || heard.shown >= heard.mustSee, "round " + round);
                answers += heard.answers;
            }
        }
        assertTrue(answers > 0);
    }

    /** Commits; the Satellite has applied the commit when this returns. */
    private long commit() {
        synchronized (node) {
            node.applied(node.applied() + 1);
            return node.applied();
        }
    }

    @Test
    void answerOfASatelliteThatWasMadeAnewMeanwhileIsNobodysElse() throws Exception {
        node.applied(200);
        CoalescedRead read = new CoalescedRead(node, loops.getFirst());
        Heard heard = new Heard();
        assertTrue(read.join(heard, 150, loops.get(1)));
        node.serving(false);
        node.applied(100);
        node.serving(true);
        assertFalse(read.begin());
        awaitIdle();
        assertEquals(1, heard.timesAlone);
        assertFalse(read.join(heard, 50, loops.get(1)));
    }

    @Test
    void whoLeavesIsToldNothing() throws Exception {
        node.applied(200);
        CoalescedRead read = new CoalescedRead(node, loops.getFirst());
        Heard heard = new Heard();
        assertTrue(read.join(heard, 150, loops.get(1)));
        read.leave(heard);
        assertFalse(read.begin());
        awaitIdle();
        assertEquals(0, heard.answers + heard.timesAlone);
    }

    private void awaitIdle() throws InterruptedException {
        CountDownLatch idle = new CountDownLatch(loops.size());
        loops.forEach(loop -> loop.execute(idle::countDown));
        idle.await();
    }
}
