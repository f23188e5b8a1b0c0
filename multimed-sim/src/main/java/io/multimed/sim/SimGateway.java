package io.multimed.sim;

import static io.multimed.sim.Scheduler.MICROSECOND;
import static io.multimed.sim.Scheduler.MILLISECOND;

import io.multimed.core.admission.Admission;
import io.multimed.core.admission.AdmissionSources;
import io.multimed.core.admission.WaitingReaders;
import io.multimed.core.dispatch.Dispatcher;
import io.multimed.core.dispatch.Placement;
import io.multimed.core.dispatch.ReadNeeds;
import io.multimed.core.dispatch.Reason;
import io.multimed.core.node.ComputationalNode;
import io.multimed.core.session.SessionFreshness;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.LongPredicate;

/**
 * An endpoint: admits reads and transactions as the real one does, by the real {@link Admission} and {@link WaitingReaders},
 * and runs reads on the Master that a dying Satellite did not answer.
 *
 * <p>Tests replace the steps that are {@code protected} by wrong ones.
 */
class SimGateway {
    private static final long FRESHNESS_PATIENCE = 20 * MILLISECOND;
    private static final long MASTER_PATIENCE = 5_000 * MILLISECOND;
    private static final long PAUSE_BEFORE_SNAPSHOT = MILLISECOND;
    /** Longest time for a wake-up here; a reader overlooked for longer was forgotten. */
    private static final long WAKE_UP = MILLISECOND;

    /** A read in progress. */
    private final class Read implements WaitingReaders.Reader {
        private final SessionFreshness session;
        private final Admission admission;
        private final BiConsumer<Snapshot, String> answer;
        private final Runnable failure;

        private Read(SessionFreshness session, BiConsumer<Snapshot, String> answer, Runnable failure) {
            this.session = session;
            this.answer = answer;
            this.failure = failure;
            admission = admission(session);
        }

        @Override
        public boolean isOver() {
            return admission.isFreshNow(null) || admission.hasWaited(scheduler.now(), FRESHNESS_PATIENCE);
        }

        @Override
        public void goOn() {
            place(this);
        }

        private void patienceEnds() {
            if (waiting.contains(this)
                    && scheduler.now() - lastProgress > WAKE_UP
                    && placement(admission.required()) instanceof Placement.OnSatellite) {
                throw new GuaranteeViolation("a reader was forgotten although a satellite is fresh");
            }
            readers.lookAt(this);
        }
    }

    private final SimWorld world;
    private final Scheduler scheduler;
    private final AdmissionSources sources;
    private final WaitingReaders readers;
    private final Set<Read> waiting = new HashSet<>();
    private final List<Runnable> askingForSnapshot = new ArrayList<>();
    private boolean probing;
    private boolean askingForEndOfLog;
    private long lastProgress;

    SimGateway(SimWorld world) {
        this.world = world;
        this.scheduler = world.scheduler();
        sources = new AdmissionSources(
                world.nodes(),
                world.log(),
                world.history(),
                world.visibility(),
                (required, needs, nodes) -> placement(required));
        readers = new WaitingReaders(
                world.gate(),
                task -> scheduler.after(scheduler.between(MICROSECOND, WAKE_UP / 2), "gateway: woken", task));
        world.gate()
                .register(Runnable::run, () -> lastProgress = scheduler.now())
                .waiting(1);
    }

    private Admission admission(SessionFreshness session) {
        Admission admission = new Admission(sources, session);
        admission.arrive(scheduler.now());
        return admission;
    }

    /** Executes a read-only statement on an admissible node, and reports its snapshot and its node, or that it failed. */
    final void read(SessionFreshness session, BiConsumer<Snapshot, String> answer, Runnable failure) {
        place(new Read(session, answer, failure));
    }

    /** Executes a read on the Master. */
    final void readOnMaster(SessionFreshness session, BiConsumer<Snapshot, String> answer, Runnable failure) {
        toMaster(new Read(session, answer, failure));
    }

