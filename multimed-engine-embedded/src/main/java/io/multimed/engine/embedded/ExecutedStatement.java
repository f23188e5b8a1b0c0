package io.multimed.engine.embedded;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * A statement as it was executed on the Master, to be executed again.
 *
 * @param sql its text
 * @param bindings one per execution: one for a plain execution, one per element of a batch; without parameters one that
 *     binds nothing
 */
public record ExecutedStatement(String sql, List<Binding> bindings) {
    public ExecutedStatement {
        bindings = List.copyOf(bindings);
    }

    /** Sets the parameters of one execution; called by several threads, on other connections. */
    @FunctionalInterface
    public interface Binding {
        void bind(PreparedStatement statement) throws SQLException;
    }
}
