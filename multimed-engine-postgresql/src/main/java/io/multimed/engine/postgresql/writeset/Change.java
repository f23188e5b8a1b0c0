package io.multimed.engine.postgresql.writeset;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** One change of a transaction. Immutable. */
public sealed interface Change {
    /** Memory of a change besides its rows. */
    int BYTES = 48;

    /** Returns the number of bytes in memory, roughly. */
    long bytes();

    /** A new row; it has no unchanged values. */
    record Insert(Relation relation, Row row) implements Change {
        @Override
        public long bytes() {
            return BYTES + row.bytes();
        }
    }

    /**
     * A row that has changed.
     *
     * @param old its former values: all of them if the replica identity is full; those of the key, and NULL elsewhere, if the key
     *     has changed; else null
     * @param row may have unchanged values, but not in the key
     */
    record Update(Relation relation, @Nullable Row old, Row row) implements Change {
        @Override
        public long bytes() {
            return BYTES + (old == null ? 0 : old.bytes()) + row.bytes();
        }
    }

    /**
     * A row that is gone.
     *
     * @param old all its values if the replica identity is full; else those of the key, and NULL elsewhere
     */
    record Delete(Relation relation, Row old) implements Change {
        @Override
        public long bytes() {
            return BYTES + old.bytes();
        }
    }

    /** Tables that were emptied together. */
    record Truncate(List<Relation> relations, boolean restartIdentity) implements Change {
        public Truncate {
            relations = List.copyOf(relations);
        }

        @Override
        public long bytes() {
            return BYTES + 8L * relations.size();
        }
    }
}
