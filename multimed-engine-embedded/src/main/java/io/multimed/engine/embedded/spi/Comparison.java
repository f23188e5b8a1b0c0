package io.multimed.engine.embedded.spi;

import org.jspecify.annotations.Nullable;

/** One comparison of a Master's contents with those of one Satellite, a part at a time. Used by one thread. */
public interface Comparison {
    /** Whether update transactions must be kept out while the Master is read, since uncommitted changes cannot be recognised. */
    boolean alone();

    /** Whether all parts have passed. */
    boolean done();

    /**
     * Reads the Master's next part. Takes some microseconds, since nothing commits meanwhile.
     *
     * @return null if it cannot be read now
     */
    @Nullable
    Part part();

    /** Notes that the part read last is equal, and moves on to the next one. */
    void passed();

    /** Moves on to the next table, because this one cannot be compared. */
    void skip();

    /** Rows of one table as of one SCN. */
    interface Part extends AutoCloseable {
        /** Reads the same part of the Satellite, which does not change meanwhile. Takes some microseconds. */
        void lookAtSatellite();

        /**
         * Compares both sides. Holds no locks.
         *
         * @return a description of the place where the Satellite differs; null if it does not
         */
        @Nullable
        String difference();

        /** Returns the number of the Master's rows that have been compared. */
        long rows();

        /** Releases the objects that were read. */
        @Override
        default void close() {}
    }
}
