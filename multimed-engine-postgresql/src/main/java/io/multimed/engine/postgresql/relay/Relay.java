package io.multimed.engine.postgresql.relay;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.propagation.FreshnessGate;
import io.multimed.core.propagation.LogBuffer;
import io.multimed.core.propagation.MasterLog;
import io.multimed.core.spi.ProgressRequest;
import io.multimed.model.NodeId;
import java.io.IOException;
import java.nio.channels.Selector;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Relay: the Master's synchronous log receiver, and the log's way on to the Satellites.
 *
 * <p>The Master's {@code synchronous_standby_names} must name {@link RelayAddresses#APPLICATION_NAME} before the Relay
 * connects: the floor it publishes in {@link MasterLog} holds only for commits that waited for it.
 *
 * <p>All methods may be called by any thread except the relay's own (that is, not from a {@link RelayListener}).
 */
public final class Relay implements ProgressRequest, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Relay.class);

    private final RelayAddresses addresses;
    private final RelayOptions options;
    private final MasterLog masterLog;
    private final List<SatelliteLink> links;
    private final RelayListener listener;
    private final AtomicBoolean demanded = new AtomicBoolean();
    private volatile @Nullable Running running;

    /** The parts that exist while the thread runs. */
    private record Running(
            RelayLoop loop,
            Selector selector,
            MasterReceiver receiver,
            Fanout fanout,
            SegmentFiles files,
            Thread thread) {}

    /**
     * @param masterLog written by the relay thread alone from {@link #start} on
     * @param satellites those that may connect, recognised by their names; {@code applied} and {@code forwarded} are
     *     written by the relay thread
     */
    public Relay(
            RelayAddresses addresses,
            RelayOptions options,
            MasterLog masterLog,
            List<ComputationalNode> satellites,
            RelayListener listener) {
        this.addresses = addresses;
        this.options = options;
        this.masterLog = masterLog;
        this.links = satellites.stream().map(SatelliteLink::new).toList();
        this.listener = listener;
    }

    /**
     * Listens for Satellites and starts the relay thread, which connects to the Master and keeps trying until {@link #close}.
     *
     * @param gate notified when Satellites have progressed or the floor comes or goes
     * @throws IOException if the listening socket cannot be made
     */
    public synchronized void start(FreshnessGate gate) throws IOException {
        if (running != null) {
            throw new IllegalStateException("the relay has been started");
        }
        LogBuffer buffer = new LogBuffer(options.bufferBytes());
        Selector selector = Selector.open();
        try {
            RelayLoop loop = new RelayLoop(selector);
            SegmentFiles files = new SegmentFiles(addresses.masterData().resolve("pg_wal"), loop);
            FeedLog log = new FeedLog(buffer, files, masterLog);
            Fanout fanout = new Fanout(addresses.listenSocket(), options, selector, log, gate, links, listener);
            MasterReceiver receiver =
                    new MasterReceiver(addresses, selector, buffer, masterLog, gate, fanout, listener);
            Thread thread = Thread.ofPlatform()
                    .daemon()
                    .name("multimed-relay")
                    .unstarted(() -> loop.run(new Duties(receiver, fanout, files, selector)));
            running = new Running(loop, selector, receiver, fanout, files, thread);
            thread.start();
        } catch (IOException e) {
            selector.close();
            throw e;
        }
    }

    private record Duties(MasterReceiver receiver, Fanout fanout, SegmentFiles files, Selector selector)
            implements RelayLoop.Duties {
        @Override
        public long onTimer(long now) {
            long next = Math.min(receiver.onTimer(now), fanout.onTimer(now));
            Feedback feedback = fanout.mergedFeedback(now, receiver.newestXid());
            if (feedback != null) {
                receiver.feedback(feedback);
            }
            return next;
        }

        @Override
        public void end() {
            receiver.withdraw();
            files.close();
            try {
                fanout.close();
                selector.close();
            } catch (IOException e) {
                LOG.warn("closing the relay: {}", e.getMessage());
            }
        }
    }

    /**
     * Makes the floor unknown and leaves the Master; both have happened when this returns. From then on commits wait on the
     * Master. It is called before the Master is restarted, so that a restarted Master shows no commit that the Relay has not
     * received.
     */
    public void withdraw() throws InterruptedException {
        onRelayThread(MasterReceiver::withdraw);
    }

    /** Connects to the Master again after {@link #withdraw} or {@link RelayListener#masterUnusable}. */
    public void resume() throws InterruptedException {
        onRelayThread(MasterReceiver::resume);
    }

    private interface Action {
        void on(MasterReceiver receiver);
    }

    private void onRelayThread(Action action) throws InterruptedException {
        Running now = running;
        if (now == null) {
            return;
        }
        CountDownLatch done = new CountDownLatch(1);
        now.loop().execute(() -> {
            action.on(now.receiver());
            done.countDown();
        });
        // A relay thread that has ended made the floor unknown in its last step.
        while (done.getCount() > 0 && now.thread().isAlive()) {
            if (done.await(10, TimeUnit.MILLISECONDS)) {
                return;
            }
        }
    }

    @Override
    public void requestProgress() {
        Running now = running;
        if (now != null && demanded.compareAndSet(false, true)) {
            now.loop().execute(() -> {
                demanded.set(false);
                now.fanout().demand();
            });
        }
    }

    /**
     * Returns when a Satellite last answered.
     *
     * @return time of {@link System#nanoTime}, 0 if it never has
     * @throws IllegalArgumentException if there is no such Satellite
     */
    public long lastReplyNanos(NodeId satellite) {
        for (SatelliteLink link : links) {
            if (link.node().id().equals(satellite)) {
                return link.lastReplyNanos();
            }
        }
        throw new IllegalArgumentException("no satellite " + satellite);
    }

    /** Makes the floor unknown, closes all connections and ends the thread. */
    @Override
    public void close() {
        Running now = running;
        if (now == null) {
            return;
        }
        now.loop().close();
        boolean interrupted = false;
        while (now.thread().isAlive()) {
            try {
                now.thread().join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
