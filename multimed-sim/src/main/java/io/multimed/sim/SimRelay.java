package io.multimed.sim;

import static io.multimed.sim.Scheduler.MICROSECOND;
import static io.multimed.sim.Scheduler.MILLISECOND;

import io.multimed.core.node.SatelliteSupervisor;
import io.multimed.core.propagation.LogBuffer;
import io.multimed.core.propagation.LogPublication;
import io.multimed.core.propagation.MasterLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A relay: it drives the real log buffer, floor, visibility and gate, and the real order of publication, over connections that
 * delay and break. Its thread may pause; messages that arrive meanwhile wait.
 *
 * <p>Tests replace the steps that are {@code protected} by wrong ones.
 */
class SimRelay implements SimMaster.SimRelayPort, SimSatellite.FeedPort, LogPublication.Output {
    private static final long SILENCE = 200 * MILLISECOND;
    private static final int RETAINED = 60_000;

    /** The connection of one Satellite's engine. */
    final class Feed {
        private final SimSatellite satellite;
        private final SatelliteSupervisor supervisor;
        private final SimSatellite.Engine engine;
        private final Channel toSatellite = new Channel(scheduler);
        private final Channel toRelay = new Channel(scheduler);
        private LogBuffer.Cursor cursor;
        private long lastHeard = scheduler.now();
        private boolean silent;
        private boolean pumping;

        private Feed(SimSatellite satellite, SimSatellite.Engine engine, long position) {
            this.satellite = satellite;
            this.supervisor = world.supervisor(satellite);
            this.engine = engine;
            cursor = buffer.cursor(position);
        }

        /** Takes the engine's report of its applied position. */
        void reply(long applied) {
            toRelay.send(
                    "relay: reply arrives", scheduler.delay(20 * MICROSECOND), () -> onThread(() -> heard(applied)));
        }

        /** Closes the connection, since the engine's processes are gone. */
        void hangUp() {
            toSatellite.close();
            toRelay.send(
                    "relay: feed ends",
                    scheduler.delay(50 * MICROSECOND),
                    () -> onThread(() -> {
                        if (feeds.remove(this)) {
                            supervisor.feedLost();
                        }
                    }));
        }

        private void heard(long applied) {
            if (!feeds.contains(this)) {
                return;
            }
            lastHeard = scheduler.now();
            applied(satellite, applied);
            progressed();
            if (silent) {
                silent = false;
                supervisor.feedHeard();
            }
        }

        private void pump() {
            pumping = false;
            if (!feeds.contains(this)) {
                return;
            }
            if (cursor.overwritten()) {
                catchUpFromDirectory();
            } else if (cursor.remaining() > 0) {
                ByteBuffer view = cursor.read(1 + scheduler.below(3_000));
                byte[] bytes = new byte[view.remaining()];
                view.get(bytes);
                cursor.advance(bytes.length);
                send(bytes);
            }
        }

        private void catchUpFromDirectory() {
            long from = cursor.position();
            if (buffer.end() - from > RETAINED) {
                supervisor.logGone();
                close();
                return;
            }
            int length = (int) Math.min(buffer.end() - from, 5_000);
            cursor = buffer.cursor(from + length);
            send(world.master().read(from, length));
        }

        private void send(byte[] bytes) {
            long end = cursor.position();
            satellite.node().forwarded(Math.max(satellite.node().forwarded(), end));
            toSatellite.send("satellite: log arrives", scheduler.delay(20 * MICROSECOND), () -> engine.received(bytes));
            pumpLater();
        }

        private void pumpLater() {
            if (!pumping && (cursor.remaining() > 0)) {
                pumping = true;
                scheduler.after(scheduler.delay(5 * MICROSECOND), "relay: forwards", () -> onThread(this::pump));
            }
        }

        private void close() {
            if (feeds.remove(this)) {
                supervisor.feedLost();
                toRelay.close();
                toSatellite.send("satellite: feed ends", scheduler.delay(MILLISECOND), () -> engine.disconnected(this));
            }
        }

        private void watch() {
            if (!silent && scheduler.now() - lastHeard > SILENCE) {
                silent = true;
                supervisor.feedSilent();
            }
        }
    }

    protected final SimWorld world;
    protected final Scheduler scheduler;
    private final LogBuffer buffer;
    private final LogPublication publication;
    private final LogRecords.Reader reader = new LogRecords.Reader(0);
    private final List<Feed> feeds = new ArrayList<>();
    private final ArrayDeque<Runnable> inbox = new ArrayDeque<>();
    private boolean awake;
    private long pausedUntil;
    private SimMaster.@Nullable Link link;
    private long connectAt;
    private long lastProgressRequest;

