package io.multimed.endpoint.pg.session.reads;

import io.multimed.core.node.ComputationalNode;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One execution for several sessions that have asked the same. One of them, who leads, has it executed as ever; what it is
 * told is kept for those who follow, who get it when all of it is there. If that does not go well, for whatever reason,
 * or is too much to be kept, they ask for themselves. Used on one event loop.
 */
public final class CoalescedRead {
    /** More is not kept. */
    static final int MOST_BYTES = 256 * 1024;

    /** Somebody who waits for what another is told. */
    public interface Follower {
        /** @param answer what the node has answered, up to ReadyForQuery; not retained */
        void answered(CoalescedRead read, ComputationalNode node, ByteBuf answer);

        /** It has to ask for itself. */
        void leftAlone(CoalescedRead read);
    }

    private final Executor loop;
    private List<Follower> followers = new ArrayList<>(4);
    private @Nullable ByteBuf kept;

    public CoalescedRead(Executor loop) {
        this.loop = loop;
    }

    /** It is told the answer, unless it {@link #leave}s. */
    public void join(Follower follower) {
        followers.add(follower);
    }

    /** Wants it no longer. */
    public void leave(Follower follower) {
        followers.remove(follower);
    }

    /** Whether what the leader is told is of use to anybody else. */
    public boolean isFollowed() {
        return !followers.isEmpty();
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
    public void complete(ComputationalNode node, int behind) {
        ByteBuf bytes = kept;
        if (bytes == null) {
            dissolve();
            return;
        }
        kept = null;
        List<Follower> all = followers;
        followers = new ArrayList<>(0);
        ByteBuf answer = bytes.slice(0, bytes.readableBytes() - behind);
        int answered = 0;
        try {
            while (answered < all.size()) {
                all.get(answered++).answered(this, node, answer);
            }
        } finally {
            bytes.release();
            leaveAlone(all.subList(answered, all.size()));
        }
    }

    /** Nothing comes of it: everybody asks for themselves, once whoever finds that out has done what it does. */
    public void dissolve() {
        if (kept != null) {
            kept.release();
            kept = null;
        }
        List<Follower> left = followers;
        followers = new ArrayList<>(0);
        leaveAlone(left);
    }

    private void leaveAlone(List<Follower> left) {
        left.forEach(follower -> loop.execute(() -> follower.leftAlone(this)));
    }
}
