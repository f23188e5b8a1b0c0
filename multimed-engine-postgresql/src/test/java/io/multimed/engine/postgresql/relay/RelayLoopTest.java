package io.multimed.engine.postgresql.relay;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.core.propagation.FreshnessGate;
import io.multimed.core.propagation.LogBuffer;
import io.multimed.core.propagation.MasterLog;
import io.multimed.core.propagation.MasterVisibility;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commits wait on the relay's thread, so a failure on it must not end it. */
@Timeout(60)
class RelayLoopTest {
    @Test
    void outlivesWhatFailsWhenItIsDue() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        CountDownLatch again = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        try (Selector selector = Selector.open()) {
            RelayLoop loop = new RelayLoop(selector);
            Thread thread = Thread.ofPlatform()
                    .daemon()
                    .start(() -> loop.run(new RelayLoop.Duties() {
                        @Override
                        public long onTimer(long now) {
                            if (calls.incrementAndGet() == 1) {
                                throw new IllegalStateException("for the test");
                            }
                            again.countDown();
                            return Long.MAX_VALUE;
                        }

                        @Override
                        public void end() {
                            ended.countDown();
                        }
                    }));
            assertTrue(again.await(30, TimeUnit.SECONDS), "what is due is tried again");
            CountDownLatch task = new CountDownLatch(1);
            loop.execute(task::countDown);
            assertTrue(task.await(30, TimeUnit.SECONDS), "tasks are run");
            loop.close();
            assertTrue(ended.await(30, TimeUnit.SECONDS));
            thread.join();
        }
    }

    @Test
    void feedThatFailsIsClosedAndWhoPumpedItGoesOn(@TempDir Path directory) throws Exception {
        Path socket = directory.resolve("relay");
        try (Selector selector = Selector.open();
                SegmentFiles files = new SegmentFiles(directory, Runnable::run)) {
            Fanout fanout = new Fanout(
                    socket,
                    RelayOptions.DEFAULT,
                    selector,
                    new FeedLog(new LogBuffer(RelayOptions.MIN_BUFFER), files, new MasterLog(new MasterVisibility())),
                    new FreshnessGate(() -> {}),
                    List.of(),
                    new RelayMain.SilentListener());
            try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
                SatelliteFeed feed = new SatelliteFeed(fanout, channel);
                // Every use of its key throws from now on.
                channel.keyFor(selector).cancel();
                feed.pump();
                assertFalse(channel.isOpen());
            } finally {
                fanout.close();
            }
        }
    }
}