    SimRelay(SimWorld world) {
        this.world = world;
        this.scheduler = world.scheduler();
        buffer = new LogBuffer(1 << (10 + scheduler.below(6)));
        publication = new LogPublication(world.log(), world.gate(), this);
        scheduler.every(3 * MILLISECOND, "relay: timer", () -> onThread(this::tick));
    }

    /** Returns the end of the log that it has. */
    final long end() {
        return buffer.end();
    }

    /** Runs a task on the relay's thread, after earlier ones. */
    private void onThread(Runnable task) {
        inbox.add(task);
        wake();
    }

    private void wake() {
        if (!awake && !inbox.isEmpty()) {
            if (pausedUntil <= scheduler.now()) {
                awake = true;
                while (!inbox.isEmpty() && pausedUntil <= scheduler.now()) {
                    inbox.remove().run();
                }
                awake = false;
            }
            if (!inbox.isEmpty()) {
                scheduler.at(pausedUntil, "relay: goes on", this::wake);
            }
        }
    }

    private void tick() {
        List.copyOf(feeds).forEach(Feed::watch);
        if (link == null && scheduler.now() >= connectAt) {
            connect();
        }
        if (world.gate().readersWait()) {
            askForProgress();
        }
    }

    /** Whether it considers itself connected to the Master; otherwise there is no floor. */
    final boolean connected() {
        return link != null;
    }

    private void connect() {
        SimMaster master = world.master();
        SimMaster.Link to = master.connect(buffer.end());
        if (to == null) {
            return;
        }
        link = to;
        log().connected(master.position());
        publish();
    }

    @Override
    public final void received(SimMaster.Link from, byte[] bytes) {
        onThread(() -> {
            if (from == link) {
                buffer.append(ByteBuffer.wrap(bytes));
                reader.read(bytes, (start, end, transaction, version, keys) -> commit(start, end, transaction));
                publish();
            }
        });
    }

    @Override
    public final void lost(SimMaster.Link from) {
        onThread(() -> {
            if (from == link) {
                link = null;
                connectAt = scheduler.now() + scheduler.delay(10 * MILLISECOND);
                log().disconnected();
            }
        });
    }

    /** Reports one commit record. */
    protected void commit(long start, long end, long transaction) {
        log().commit(end, transaction);
    }

    /** Publishes the received log, as the real relay does. */
    protected void publish() {
        try {
            publication.publish(buffer.end(), buffer.end());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public final void announceCatalogChanges() {}

    @Override
    public void confirm(long position) {
        SimMaster.Link to = link;
        if (to != null) {
            to.toMaster.send(
                    "master: confirmation arrives",
                    scheduler.delay(30 * MICROSECOND),
                    () -> world.master().confirmed(to, position));
        }
    }

    @Override
    public void forward(long position) {
        feeds.forEach(Feed::pumpLater);
    }

    @Override
    public final void request(SimSatellite satellite, SimSatellite.Engine engine, long position) {
        scheduler.after(
                scheduler.delay(50 * MICROSECOND),
                "relay: satellite connects",
                () -> onThread(() -> {
                    if (!engine.alive()) {
                        return;
                    }
                    List.copyOf(feeds).stream()
                            .filter(old -> old.satellite == satellite)
                            .forEach(Feed::close);
                    Feed feed = new Feed(satellite, engine, position);
                    feeds.add(feed);
                    satellite.node().forwarded(Math.max(satellite.node().forwarded(), position));
                    connected(feed.supervisor, satellite);
                    engine.connected(feed);
                    feed.pumpLater();
                }));
    }

    /** Notifies the life cycle that the feed is there. */
    protected void connected(SatelliteSupervisor supervisor, SimSatellite satellite) {
        supervisor.feedConnected();
    }

    /** Publishes a Satellite's applied position. */
    protected void applied(SimSatellite satellite, long position) {
        satellite.node().applied(position);
    }

    /** Notifies readers that a Satellite has applied more. */
    protected void progressed() {
        world.gate().progressed();
    }

    /** Notes that a reader waits. */
    final void requestProgress() {
        scheduler.after(scheduler.delay(5 * MICROSECOND), "relay: reader waits", () -> onThread(this::askForProgress));
    }

    private void askForProgress() {
        if (scheduler.now() - lastProgressRequest < 100 * MICROSECOND) {
            return;
        }
        lastProgressRequest = scheduler.now();
        for (Feed feed : feeds) {
            feed.toSatellite.send(
                    "satellite: reply asked for", scheduler.delay(20 * MICROSECOND), feed.engine::askedForReply);
        }
    }

    /** Fault: the thread does nothing for a while, as in a pause of the garbage collector. */
    final void pause(long duration) {
        pausedUntil = Math.max(pausedUntil, scheduler.now() + duration);
    }

    protected final MasterLog log() {
        return world.log();
    }
}
