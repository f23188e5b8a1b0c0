package io.multimed.sim;

import static io.multimed.sim.Scheduler.MICROSECOND;
import static io.multimed.sim.Scheduler.MILLISECOND;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.spi.CopyProgress;
import io.multimed.core.spi.EngineException;
import io.multimed.core.spi.SatelliteControl;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A Satellite that replays the log it is sent: its engine may be killed, frozen, stalled by readers or left with an old
 * state to resume from. Its life cycle is the real one, through {@link SatelliteControl}.
 */
final class SimSatellite implements SatelliteControl {
    private static final long FOR_GOOD = Long.MAX_VALUE;

    /**
     * State of a Satellite at a position of the log.
     *
     * @param commits number of commits of the log that it has applied
     */
    record Data(long position, int commits, int[] versions) {}

    /** The connection of a Satellite's engine to its feed. */
    interface FeedPort {
        /** Asks for the log from {@code position}; {@link Engine#feed} is set when it answers. */
        void request(SimSatellite satellite, Engine engine, long position);
    }

    /** One run of the engine's processes. */
    final class Engine {
        private final List<byte[]> unread = new ArrayList<>();
        /** Work that waits for the end of a freeze. */
        private final List<Runnable> held = new ArrayList<>();
        /** Running statements, whose clients are notified if the engine dies instead. */
        private final List<Runnable> reads = new ArrayList<>();

        private LogRecords.Reader reader;
        private int commits;
        private final int[] versions;
        private Data restartPoint;
        private boolean alive = true;
        private boolean frozen;
        private boolean replaying;
        private long stalledUntil;
        private SimRelay.@Nullable Feed feed;

        private Engine(Data from) {
            reader = new LogRecords.Reader(from.position());
            commits = from.commits();
            versions = from.versions().clone();
            restartPoint = from;
            // Recovery may take a while, or have nothing to do.
            stalledUntil = scheduler.now() + (scheduler.chance(0.5) ? scheduler.delay(15 * MILLISECOND) : 0);
        }

        boolean alive() {
            return alive;
        }

        /** Takes the opened connection to the feed. */
        void connected(SimRelay.Feed to) {
            feed = to;
            reply();
        }

        /** Notes that the connection to the feed has ended: the engine will connect again, from its last complete record. */
        void disconnected(SimRelay.Feed from) {
            if (alive && feed == from) {
                feed = null;
                unread.clear();
                reader = new LogRecords.Reader(reader.recordEnd());
                connectFeed();
            }
        }

        void received(byte[] bytes) {
            unread.add(bytes);
            replayLater();
        }

        void askedForReply() {
            whenNotFrozen(this::reply);
        }

        private void connectFeed() {
            scheduler.after(
                    scheduler.delay(2 * MILLISECOND),
                    "satellite: asks for its feed",
                    () -> whenNotFrozen(() -> {
                        if (feed == null) {
                            port.request(SimSatellite.this, this, reader.recordEnd());
                        }
                    }));
        }

        private void replayLater() {
            if (!replaying) {
                replaying = true;
                long at = Math.max(scheduler.now() + scheduler.delay(20 * MICROSECOND), stalledUntil);
                scheduler.at(at, "satellite: replays", () -> whenNotFrozen(this::replay));
            }
        }

        private void replay() {
            replaying = false;
            if (stalledUntil > scheduler.now()) {
                replayLater();
                return;
            }
            if (!unread.isEmpty()) {
                int before = commits;
                reader.read(unread.remove(0), (start, end, transaction, version, keys) -> {
                    commits++;
                    for (int key : keys) {
                        versions[key] = version;
                    }
                });
                if (scheduler.chance(0.005)) {
                    restartPoint = new Data(reader.recordEnd(), commits, versions.clone());
                }
                if (commits > before && scheduler.chance(0.7)) {
                    reply();
                }
                replayLater();
            }
        }

        private void reply() {
            SimRelay.Feed to = feed;
            if (to != null) {
                to.reply(reader.recordEnd());
            }
        }

        private void whenNotFrozen(Runnable action) {
            if (alive) {
                if (frozen) {
                    held.add(action);
                } else {
                    action.run();
                }
            }
        }

        private void thaw() {
            frozen = false;
            List<Runnable> all = List.copyOf(held);
            held.clear();
            all.forEach(this::whenNotFrozen);
            goOnReading();
        }

