package io.multimed.engine.postgresql.writeset;

/** Receives the positions of a Satellite from its applier, on the applier's thread; nothing is applied before a method returns. */
public interface SubscriberPositions {
    /**
     * Commits up to {@code scn} are about to be shown. It may block until the relay has received that much, so that no reader sees a
     * commit above the floor of all others.
     *
     * @return {@code scn}; or a later position without which these commits must not be shown: the applier takes more, and calls this
     *     again, for a group up to there
     */
    long forwarded(long scn) throws InterruptedException;

    /** The Satellite shows every commit up to {@code scn}. */
    void applied(long scn);

    /** The Satellite has diverged, failed or been given up; called once, last. */
    void lost(Throwable cause);
}
