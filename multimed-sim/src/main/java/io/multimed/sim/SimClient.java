package io.multimed.sim;

import static io.multimed.sim.Scheduler.MICROSECOND;
import static io.multimed.sim.Scheduler.MILLISECOND;

import io.multimed.core.session.SessionFreshness;
import io.multimed.model.Freshness;
import java.time.Duration;

/**
 * A client with one session: reads, reads on the Master, writes, changes its freshness, and records all of it for the checker.
 */
final class SimClient {
    private final SimWorld world;
    private final Scheduler scheduler;
    private final SessionFreshness session = new SessionFreshness(Freshness.STRONG);
    private final GuaranteeChecker.SessionView view;
    private boolean busy;
    private boolean wanted = true;
    private int operations;

    SimClient(SimWorld world, String name) {
        this.world = world;
        this.scheduler = world.scheduler();
        this.view = new GuaranteeChecker.SessionView(name);
        next();
    }

    /** Whether an operation is in progress. */
    boolean busy() {
        return busy;
    }

    /** Returns how many operations have ended. */
    int operations() {
        return operations;
    }

    /** Begins no further operation. */
    void stop() {
        wanted = false;
    }

    private void next() {
        scheduler.after(scheduler.delay(600 * MICROSECOND), "client: next", () -> {
            if (!wanted) {
                return;
            }
            busy = true;
            if (scheduler.chance(0.1)) {
                session.choose(anyFreshness());
            }
            int what = scheduler.below(100);
            if (what < 60 || (what >= 72 && world.writersRest())) {
                read(false);
            } else if (what < 72) {
                read(true);
            } else {
                write();
            }
        });
    }

    private Freshness anyFreshness() {
        return switch (scheduler.below(3)) {
            case 0 -> Freshness.STRONG;
            case 1 -> Freshness.SESSION;
            default -> new Freshness.Eventual(Duration.ofMillis(scheduler.below(60)));
        };
    }

    private void over() {
        busy = false;
        operations++;
        next();
    }

    private void failed() {
        scheduler.after(5 * MILLISECOND, "client: pauses after an error", this::over);
    }

    private void read(boolean onMaster) {
        GuaranteeChecker.Expectation expectation = world.checker().begin(view, session.chosen());
        scheduler.after(scheduler.delay(10 * MICROSECOND), "gateway: read arrives", () -> {
            if (onMaster) {
                world.gateway()
                        .readOnMaster(session, (answer, where) -> answered(expectation, answer, where), this::failed);
            } else {
                world.gateway().read(session, (answer, where) -> answered(expectation, answer, where), this::failed);
            }
        });
    }

    private void answered(GuaranteeChecker.Expectation expectation, Snapshot answer, String where) {
        world.checker().answered(expectation, answer, world.master().commits(), where);
        over();
    }

    private void write() {
        GuaranteeChecker.Expectation expectation = world.checker().begin(view, session.chosen());
        world.gateway()
                .beginOnMaster(
                        session,
                        () -> {
                            SimMaster.Transaction transaction = world.master().begin();
                            if (transaction == null) {
                                failed();
                                return;
                            }
                            Snapshot snapshot = transaction.snapshot();
                            world.checker().visibleOnMaster(snapshot.commits());
                            scheduler.after(scheduler.delay(40 * MICROSECOND), "client: has read and writes", () -> {
                                world.gateway().observedOnMaster(session);
                                world.checker()
                                        .answered(
                                                expectation,
                                                snapshot,
                                                world.master().commits(),
                                                "master");
                                commit(transaction);
                            });
                        },
                        this::failed);
    }

    private void commit(SimMaster.Transaction transaction) {
        int[] keys = scheduler.chance(0.5)
                ? new int[] {scheduler.below(SimMaster.KEYS)}
                : new int[] {scheduler.below(3), 3 + scheduler.below(3)};
        if (!world.master().write(transaction, keys)) {
            world.master().end(transaction);
            failed();
            return;
        }
        scheduler.after(scheduler.delay(50 * MICROSECOND), "master: commit arrives", () -> {
            LoggedCommit[] commit = new LoggedCommit[1];
            commit[0] = world.master().commit(transaction, acknowledged -> {
                if (acknowledged) {
                    world.checker().acknowledged(commit[0]);
                    scheduler.after(
                            scheduler.delay(20 * MICROSECOND), "gateway: commit answered", () -> committed(commit[0]));
                } else {
                    failed();
                }
            });
            if (commit[0] == null) {
                failed();
            }
        });
    }

    private void committed(LoggedCommit commit) {
        world.gateway().observedOnMaster(session);
        view.committed(commit);
        over();
    }
}
