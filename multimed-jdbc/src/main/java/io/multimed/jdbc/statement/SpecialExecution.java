package io.multimed.jdbc.statement;

import io.multimed.jdbc.session.DriverSession;
import io.multimed.jdbc.sql.Dialect;
import io.multimed.jdbc.sql.SqlKind;
import io.multimed.jdbc.sql.SqlText;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Executes statements that affect the session and not only the node on which they run: definitions, settings, transaction control.
 */
final class SpecialExecution {
    /** Kinds of statements that end the open transaction, or may do so. */
    private static final Set<SqlKind> ENDING = EnumSet.of(
            SqlKind.DDL,
            SqlKind.OPAQUE,
            SqlKind.COMMITTING,
            SqlKind.PRIVATE_COMMITTING,
            SqlKind.COMMIT,
            SqlKind.ROLLBACK,
            SqlKind.AUTOCOMMIT_ON,
            SqlKind.AUTOCOMMIT_OFF,
            SqlKind.SHUTDOWN);

    private SpecialExecution() {}

    /**
     * Executes a statement.
     *
     * @return the result of {@code execution}; 0 if no engine has executed the statement
     */
    static long run(LogicalStatement self, SqlText text, Execution execution) throws SQLException {
        DriverSession session = self.session;
        if (ENDING.contains(text.kind())) {
            self.owner.checkMayEndTransaction();
        }
        return switch (text.kind()) {
            case DDL, OPAQUE, SHUTDOWN ->
                session.define(text, () -> execution.on(self, self.on(session.master()), text.sql()));
            case ENDS_OTHERS -> session.endOthers(() -> self.ordinary(text, execution));
            case SETTING -> {
                long set = self.ordinary(text, execution);
                session.followed(text);
                yield set;
            }
            case PRIVATE -> {
                session.pin();
                yield self.ordinary(text, execution);
            }
            case COMMITTING -> {
                // Commits first, because the engine would commit the open transaction unannounced.
                session.commit();
                yield self.ordinary(text, execution);
            }
            case PRIVATE_COMMITTING -> {
                session.commit();
                session.pin();
                yield self.ordinary(text, execution);
            }
            case MULTIMED -> {
                String query = session.multimed(text);
                yield query == null ? self.unseen() : own(self, session.recognise(query), execution);
            }
            case SEVERAL -> several(self, text, execution);
            default -> {
                if (execution == Execution.QUERY || execution == LogicalPreparedStatement.QUERY) {
                    throw session.errors().noQuery();
                }
                if (session.dialect() == Dialect.DESCRIBED
                        && !session.propagation().records()) {
                    // On an engine without replicas, its driver handles the statement.
                    yield self.ordinary(text, execution);
                }
                if (text.kind() == SqlKind.BEGIN && session.dialect() != Dialect.H2 && !session.autoCommit()) {
                    // The other engines throw an error if a transaction is open.
                    yield self.ordinary(text, execution);
                }
                control(session, text);
                yield self.unseen();
            }
        };
    }

    /** Executes a statement of the driver's own, which may contain literals even where the application's may not. */
    private static long own(LogicalStatement self, SqlText query, Execution execution) throws SQLException {
        DriverSession session = self.session;
        session.answers(true);
        try {
            return self.ordinary(query, execution);
        } finally {
            session.answers(false);
        }
    }

    /** Executes transaction control in SQL. */
    private static void control(DriverSession session, SqlText text) throws SQLException {
        switch (text.kind()) {
            case COMMIT -> session.commit();
            case ROLLBACK -> session.rollback();
            case BEGIN -> session.begin(text);
            case AUTOCOMMIT_ON -> session.autoCommit(true);
            case AUTOCOMMIT_OFF -> session.autoCommit(false);
            default -> throw new IllegalStateException("not transaction control: " + text.kind());
        }
    }

    /** Executes several statements as the engines do: the result of the first one counts, then the others are executed. */
    private static long several(LogicalStatement self, SqlText text, Execution execution) throws SQLException {
        DriverSession session = self.session;
        List<SqlText> parts = text.parts();
        if (session.dialect() == Dialect.HSQLDB) {
            // HSQLDB compiles all of them before it executes any.
            for (SqlText part : parts) {
                session.master().prepareStatement(part.sql()).close();
            }
        }
        long result = self.run(parts.get(0), execution);
        for (SqlText part : parts.subList(1, parts.size())) {
            try (LogicalStatement other =
                    new LogicalStatement(session, self.owner, StatementForm.of(StatementForm.Kind.PLAIN, ""))) {
                other.run(part, Execution.ANY);
            }
        }
        return result;
    }
}
