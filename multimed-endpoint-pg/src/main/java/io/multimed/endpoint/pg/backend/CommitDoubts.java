package io.multimed.endpoint.pg.backend;

/**
 * Doubts whether the relay has received every commit that the Master shows. While there is a doubt, no read that must see all
 * commits goes to a Satellite. Thread-safe.
 */
public interface CommitDoubts {
    /**
     * Begins a doubt: from now on the Master may show a commit that the relay has not received.
     *
     * @return the number of this doubt
     */
    long begin();

    /** Whether the relay has received all commits that this doubt was about. */
    boolean isOver(long doubt);
}
