package io.multimed.sql;

import java.util.List;
import java.util.Optional;

/**
 * The parts of routing rules that a statement's text decides. A statement is compared with them once, when its shape is classified.
 *
 * @param rules in their order; the bit of each in {@link ReadMarks#rules} is its index
 * @param hints whether a comment such as <code>/&#42; multimed: node=NAME &#42;/</code> counts
 * @param generation distinguishes rules that replace others in a running process; the bits of one mean nothing in another
 */
public record StatementRules(List<Rule> rules, boolean hints, int generation) {
    /** No rules, and no comment counts. */
    public static final StatementRules NONE = new StatementRules(List.of(), false, 0);

    /** The largest number of rules: one bit each. */
    public static final int MOST = Long.SIZE;

    /**
     * A rule's conditions. A rule without any matches every read.
     *
     * @param tables qualified names as in {@link PartialTables.Node#tables}; the read touches at least one of them, unless there are
     *     none
     * @param shape the fingerprint of the statement's shape, as {@link ReadMarks#fingerprint} shows it
     */
    public record Rule(List<String> tables, Optional<String> shape) {
        public Rule {
            tables = List.copyOf(tables);
        }
    }

    /** Makes the first rules of a process. */
    public StatementRules(List<Rule> rules, boolean hints) {
        this(rules, hints, 0);
    }

    public StatementRules {
        rules = List.copyOf(rules);
        if (rules.size() > MOST) {
            throw new IllegalArgumentException("more than " + MOST + " rules: " + rules.size());
        }
    }

    /** Returns the bits of the rules whose condition about the shape holds. */
    long ofShape(long shape) {
        long found = 0;
        for (int i = 0; i < rules.size(); i++) {
            Optional<String> wanted = rules.get(i).shape();
            if (wanted.isEmpty() || wanted.get().equals(ReadMarks.fingerprint(shape))) {
                found |= 1L << i;
            }
        }
        return found;
    }
}
