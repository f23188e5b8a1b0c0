package io.multimed.endpoint.pg.session.reads;

import io.multimed.core.node.ComputationalNode;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * One execution for several sessions that have asked the same. One session, the leader, has the read executed as usual. The reply
 * to the leader is kept for the followers, who receive it when it is complete. If the read fails for any reason, or the reply is
 * too long to be kept, the followers ask for themselves.
 *
 * <p>The leader's event loop begins the read, adds the reply and completes it. The followers' event loops join and leave at any
 * time. A read that has begun cannot be joined. The lock ensures that each follower joined before the read was sent, so that the
 * reply shows what the follower must see.
 */
public final class CoalescedRead {
    /** Most bytes of a reply that are kept. */
    static final int MOST_BYTES = 256 * 1024;

    /** A session that waits for the reply to another session. */
    public interface Follower {
        /**
         * Receives the reply, on the follower's loop.
         *
         * @param answer the node's reply up to ReadyForQuery; not retained
         */
        void answered(CoalescedRead read, ComputationalNode node, ByteBuf answer);

        /** Makes the follower ask for itself, on the follower's loop. */
        void leftAlone(CoalescedRead read);
    }

    private record Seat(Follower follower, Executor loop) {}

    private final ComputationalNode node;
    private final Executor loop;
    private final Object lock = new Object();
    /** Guarded by the lock. */
    private List<Seat> seats = new ArrayList<>(4);
    /** Guarded by the lock. */
    private boolean closed;
    /** The highest SCN that a follower must see. Guarded by the lock. */
    private long required;

    private @Nullable ByteBuf kept;

    /**
     * Creates a read.
     *
     * @param node the node that is to execute it
     * @param loop the leader's event loop
     */
    public CoalescedRead(ComputationalNode node, Executor loop) {
        this.node = node;
        this.loop = loop;
    }

    /** The Satellite that is to execute the read. */
    public ComputationalNode node() {
        return node;
    }

    /** Whether the leader is on this loop. */
    public boolean isLedOn(Executor other) {
        return loop == other;
    }

    /**
     * Joins the read. The follower receives the reply, unless it {@link #leave}s.
     *
     * @param mustSee the SCN that the follower must see
     * @param own the follower's event loop
     * @return false if the read has begun, or has been dissolved
     */
    public boolean join(Follower follower, long mustSee, Executor own) {
        synchronized (lock) {
            if (closed) {
                return false;
            }
            seats.add(new Seat(follower, own));
            required = Math.max(required, mustSee);
            return true;
        }
    }

    /** Leaves the read, because the follower no longer wants the reply. */
    public void leave(Follower follower) {
        synchronized (lock) {
            seats.removeIf(seat -> seat.follower() == follower);
        }
    }

    /**
     * Begins the read, because the leader's unit is about to be sent.
     *
     * @return whether any follower needs the reply to the leader
     */
    public boolean begin() {
        boolean shows;
        synchronized (lock) {
            closed = true;
            shows = node.covers(required);
        }
        if (!shows) {
            // The Satellite has been created anew in the meantime.
            dissolve();
        }
        return isFollowed();
    }

    /** Whether any follower needs the reply to the leader. */
    public boolean isFollowed() {
        synchronized (lock) {
            return !seats.isEmpty();
        }
    }

    /** Adds a part of the reply to the leader. */
    public void told(ByteBuf in, int from, int to) {
        if (!isFollowed()) {
            return;
        }
        ByteBuf all = kept;
        if (all == null) {
            all = in.alloc().buffer(to - from);
            kept = all;
        }
        if (all.readableBytes() + to - from > MOST_BYTES) {
            dissolve();
        } else {
            all.writeBytes(in, from, to - from);
        }
    }

    /**
     * Completes the read after the leader has received the whole reply and it was not an error.
     *
     * @param behind number of bytes at the end that are not for the followers
     */
    public void complete(int behind) {
        ByteBuf bytes = kept;
        if (bytes == null) {
            dissolve();
            return;
        }
        kept = null;
        List<Seat> all = takeSeats();
        ByteBuf answer = bytes.slice(0, bytes.readableBytes() - behind);
        int answered = 0;
        try {
            for (Seat seat : all) {
                if (seat.loop() != loop) {
                    hand(answer.retainedDuplicate(), seat);
                }
            }
            for (Seat seat : all) {
                answered++;
                if (seat.loop() == loop) {
                    seat.follower().answered(this, node, answer);
                }
            }
        } finally {
            bytes.release();
            // Followers on other loops have their reply and ignore this call.
            all.subList(answered, all.size()).forEach(this::leaveAlone);
        }
    }

    /** Delivers the reply on the follower's own loop and releases it. */
    private void hand(ByteBuf answer, Seat seat) {
        try {
            seat.loop().execute(() -> {
                try {
                    seat.follower().answered(this, node, answer);
                } finally {
                    answer.release();
                }
            });
        } catch (RejectedExecutionException itEnds) {
            answer.release();
        }
    }

    /** Dissolves the read. Every follower asks for itself, after the caller has finished its present work. */
    public void dissolve() {
        if (kept != null) {
            kept.release();
            kept = null;
        }
        takeSeats().forEach(this::leaveAlone);
    }

    private List<Seat> takeSeats() {
        synchronized (lock) {
            closed = true;
            List<Seat> taken = seats;
            seats = new ArrayList<>(0);
            return taken;
        }
    }

    private void leaveAlone(Seat seat) {
        try {
            seat.loop().execute(() -> seat.follower().leftAlone(this));
        } catch (RejectedExecutionException itEnds) {
            // The loop ends, and its clients with it.
        }
    }
}
