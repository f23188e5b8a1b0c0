package io.multimed.endpoint.pg.backend;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sessions that use one connection: the present user, which receives the engine's answers, and its followers. A follower has sent
 * a unit behind those of the others, and is the present user once they are answered. If a session leaves, a {@link DiscardReplies}
 * takes its place for the ReadyForQuery messages that it is owed.
 */
final class ConnectionUsers {
    private final BackendConnection connection;
    private final NodeBackends pool;
    private final ProcessorUse processor;
    /** The user that receives the engine's present answers; null if there is none. */
    @Nullable
    BackendUser present;

    private final ArrayDeque<BackendUser> followers = new ArrayDeque<>(0);
    /** Whether the pool may count the present user's unit among the long reads. */
    private boolean longRead;
    /** Whether other sessions may send units behind: the unit sent last is complete and expected to be short. */
    boolean offered;
    /** Number of looks at which a session was waiting behind the present user. */
    private int timesSeenWaiting;
    /** Processor time of the engine's process at the first of these looks. */
    private long processorNanosBefore;

    private long nanosBefore;

    ConnectionUsers(BackendConnection connection, NodeBackends pool) {
        this.connection = connection;
        this.pool = pool;
        processor = new ProcessorUse(pool.loop.processes());
    }

    // --- the present user

    /** Gives a connection that nobody uses to a session. */
    void begin(BackendUser user, boolean forLongRead) {
        present = user;
        longRead = forLongRead;
    }

    /** Puts another user in the place of the present one. */
    void replace(BackendUser user) {
        presentLeaves();
        present = user;
    }

    /**
     * Lets the present user leave, whose replies are discarded.
     *
     * @param owed number of ReadyForQuery messages that the engine still owes it
     */
    void discardReplies(int owed) {
        replace(discarding(present, owed));
        timesSeenWaiting = 0;
    }

    private DiscardReplies discarding(@Nullable BackendUser left, int owed) {
        return new DiscardReplies(
                connection, owed, left instanceof BackendWaiter waiter ? waiter.stateBehind() : () -> false);
    }

    private void presentLeaves() {
        if (longRead && present instanceof BackendWaiter waiter) {
            pool.longReads.left(waiter);
        }
        longRead = false;
    }

    /** Ends the use of the connection by the present user. @return the first follower, which is the present user now */
    @Nullable
    BackendUser next() {
        if (longRead) {
            presentLeaves();
        }
        timesSeenWaiting = 0;
        BackendUser next = followers.poll();
        present = next;
        longRead = next != null;
        if (next == null) {
            offered = false;
        }
        return next;
    }

    /** Ends the use of the connection by the present user, because it is over. @return that user; null if there was none */
    @Nullable
    BackendUser end() {
        presentLeaves();
        BackendUser last = present;
        present = null;
        offered = false;
        return last;
    }

    /** Removes and returns the first follower, after {@link #end}; null if there is none. */
    @Nullable
    BackendUser endFollower() {
        return followers.poll();
    }

    // --- followers

    /** Lets other sessions send units behind, since the unit sent last is complete and expected to be short. */
    void offer() {
        if (connection.pooled.stale) {
            return;
        }
        offered = true;
        if (!connection.pooled.listed) {
            pool.shared.add(connection);
        }
        if (pool.waiting.any) {
            pool.shared.advanced(connection);
        }
    }

    /** Whether other sessions may send units behind, now or when there is room. No cancel request may hit theirs. */
    boolean areOffered() {
        CancelRequests cancels = connection.cancels;
        return offered && !connection.isClosed() && (cancels == null || !cancels.isUnderWay());
    }

    /** Whether another session may send a unit behind those under way. */
    boolean takeMore() {
        return areOffered() && followers.size() < pool.shared.mostFollowers() && connection.isWritable();
    }

    /** Whether the connection serves Multimed itself. */
    boolean areMultimedsOwn() {
        return present != null && present.isMultimedsOwn();
    }

    /** Whether the present user has no followers. */
    boolean isAlone() {
        return followers.isEmpty();
    }

    int followerCount() {
        return followers.size();
    }

    /** Adds a session that now sends one unit behind all others. */
    void add(BackendWaiter follower) {
        offered = false;
        if (followers.isEmpty()) {
            timesSeenWaiting = 0;
        }
        followers.add(follower);
    }

    /**
     * Removes one follower.
     *
     * @param owed number of ReadyForQuery messages that the engine owes it; 0 if it has sent nothing yet, in which case it is
     *     the last
     */
    void leave(BackendUser who, int owed) {
        if (owed == 0) {
            if (followers.peekLast() == who) {
                followers.removeLast();
            }
            return;
        }
        for (int i = followers.size(); i > 0; i--) {
            BackendUser each = followers.remove();
            followers.add(each == who ? discarding(who, owed) : each);
        }
    }

    // --- users that take long

    /** Called at intervals: moves the connection to the kind that yields if one unit has used much CPU. */
    void yieldIfBusy(long enoughNanos) {
        int process = connection.processId();
        if (present != null
                && !connection.key().yielding()
                && processor.isBusyFor(process, enoughNanos, connection.replies.units())) {
            connection.become(connection.key().yieldingOnes());
            yieldToOthers();
        }
    }

    /** Lets the engine's process leave the processors to others. */
    void yieldToOthers() {
        processor.yieldToOthers(connection.processId());
    }

    /**
     * Called at intervals: displaces followers that have waited long behind the user, and cancels a long execution whose replies
     * are discarded.
     *
     * @return whether to call again
     */
    boolean displaceWhoHasWaited() {
        boolean unheard = present instanceof DiscardReplies;
        if (followers.isEmpty() && !unheard) {
            return false;
        }
        timesSeenWaiting++;
        if (timesSeenWaiting <= 1) {
            processorNanosBefore = processor.nanos(connection.processId());
            nanosBefore = pool.loop.nanoTime();
            return true;
        }
        boolean slowItself = !isKeptFromProcessor();
        List<BackendWaiter> left = removeFollowers();
        if (slowItself && !left.isEmpty() && present instanceof BackendWaiter slow) {
            slow.heldOthersUp();
        }
        if (unheard) {
            connection.cancel();
        }
        left.forEach(BackendWaiter::displaced);
        return false;
    }

    /** Whether the user's unit is slow only for lack of a processor: the engine's process wanted one, and mostly had none. */
    private boolean isKeptFromProcessor() {
        long used = processor.nanos(connection.processId()) - processorNanosBefore;
        long elapsed = pool.loop.nanoTime() - nanosBefore;
        return processorNanosBefore >= 0
                && used >= 0
                && 2 * used < elapsed
                && processor.isRunnable(connection.processId());
    }

    /** Displaces all followers, because a cancel request for the present unit might hit theirs. */
    void displaceFollowers() {
        removeFollowers().forEach(BackendWaiter::displaced);
    }

    /** Removes all followers. @return the removed ones */
    private List<BackendWaiter> removeFollowers() {
        offered = false;
        List<BackendWaiter> left = new ArrayList<>(followers.size());
        for (int i = followers.size(); i > 0; i--) {
            BackendUser each = followers.remove();
            if (each instanceof BackendWaiter waiter) {
                left.add(waiter);
                if (waiter.owed() > 0) {
                    followers.add(discarding(waiter, waiter.owed()));
                }
            } else {
                followers.add(each);
            }
        }
        if (!left.isEmpty()) {
            connection.prepared().unnamed(null);
            pool.shared.displaced(left.size());
        }
        return left;
    }
}
