package io.multimed.bench.series;

import io.multimed.bench.client.Told;

/**
 * The check of one invariant of one database.
 *
 * @param contradiction the contradiction that was found; empty when the invariant holds
 */
public record Verdict(String invariant, String contradiction) {
    static Verdict ofAnswers(Told told) {
        return new Verdict(
                "no answer is wrong", told.wrongAnswers() == 0 ? "" : told.wrongAnswers() + " wrong answers");
    }

    public boolean holds() {
        return contradiction.isEmpty();
    }
}
