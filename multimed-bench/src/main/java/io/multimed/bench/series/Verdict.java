package io.multimed.bench.series;

import io.multimed.bench.client.Told;

/**
 * One invariant of one database.
 *
 * @param contradiction what was found instead; empty when it holds
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