        private void goOnReading() {
            List<Runnable> all = List.copyOf(reads);
            reads.clear();
            all.forEach(Runnable::run);
        }

        private Snapshot snapshot() {
            BitSet seen = new BitSet();
            seen.set(0, commits);
            return new Snapshot(seen, versions.clone());
        }

        private void die() {
            alive = false;
            held.clear();
            goOnReading();
            SimRelay.Feed from = feed;
            if (from != null) {
                feed = null;
                from.hangUp();
            }
            data = restartPoint;
        }
    }

    private final Scheduler scheduler;
    private final SimMaster master;
    private final FeedPort port;
    private final ComputationalNode node;
    private @Nullable Data data;
    private boolean damaged;
    private boolean mainProcessFrozen;
    private @Nullable Engine engine;
    private Runnable onExit = () -> {};

    SimSatellite(Scheduler scheduler, SimMaster master, FeedPort port, ComputationalNode node) {
        this.scheduler = scheduler;
        this.master = master;
        this.port = port;
        this.node = node;
        scheduler.every(50 * MILLISECOND, "satellite: status", () -> {
            Engine running = engine;
            if (running != null) {
                running.askedForReply();
            }
        });
    }

    ComputationalNode node() {
        return node;
    }

    /** Returns the engine that accepts connections now, if one does. */
    @Nullable
    Engine engine() {
        return engine;
    }

    /**
     * Runs a read in an engine, over a connection that was opened to that very one. Exactly one of the two is called,
     * unless the engine is frozen for ever.
     */
    void read(Engine by, Consumer<Snapshot> answer, Runnable failure) {
        if (!by.alive) {
            scheduler.after(scheduler.delay(20 * MICROSECOND), "gateway: satellite failed", failure);
            return;
        }
        if (by.frozen) {
            by.reads.add(() -> read(by, answer, failure));
            return;
        }
        Snapshot snapshot = by.snapshot();
        scheduler.after(scheduler.delay(30 * MICROSECOND), "gateway: satellite answers", () -> answer.accept(snapshot));
    }

    // Calls of the life cycle.

    @Override
    public boolean hasData() {
        return data != null;
    }

    @Override
    public void copyFromMaster(CopyProgress progress) throws EngineException {
        data = null;
        damaged = false;
        if (!master.up() || scheduler.chance(0.1)) {
            throw new EngineException("the master hung up");
        }
        Data copy = master.backup();
        progress.copied(copy.position(), copy.position());
        data = copy;
    }

    @Override
    public void start(Runnable exit) throws EngineException {
        Data from = data;
        if (from == null || damaged) {
            throw new EngineException("the data is damaged");
        }
        if (engine != null) {
            throw new GuaranteeViolation("an engine was started beside another one");
        }
        onExit = exit;
        engine = new Engine(from);
        engine.connectFeed();
    }

    @Override
    public void stop(Duration grace) {
        kill();
    }

    /**
     * Whether the engine is seen as frozen. If other processes than the main one were stopped, only the feed's silence shows
     * it.
     */
    @Override
    public boolean frozen() {
        Engine running = engine;
        return mainProcessFrozen && running != null && running.frozen;
    }

    @Override
    public void kill() {
        Engine old = engine;
        if (old != null) {
            engine = null;
            old.die();
        }
    }

    // Faults.

    /** Kills the engine, as another process would. */
    void crash() {
        Engine old = engine;
        if (old != null && old.alive) {
            old.die();
            damaged = scheduler.chance(0.1);
            scheduler.after(scheduler.delay(MILLISECOND), "satellite: end noticed", onExit);
        }
    }

    /** Stops the engine for a while; its connections stay open. */
    void freeze(long duration) {
        Engine one = engine;
        if (one != null && !one.frozen) {
            one.frozen = true;
            mainProcessFrozen = scheduler.chance(0.5);
            scheduler.after(duration, "satellite: thaws", () -> {
                if (one.alive) {
                    one.thaw();
                }
            });
        }
    }

    /** Stops replay for a while; reads and replies go on. */
    void stall(long duration) {
        Engine one = engine;
        if (one != null && one.stalledUntil != FOR_GOOD) {
            one.stalledUntil = scheduler.now() + duration;
        }
    }

    /** Stops replay for the engine's whole life; reads and replies go on. */
    void stopReplay() {
        Engine one = engine;
        if (one != null) {
            one.stalledUntil = FOR_GOOD;
        }
    }
}
