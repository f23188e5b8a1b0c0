package io.multimed.endpoint.pg.session.reads;

import io.multimed.core.node.ComputationalNode;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * One execution for several sessions that have asked the same. One of them, who leads, has it executed as ever; what it is
 * told is kept for those who follow, who get it when all of it is there. If that does not go well, for whatever reason,
 * or is too much to be kept, they ask for themselves.
 *
 * <p>The leader's event loop begins, tells and completes; those of followers join and leave, at any time. What has begun nobody
 * joins: the lock sees to it that whoever joined did so before the read was sent, so that it shows what they must see.
 */
public final class CoalescedRead {
    /** More is not kept. */
    static final int MOST_BYTES = 256 * 1024;

    /** Somebody who waits for what another is told. */
    public interface Follower {
        /**
         * On the follower's loop.
         *
         * @param answer what the node has answered, up to ReadyForQuery; not retained
         */
        void answered(CoalescedRead read, ComputationalNode node, ByteBuf answer);

        /** On the follower's loop: it has to ask for itself. */
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
    /** What those who have joined must see; guarded by the lock. */
    private long required;

    private @Nullable ByteBuf kept;

    /**
     * @param node which is to execute it
     * @param loop the leader's
     */
    public CoalescedRead(ComputationalNode node, Executor loop) {
        this.node = node;
        this.loop = loop;
    }

    /** The Satellite which is to execute it. */
    public ComputationalNode node() {
        return node;
    }

    /** Whether whoever leads is on this loop. */
    public boolean isLedOn(Executor other) {
        return loop == other;
    }

    /**
     * The follower is told the answer, unless it {@link #leave}s.
     *
     * @param mustSee the SCN that it must see
     * @param own its event loop
     * @return false if the read has begun, or comes to nothing
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

    /** Wants it no longer. */
    public void leave(Follower follower) {
        synchronized (lock) {
            seats.removeIf(seat -> seat.follower() == follower);
        }
    }

    /**
     * The leader's unit is going to be sent.
     *
     * @return whether what the leader is told is of use to anybody else
     */
    public boolean begin() {
        boolean shows;
        synchronized (lock) {
            closed = true;
            shows = node.covers(required);
        }
        if (!shows) {
            // The Satellite was made anew meanwhile.
            dissolve();
        }
        return isFollowed();
    }

    /** Whether what the leader is told is of use to anybody else. */
    public boolean isFollowed() {
        synchronized (lock) {
            return !seats.isEmpty();
        }
    }

    /** The leader is told this. */
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
     * The leader has been told everything, and that went well.
     *
     * @param behind so many bytes of it are not for the others
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
            // Those of other loops have their answer, and heed nothing more.
            all.subList(answered, all.size()).forEach(this::leaveAlone);
        }
    }

    /** Tells the answer on the follower's own loop, and releases it. */
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

    /** Nothing comes of it: everybody asks for themselves, once whoever finds that out has done what it does. */
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
            // And its clients with it.
        }
    }
}