    /** Runs {@code action} when a transaction that arrives now may take its first snapshot on the Master. */
    final void beginOnMaster(SessionFreshness session, Runnable action, Runnable failure) {
        onMaster(
                admission(session),
                () -> scheduler.after(scheduler.delay(20 * MICROSECOND), "master: transaction begins", action),
                failure);
    }

    private void place(Read read) {
        waiting.remove(read);
        switch (read.admission.placeRead(scheduler.now(), FRESHNESS_PATIENCE)) {
            case Placement.OnSatellite(ComputationalNode node) -> toSatellite(read, node);
            case Placement.OnMaster ignored -> toMaster(read);
            case Placement.AwaitFreshness ignored -> {
                waiting.add(read);
                if (readers.await(read)) {
                    place(read);
                } else {
                    long now = scheduler.now();
                    long left = FRESHNESS_PATIENCE - (now - read.admission.arrive(now));
                    scheduler.after(left, "gateway: patience ends", read::patienceEnds);
                }
            }
        }
    }

    /** Returns the place of a read with that floor. */
    protected Placement placement(long required) {
        return Dispatcher.place(required, new ReadNeeds(), world.nodes());
    }

    // Satellites.

    private void toSatellite(Read read, ComputationalNode node) {
        node.transactionBegan();
        long connecting = scheduler.chance(0.3) ? scheduler.delay(2 * MILLISECOND) : 0;
        scheduler.after(connecting, "gateway: connection is there", () -> {
            SimSatellite.Engine engine = world.satellite(node).engine();
            if (engine == null || !engine.alive()) {
                node.transactionEnded();
                retry(read);
                return;
            }
            if (!mayStillServe(read.admission, node)) {
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

    /** Checks the node once more when the connection is there. */
    protected boolean mayStillServe(Admission admission, ComputationalNode node) {
        return admission.isCoveredBy(node);
    }

    /** Executes a read on the Master instead. No row was sent yet, so that the client does not notice. */
    private void retry(Read read) {
        read.admission.reset();
        read.admission.arrive(scheduler.now());
        read.admission.onMaster(Reason.RETRIED);
        toMaster(read);
    }

    /** A read in an engine; it ends by an answer, a failure or being given up, whichever is first. */
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

        private void retry() {
            if (end()) {
                SimGateway.this.retry(read);
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
        onMaster(
                read.admission,
                () -> scheduler.after(scheduler.delay(20 * MICROSECOND), "master: statement arrives", () -> {
                    if (world.master().up()) {
                        Snapshot snapshot = world.master().snapshot();
                        world.checker().visibleOnMaster(snapshot.commits());
                        answerFromMaster(read, snapshot);
                    } else {
                        read.failure.run();
                    }
                }),
                read.failure);
    }

    private void answerFromMaster(Read read, Snapshot snapshot) {
        scheduler.after(scheduler.delay(20 * MICROSECOND), "gateway: master answers", () -> {
            observedOnMaster(read.session);
            read.answer.accept(snapshot, "master");
        });
    }

    /** Records that the Master has answered a session: with a snapshot or a commit. */
    protected void observedOnMaster(SessionFreshness session) {
        session.observedOnMaster(world.log());
    }

    private void onMaster(Admission admission, Runnable begin, Runnable failure) {
        switch (turnOnMaster(admission)) {
            case BEGINS -> begin.run();
            case AWAITS_SNAPSHOT -> {
                askingForSnapshot.add(() -> {
                    long pause = admission.snapshotTaken() ? PAUSE_BEFORE_SNAPSHOT : 0;
                    scheduler.after(pause, "gateway: snapshot taken", () -> onMaster(admission, begin, failure));
                });
                probe();
            }
            case GIVES_UP -> failure.run();
        }
    }

    /**
     * Whether a transaction may take its first snapshot on the Master, which must show the commits that Satellites have shown.
     */
    protected Admission.Turn turnOnMaster(Admission admission) {
        return admission.turnOnMaster(scheduler.now(), MASTER_PATIENCE);
    }

    /** Handles the warning of a Master's backend that its commit waits no longer. */
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
            List<Runnable> asked = List.copyOf(askingForSnapshot);
            askingForSnapshot.clear();
            asked.forEach(Runnable::run);
        });
    }
}
