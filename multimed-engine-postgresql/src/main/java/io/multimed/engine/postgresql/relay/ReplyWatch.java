package io.multimed.engine.postgresql.relay;

/**
 * Watch over the replies of a Satellite, for silence.
 *
 * <p>Relay thread.
 */
final class ReplyWatch {
    private long unansweredSince = Long.MAX_VALUE;
    private long askedAt;
    private long heardAt;
    private boolean reportedSilent;

    /** Notes that the Satellite was asked for its position. */
    void asked(long now) {
        askedAt = now;
        unansweredSince = Math.min(unansweredSince, now);
    }

    /** Notes a reply; returns whether it ends a silence that was reported. */
    boolean replied(long now) {
        heardAt = now;
        unansweredSince = Long.MAX_VALUE;
        boolean ends = reportedSilent;
        reportedSilent = false;
        return ends;
    }

    /** Returns when the Satellite was last asked or last answered: it reports by itself whenever it has replayed all it has. */
    long lastContact() {
        return Math.max(askedAt, heardAt);
    }

    /**
     * Whether a silence longer than {@code bound} is to be reported, once. A pause of the Relay itself does not count, only an
     * unanswered request.
     */
    boolean fallsSilent(long now, long bound) {
        if (reportedSilent || unansweredSince == Long.MAX_VALUE || now - unansweredSince <= bound) {
            return false;
        }
        reportedSilent = true;
        return true;
    }
}
