package io.multimed.endpoint.pg.backend;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sessions that have sent a unit on a connection behind that of its user, in order, and whether more may. If a session leaves,
 * a {@link DiscardReplies} takes its place for the ReadyForQuery messages that it is owed.
 */
final class Followers {
    private final BackendConnection connection;
    private final NodeBackends owner;
    private final ArrayDeque<BackendUser> queue = new ArrayDeque<>(0);
    /** Whether other sessions may send units behind: the unit sent last is complete and expected to be short. */
    private boolean offered;
    /** Number of looks at which a session was waiting behind the present user. */
    private int timesSeenWaiting;
    /** Processor time of the engine's process at the first of these looks. */
    private long processorNanosBefore;

    private long nanosBefore;

    Followers(BackendConnection connection, NodeBackends owner) {
        this.connection = connection;
        this.owner = owner;
    }

    void offer() {
        offered = true;
        owner.offered(connection);
    }

    void withdrawOffer() {
        offered = false;
    }

    boolean isOffered() {
        return offered && connection.isShareable();
    }

    /** Whether another session may send a unit behind those under way. */
    boolean takesMore() {
        return isOffered() && queue.size() < owner.mostFollowers() && connection.isWritable();
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    int size() {
        return queue.size();
    }

    /** Adds a session that now sends one unit behind all others. */
    void add(BackendWaiter follower) {
        offered = false;
        if (queue.isEmpty()) {
            timesSeenWaiting = 0;
        }
        queue.add(follower);
    }

    /** Records that the connection has another user. */
    void userChanged() {
        timesSeenWaiting = 0;
    }

    @Nullable
    BackendUser next() {
        return queue.poll();
    }

    /**
     * Removes one follower.
     *
     * @param owed number of ReadyForQuery messages that the engine owes it; 0 if it has sent nothing yet, in which case it is
     *     the last
     */
    void leave(BackendUser who, int owed) {
        if (owed == 0) {
            if (queue.peekLast() == who) {
                queue.removeLast();
            }
            return;
        }
        for (int i = queue.size(); i > 0; i--) {
            BackendUser each = queue.remove();
            queue.add(each == who ? new DiscardReplies(connection, owed) : each);
        }
    }

    /**
     * Called at intervals: displaces followers that have waited long behind the user, and cancels a long execution whose replies
     * are discarded.
     *
     * @return whether to call again
     */
    boolean displaceWhoHasWaited() {
        boolean unheard = connection.user() instanceof DiscardReplies;
        if (queue.isEmpty() && !unheard) {
            return false;
        }
        timesSeenWaiting++;
        if (timesSeenWaiting <= 1) {
            processorNanosBefore = connection.processorNanos();
            nanosBefore = owner.loop().nanoTime();
            return true;
        }
        boolean slowItself = !isKeptFromProcessor();
        List<BackendWaiter> left = leave();
        if (slowItself && !left.isEmpty() && connection.user() instanceof BackendWaiter slow) {
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
        long used = connection.processorNanos() - processorNanosBefore;
        long elapsed = owner.loop().nanoTime() - nanosBefore;
        return processorNanosBefore >= 0 && used >= 0 && 2 * used < elapsed && connection.isRunnable();
    }

    /** Displaces all followers, because a cancel request for the present unit might hit theirs. */
    void displaceAll() {
        leave().forEach(BackendWaiter::displaced);
    }

    /** Removes all followers. @return the removed ones */
    private List<BackendWaiter> leave() {
        offered = false;
        List<BackendWaiter> left = new ArrayList<>(queue.size());
        for (int i = queue.size(); i > 0; i--) {
            BackendUser each = queue.remove();
            if (each instanceof BackendWaiter waiter) {
                left.add(waiter);
                if (waiter.owed() > 0) {
                    queue.add(new DiscardReplies(connection, waiter.owed()));
                }
            } else {
                queue.add(each);
            }
        }
        if (!left.isEmpty()) {
            connection.prepared().unnamed(null);
            owner.displaced(left.size());
        }
        return left;
    }
}
