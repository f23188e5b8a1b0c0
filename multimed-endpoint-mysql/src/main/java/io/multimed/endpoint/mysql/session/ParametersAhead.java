package io.multimed.endpoint.mysql.session;

import io.multimed.protocol.mysql.ErrMessage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The parameters of a prepared statement that the client has sent ahead of an execution, as long as no engine has them. */
final class ParametersAhead {
    /** Bytes that are kept at most. With more the Master executes the statement. */
    private static final int MOST_BYTES = 1 << 16;
    /** Bytes that each part takes besides its own. */
    private static final int OVERHEAD = 32;

    private final PreparedCounts counts;
    private List<byte[]> kept = new ArrayList<>();
    private int bytes;
    private boolean existed;
    private @Nullable ErrMessage error;

    /** @param counts of what is kept for all clients */
    ParametersAhead(PreparedCounts counts) {
        this.counts = counts;
    }

    /**
     * Keeps the payload of a command that brings a part of a parameter.
     *
     * @return false if it has to go to the Master, with all that was kept
     */
    boolean keep(byte[] payload) {
        int more = payload.length + OVERHEAD;
        if (bytes + more > MOST_BYTES || !counts.reserveBytes(more)) {
            return false;
        }
        kept.add(payload);
        bytes += more;
        return true;
    }

    /** Returns the kept payloads. */
    List<byte[]> kept() {
        return kept;
    }

    /** Returns the kept payloads, which are kept no longer. */
    List<byte[]> take() {
        List<byte[]> taken = kept;
        kept = new ArrayList<>();
        counts.releaseBytes(bytes);
        bytes = 0;
        return taken;
    }

    /** Records that the client has sent a part of a parameter. */
    void exist() {
        existed = true;
    }

    /** Whether engines may have kept an error of parameters that were sent ahead, since the last reset. */
    boolean haveExisted() {
        return existed;
    }

    /** Records the error by which a part was lost. The client has not been told, since it expects no reply. */
    void fail(ErrMessage reason) {
        take();
        error = reason;
    }

    /** Returns the error that the next execution has; null for none. */
    @Nullable
    ErrMessage error() {
        return error;
    }

    /** Notes that an execution has ended. It has reported the error, or has used what was kept; both are past. */
    void executed() {
        take();
        error = null;
    }

    /** Forgets all, the error too. */
    void reset() {
        take();
        existed = false;
        error = null;
    }
}
