package io.multimed.sim;

import static io.multimed.sim.Scheduler.MICROSECOND;
import static io.multimed.sim.Scheduler.MILLISECOND;

import io.multimed.core.dispatch.Dispatcher;
import io.multimed.core.dispatch.Placement;
import io.multimed.core.node.ComputationalNode;
import io.multimed.core.propagation.FreshnessGate;
import io.multimed.core.session.SessionFreshness;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.LongPredicate;

/**
 * An endpoint: places reads by the real Dispatcher, waits on the real gate, keeps to the rule that the Master must show
 * what Satellites have shown, and answers from elsewhere what a dying Satellite did not answer.
 *
 * <p>Tests replace the steps that are {@code protected} by wrong ones.
 */
class SimGateway {
    private static final long PATIENCE = 20 * MILLISECOND;
    /** The longest that a wake-up may take here; a reader overlooked for longer was forgotten. */
    private static final long WAKE_UP = MILLISECOND;

    /** A read under way. */
    private final class Read {
        private final SessionFreshness session;
        private final long required;
        private final BiConsumer<Snapshot, String> answer;
        private final Runnable failure;
        private boolean expired;

        private Read(SessionFreshness session, long required, BiConsumer<Snapshot, String> answer, Runnable failure) {
            this.session = session;
            this.required = required;
            this.answer = answer;
            this.failure = failure;
        }
    }

    private record ForMaster(long shown, Runnable action) {}

    private final SimWorld world;
    private final Scheduler scheduler;
    private final FreshnessGate.Waiters waiters;
    private final List<Read> waiting = new ArrayList<>();
    private final List<ForMaster> waitingForMaster = new ArrayList<>();
    private boolean probing;
    private boolean askingForEndOfLog;
    private long lastProgress;

    SimGateway(SimWorld world) {
        this.world = world;
        this.scheduler = world.scheduler();
        waiters = world.gate()
                .register(
                        task -> scheduler.after(scheduler.between(MICROSECOND, WAKE_UP / 2), "gateway: woken", task),
                        this::recheck);
        world.gate()
                .register(Runnable::run, () -> lastProgress = scheduler.now())
                .waiting(1);
    }

    /** Executes a read-only statement where it may be, and reports what it saw and where, or that it failed. */
    final void read(SessionFreshness session, BiConsumer<Snapshot, String> answer, Runnable failure) {
        long required = session.required(world.log(), world.history(), scheduler.now());
        place(new Read(session, required, answer, failure));
    }

    /** Executes a read on the Master. */
    final void readOnMaster(SessionFreshness session, BiConsumer<Snapshot, String> answer, Runnable failure) {
        toMaster(new Read(session, 0, answer, failure));
    }

    /** Runs {@code action} when a transaction that arrives now may take its first snapshot on the Master. */
    final void beginOnMaster(Runnable action) {
        whenMasterShowsWhatWasShown(
                () -> scheduler.after(scheduler.delay(20 * MICROSECOND), "master: transaction begins", action));
    }

    private void place(Read read) {
        if (go(read)) {
            return;
        }
        waiting.add(read);
        waiters.waiting(waiting.size());
        scheduler.after(PATIENCE, "gateway: patience ends", () -> expire(read));
        // Once more: what was published before the count was visible has woken nobody.
        if (go(read)) {
            waiting.remove(read);
            waiters.waiting(waiting.size());
        }
    }

    private void recheck() {
        waiting.removeIf(this::go);
        waiters.waiting(waiting.size());
    }

    private void expire(Read read) {
        if (waiting.remove(read)) {
            waiters.waiting(waiting.size());
            if (scheduler.now() - lastProgress > WAKE_UP && placement(read.required) instanceof Placement.OnSatellite) {
                throw new Violation("a reader was forgotten although a satellite is fresh");
            }
            read.expired = true;
            Dispatcher.awaitedInVain(read.required, world.nodes());
            toMaster(read);
        }
    }

    /** Sends a read on its way, unless it must wait. */
    private boolean go(Read read) {
        Placement placement = placement(read.required);
        if (placement instanceof Placement.OnSatellite there) {
            toSatellite(read, there.node());
            return true;
        }
        if (placement instanceof Placement.OnMaster || read.expired) {
            toMaster(read);
            return true;
        }
        return false;
    }

    /** Where a read goes that must see so much. */
    protected Placement placement(long required) {
        return Dispatcher.place(required, world.nodes());
    }

    // Satellites.

    private void toSatellite(Read read, ComputationalNode node) {
        node.transactionBegan();
        long connecting = scheduler.chance(0.3) ? scheduler.delay(2 * MILLISECOND) : 0;
        scheduler.after(connecting, "gateway: connection is there", () -> {
            SimSatellite.Engine engine = world.satellite(node).engine();
            if (engine == null || !engine.alive() || !mayStillServe(node, read.required)) {
                node.transactionEnded();
                place(read);
                return;
            }
            scheduler.after(
                    scheduler.delay(20 * MICROSECOND),
                    "satellite: statement arrives",
                    () -> new OnSatellite(read, node).execute(engine));
        });
    }

