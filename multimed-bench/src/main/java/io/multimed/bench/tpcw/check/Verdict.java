package io.multimed.bench.tpcw.check;

/**
 * One invariant of one database.
 *
 * @param contradiction what was found instead; empty when it holds
 */
public record Verdict(String invariant, String contradiction) {
    public boolean holds() {
        return contradiction.isEmpty();
    }
}
