package io.multimed.engine.postgresql.indexes;

import java.util.List;

/**
 * An index of the Master with its statistics.
 *
 * @param index as it would be moved; one that serves a constraint has an empty place there
 * @param duty the reason why the Master needs it, in a few words; empty if reads alone do
 * @param isValid whether it is complete; one that is not is left from an interrupted command
 * @param bytes its size
 * @param scans on the Master since the statistics began
 * @param foreignKey name of a foreign key whose columns it begins with; empty if there is none
 * @param carriedBy the partial Satellites that carry its table
 * @param indexesOfTable number of all indexes of its table
 * @param writes rows inserted, updated outside of HOT, and deleted since the statistics began
 */
public record SurveyedIndex(
        Name index,
        String duty,
        boolean isValid,
        long bytes,
        long scans,
        String foreignKey,
        List<String> carriedBy,
        int indexesOfTable,
        long writes) {
    /** The names and the definition of an index. */
    public record Name(
            String database,
            String schema,
            String table,
            String name,
            String definition,
            String tablespace,
            String comment) {}

    public SurveyedIndex {
        carriedBy = List.copyOf(carriedBy);
    }

    /** Whether PostgreSQL lets it be dropped and made again as it was, and the Master needs it for no constraint. */
    public boolean isMovable() {
        return duty.isEmpty() && isValid;
    }

    /** Returns it as it is moved; it must be movable. */
    public MovedIndex moved() {
        return new MovedIndex(
                index.database(),
                index.schema(),
                index.table(),
                index.name(),
                index.definition(),
                index.tablespace(),
                index.comment());
    }
}
