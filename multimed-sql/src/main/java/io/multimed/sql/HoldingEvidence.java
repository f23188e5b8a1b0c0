package io.multimed.sql;

import java.util.function.Supplier;

/** Receives the reasons why partial Satellites do not hold a read, while these are found. Called by one thread. */
interface HoldingEvidence {
    /** Nobody asks for reasons. */
    HoldingEvidence NONE = new HoldingEvidence() {
        @Override
        public void lacks(long nodes, Supplier<String> because) {}

        @Override
        public void reaches(String relation) {}
    };

    /**
     * Receives one reason.
     *
     * @param nodes bits of the partial Satellites that do not hold the read for this reason
     * @param because returns a few words for a person
     */
    void lacks(long nodes, Supplier<String> because);

    /** Receives a relation that the read can reach. */
    void reaches(String relation);
}
