package io.multimed.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The evidence by which partial Satellites hold a read, or do not, for a person. It is found by the code that finds
 * {@link Statement.Read#holders}, so that the two cannot differ.
 *
 * @param relations names of the relations that the read can reach, as far as they are known: they are for databases of which partial
 *     Satellites carry tables
 * @param lacks the reasons why nodes do not hold it
 */
public record ReadEvidence(List<String> relations, List<Lack> lacks) {
    /** No relation and no reason. */
    public static final ReadEvidence NONE = new ReadEvidence(List.of(), List.of());

    /**
     * A reason why partial Satellites do not hold a read.
     *
     * @param nodes their bits
     * @param because a few words for a person
     */
    public record Lack(long nodes, String because) {}

    public ReadEvidence {
        relations = List.copyOf(relations);
        lacks = List.copyOf(lacks);
    }

    /** Returns the first reason why a node does not hold the read; null if it holds it. */
    public @Nullable String because(long node) {
        for (Lack lack : lacks) {
            if ((lack.nodes() & node) != 0) {
                return lack.because();
            }
        }
        return null;
    }

    /** Returns the bits of the nodes that hold the read. */
    public long holders() {
        long lacking = 0;
        for (Lack lack : lacks) {
            lacking |= lack.nodes();
        }
        return ~lacking;
    }

    /** Collects the evidence. */
    static final class Collector implements HoldingEvidence {
        private final Set<String> relations = new TreeSet<>();
        private final List<Lack> lacks = new ArrayList<>();

        @Override
        public void lacks(long nodes, Supplier<String> because) {
            if (nodes != 0) {
                lacks.add(new Lack(nodes, because.get()));
            }
        }

        @Override
        public void reaches(String relation) {
            relations.add(relation);
        }

        ReadEvidence collected() {
            return new ReadEvidence(List.copyOf(relations), lacks);
        }
    }
}
