package io.multimed.testkit.history;

import java.util.Set;

/**
 * One transaction in the order of the Master's commit records.
 *
 * @param id the number it wrote
 * @param registers that it changed
 */
public record Commit(long id, Set<Integer> registers) {
    public Commit {
        registers = Set.copyOf(registers);
    }
}
