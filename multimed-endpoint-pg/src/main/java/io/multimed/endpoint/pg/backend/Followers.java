package io.multimed.endpoint.pg.backend;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Those who have sent a unit on a connection behind that of its user, in order, and whether more may. What each is owed of
 * ReadyForQuery, somebody silent hears for those who have left.
 */
final class Followers {
    private final BackendConnection connection;
    private final NodeBackends owner;
    private final ArrayDeque<BackendUser> queue = new ArrayDeque<>(0);
    /** What was sent last is complete, and short as far as anybody knows: others may send theirs behind it. */
    private boolean offered;
    /** How often it was seen that somebody waits behind the present user. */
    private int timesSeenWaiting;
    /** Processor time that the engine's process had used when that was seen first, and when it was. */
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

    /** Whether somebody may send a unit behind those that are under way. */
    boolean takesMore() {
        return isOffered() && queue.size() < owner.mostFollowers() && connection.isWritable();
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    int size() {
        return queue.size();
    }

    /** Somebody sends one unit behind all others, now. */
    void add(BackendWaiter follower) {
        offered = false;
        if (queue.isEmpty()) {
            timesSeenWaiting = 0;
        }
        queue.add(follower);
    }

    /** The connection has another user. */
    void userChanged() {
        timesSeenWaiting = 0;
    }

    @Nullable
    BackendUser next() {
        return queue.poll();
    }

    /**
     * One of them leaves.
     *
     * @param owed how many ReadyForQuery the engine owes it; none if it has sent nothing yet, and then it is the last
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
     * Called at intervals: whoever has waited long behind the user leaves, and what nobody hears is not executed for long.
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

    /** Whether what the user has sent is not slow itself: the engine's process wanted a processor, and mostly had none. */
    private boolean isKeptFromProcessor() {
        long used = connection.processorNanos() - processorNanosBefore;
        long elapsed = owner.loop().nanoTime() - nanosBefore;
        return processorNanosBefore >= 0 && used >= 0 && 2 * used < elapsed && connection.isRunnable();
    }

    /** What runs is about to be cancelled, which might hit them. */
    void displaceAll() {
        leave().forEach(BackendWaiter::displaced);
    }

    /** All leave. @return who they were */
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
