package io.multimed.engine.embedded.spi;

import org.jspecify.annotations.Nullable;

/** One pass over a Master's contents beside those of one Satellite, a part at a time. Used by one thread. */
public interface Comparison {
    /** Whether update transactions must be kept out while the Master is looked at, since what they change cannot be told apart. */
    boolean alone();

    /** Whether all parts have passed. */
    boolean done();

    /**
     * Looks at the Master's next part. Takes some microseconds, since nothing commits meanwhile.
     *
     * @return null if it cannot be looked at now
     */
    @Nullable
    Part part();

    /** The part that was looked at last is equal: the next one is the one behind it. */
    void passed();

    /** Goes on with the next table: this one cannot be compared. */
    void skip();

    /** Rows of one table, as they are at one SCN. */
    interface Part extends AutoCloseable {
        /** Looks at the same part of the Satellite, which does not change meanwhile. Takes some microseconds. */
        void lookAtSatellite();

        /**
         * Compares what was looked at. Nothing is held meanwhile.
         *
         * @return in words, where the Satellite differs; null if it does not
         */
        @Nullable
        String difference();

        /** How many rows of the Master have been compared. */
        long rows();

        /** Releases the objects that were looked at. */
        @Override
        default void close() {}
    }
}
