package io.multimed.jdbc.replay;

import io.multimed.engine.embedded.StatementRecorder.Bindings;
import io.multimed.engine.embedded.spi.Changes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The statements of one transaction that have changed something, in order.
 *
 * @param rows number of rows that they have changed
 */
record StatementChanges(List<Executed> statements, long rows) implements Changes {
    /** The count of a statement that changes no rows. */
    static final long DEFINITION = Long.MIN_VALUE;

    /**
     * A statement that the Master has executed.
     *
     * @param schema schema in which names without one are looked up; null if the engine has none
     * @param bindings its parameters; null if it was not prepared
     * @param rows number of rows that it has changed, {@link io.multimed.jdbc.engine.JdbcEngine#UNKNOWN_ROWS} or
     *     {@link #DEFINITION}
     * @param key the key that it has drawn; null if none
     */
    record Executed(
            String sql,
            @Nullable String schema,
            @Nullable Bindings bindings,
            long rows,
            @Nullable Long key) {
        boolean isDefinition() {
            return rows == DEFINITION;
        }
    }

    static StatementChanges of(List<Executed> statements) {
        return new StatementChanges(
                List.copyOf(statements),
                statements.stream()
                        .mapToLong(executed -> Math.max(1, executed.rows))
                        .sum());
    }
}
