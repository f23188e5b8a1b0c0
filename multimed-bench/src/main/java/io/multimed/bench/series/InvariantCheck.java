package io.multimed.bench.series;

import io.multimed.bench.client.Told;

/**
 * The check of one invariant of one database.
 *
 * @param contradiction the contradiction that was found; empty when the invariant holds
 */
public record InvariantCheck(String invariant, String contradiction) {
    static InvariantCheck ofAnswers(Told told) {
        return new InvariantCheck(
                "no answer is wrong", told.wrongAnswers() == 0 ? "" : told.wrongAnswers() + " wrong answers");
    }

    public boolean holds() {
        return contradiction.isEmpty();
    }
}
