package io.multimed.endpoint.mysql.session;

import io.multimed.core.counters.ConnectionCounts;
import io.multimed.model.NodeId;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The connections to the Master that the sessions of one event loop may have. When a session needs one and all are taken, the session that
 * has been idle for longest gives up its own, if it has nothing there that another connection cannot be told.
 */
final class MasterLinks {
    private static final class Waiter {
        private final MasterHold hold;
        private final Consumer<Boolean> done;

        Waiter(MasterHold hold, Consumer<Boolean> done) {
            this.hold = hold;
            this.done = done;
        }
    }

    private static final int PAUSE_MILLIS = 5;

    private final EventLoop loop;
    private final int most;
    private final long patienceNanos;
    private final ArrayDeque<Waiter> waiting = new ArrayDeque<>();
    /** The sessions that have nothing to do, those that have been idle for longest first. */
    private final Set<MasterHold> idle = new LinkedHashSet<>();

    private boolean looksAgain;
    private int taken;
    /** Number of sessions that are about to give up theirs. */
    private int leaving;

    /** @param patienceNanos longest wait for a connection */
    MasterLinks(EventLoop loop, int most, long patienceNanos) {
        this.loop = loop;
        this.most = most;
        this.patienceNanos = patienceNanos;
    }

    /** @param done receives whether a connection may be made, which is to be {@link #released} then */
    @SuppressWarnings("FutureReturnValueIgnored") // The action finds out itself whether it is still needed.
    void acquire(MasterHold hold, Consumer<Boolean> done) {
        if (taken < most && waiting.isEmpty()) {
            taken++;
            done.accept(true);
            return;
        }
        Waiter waiter = new Waiter(hold, done);
        waiting.add(waiter);
        loop.schedule(
                () -> {
                    if (waiting.remove(waiter)) {
                        done.accept(false);
                    }
                },
                patienceNanos,
                TimeUnit.NANOSECONDS);
        takeFromIdle();
    }

    /** Records that a connection has been closed. */
    void released() {
        taken--;
        while (taken < most && !waiting.isEmpty()) {
            taken++;
            waiting.remove().done.accept(true);
        }
    }

    /** Records that a session has nothing to do. */
    void idle(MasterHold hold) {
        idle.remove(hold);
        idle.add(hold);
        // The others have been looked at, and will be again.
        if (waiting.size() > leaving) {
            if (hold.canBeGivenUp()) {
                idle.remove(hold);
                take(List.of(hold));
            } else {
                lookAgain();
            }
        }
    }

    /** Records that a session has something to do, or no connection. */
    void busy(MasterHold hold) {
        idle.remove(hold);
    }

    /** Records that a session has ended. */
    void ended(MasterHold hold) {
        idle.remove(hold);
        if (!waiting.isEmpty()) {
            waiting.removeIf(waiter -> waiter.hold.equals(hold));
        }
    }

    /** Returns the numbers of connections, and of sessions that wait for one. */
    ConnectionCounts counts(NodeId master) {
        int free = 0;
        int bound = 0;
        for (MasterHold hold : idle) {
            if (hold.canBeGivenUp()) {
                free++;
            } else {
                bound++;
            }
        }
        return new ConnectionCounts(master, taken, free, bound, waiting.size());
    }

    private void takeFromIdle() {
        int needed = waiting.size() - leaving;
        if (needed <= 0) {
            return;
        }
        List<MasterHold> chosen = new ArrayList<>();
        for (MasterHold hold : idle) {
            if (chosen.size() < needed && hold.canBeGivenUp()) {
                chosen.add(hold);
            }
        }
        if (chosen.size() < needed) {
            lookAgain();
        }
        chosen.forEach(idle::remove);
        take(chosen);
    }

    private void take(List<MasterHold> chosen) {
        leaving += chosen.size();
        chosen.forEach(hold -> hold.giveUp(() -> {
            leaving--;
            takeFromIdle();
        }));
    }

    /** Sessions may become able to give up theirs by what Multimed gets to know. */
    @SuppressWarnings("FutureReturnValueIgnored") // The action finds out itself whether it is still needed.
    private void lookAgain() {
        if (!looksAgain) {
            looksAgain = true;
            loop.schedule(
                    () -> {
                        looksAgain = false;
                        takeFromIdle();
                    },
                    PAUSE_MILLIS,
                    TimeUnit.MILLISECONDS);
        }
    }
}
