package io.multimed.endpoint.pg.backend;

/**
 * Whether the relay has received every commit that the Master shows. As long as it has not, no read that must see them all goes to a
 * Satellite. Any thread.
 */
public interface CommitDoubts {
    /**
     * From now on the Master may show a commit that the relay has not received.
     *
     * @return the number of this doubt
     */
    long begin();

    /** Whether the relay has received what that doubt was about. */
    boolean isOver(long doubt);
}