    /** Looked at once more when the connection is there. */
    protected boolean mayStillServe(ComputationalNode node, long required) {
        return node.covers(required);
    }

    /** A read in an engine, answered, failed or given up: whatever is first. */
    private final class OnSatellite {
        private final Read read;
        private final ComputationalNode node;
        private boolean over;

        private OnSatellite(Read read, ComputationalNode node) {
            this.read = read;
            this.node = node;
        }

        private void execute(SimSatellite.Engine engine) {
            world.satellite(node).read(engine, this::answered, this::retry);
            watch();
        }

        private void answered(Snapshot snapshot) {
            if (end()) {
                world.visibility().shown(node.forwarded());
                read.session.observedOnSatellite(node, world.log());
                read.answer.accept(snapshot, node.id().name());
            }
        }

        /** No row was sent, so that nobody notices. */
        private void retry() {
            if (end()) {
                place(read);
            }
        }

        private void watch() {
            scheduler.after(10 * MILLISECOND, "gateway: still no answer?", () -> {
                if (!over && !node.serving()) {
                    retry();
                } else if (!over) {
                    watch();
                }
            });
        }

        private boolean end() {
            if (over) {
                return false;
            }
            over = true;
            node.transactionEnded();
            return true;
        }
    }

    // The Master.

    private void toMaster(Read read) {
        whenMasterShowsWhatWasShown(() ->
                scheduler.after(scheduler.delay(20 * MICROSECOND), "master: statement arrives", () -> {
                    if (world.master().up()) {
                        Snapshot snapshot = world.master().snapshot();
                        world.checker().visibleOnMaster(snapshot.commits());
                        answerFromMaster(read, snapshot);
                    } else {
                        read.failure.run();
                    }
                }));
    }

    private void answerFromMaster(Read read, Snapshot snapshot) {
        scheduler.after(scheduler.delay(20 * MICROSECOND), "gateway: master answers", () -> {
            observedOnMaster(read.session);
            read.answer.accept(snapshot, "master");
        });
    }

    /** The Master has answered a session: with a snapshot or a commit. */
    protected void observedOnMaster(SessionFreshness session) {
        session.observedOnMaster(world.log());
    }

    private void whenMasterShowsWhatWasShown(Runnable action) {
        long shown = world.visibility().shown();
        if (masterShows(shown)) {
            action.run();
        } else {
            waitingForMaster.add(new ForMaster(shown, action));
            probe();
        }
    }

    /** Whether a transaction may take its first snapshot on the Master that must see what Satellites have shown. */
    protected boolean masterShows(long shown) {
        return world.visibility().masterShows(shown);
    }

    /** A backend of the Master has said that its commit waits no longer. */
    protected void warned() {
        world.log().doubt();
        askForEndOfLog();
    }

    private void askForEndOfLog() {
        if (askingForEndOfLog) {
            return;
        }
        askingForEndOfLog = true;
        long doubts = world.log().doubts();
        scheduler.after(scheduler.delay(20 * MICROSECOND), "master: asked where its log ends", () -> {
            if (world.master().up()) {
                long position = world.master().position();
                scheduler.after(
                        scheduler.delay(20 * MICROSECOND),
                        "gateway: told where the log ends",
                        () -> endOfLog(doubts, position));
            } else {
                scheduler.after(5 * MILLISECOND, "gateway: not told where the log ends", () -> endOfLog(0, 0));
            }
        });
    }

    private void endOfLog(long doubts, long position) {
        askingForEndOfLog = false;
        endDoubts(doubts, position);
        if (world.log().isDoubted()) {
            askForEndOfLog();
        }
    }

    /** Reports where the Master's log ended after so many doubts. */
    protected void endDoubts(long doubts, long position) {
        world.log().endDoubts(doubts, position);
    }

    private void probe() {
        if (probing) {
            return;
        }
        probing = true;
        scheduler.after(scheduler.delay(20 * MICROSECOND), "master: probe arrives", () -> {
            if (world.master().up()) {
                Set<Long> running = world.master().runningTransactions();
                long next = world.master().nextTransaction();
                answerProbe(transaction -> transaction < next && !running.contains(transaction));
            } else {
                scheduler.after(5 * MILLISECOND, "gateway: probe failed", () -> answerProbe(transaction -> false));
            }
        });
    }

    private void answerProbe(LongPredicate visible) {
        scheduler.after(scheduler.delay(20 * MICROSECOND), "gateway: probe answered", () -> {
            probing = false;
            world.visibility().observed(visible);
            List<ForMaster> ready = new ArrayList<>();
            waitingForMaster.removeIf(one -> masterShows(one.shown) && ready.add(one));
            ready.forEach(one -> one.action.run());
            if (!waitingForMaster.isEmpty()) {
                probe();
            }
        });
    }
}
