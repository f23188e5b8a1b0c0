package io.multimed.jdbc;

import io.multimed.jdbc.sql.Dialect;
import io.multimed.jdbc.sql.SqlKind;
import io.multimed.jdbc.sql.SqlText;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Executes what is more to a session than a statement that runs somewhere: definitions, settings, transaction control. */
final class SpecialExecution {
    /** They end the open transaction, or may. */
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

    /** @return what {@code execution} returned; 0 if no engine has seen the statement */
    static long run(LogicalStatement self, SqlText text, Execution execution) throws SQLException {
        Session session = self.session;
        if (ENDING.contains(text.kind())) {
            self.connection.checkMayEndTransaction();
        }
        switch (text.kind()) {
            case DDL, OPAQUE, SHUTDOWN:
                return session.define(text, () -> execution.on(self, self.on(session.master()), text.sql()));
            case SETTING:
                long set = self.ordinary(text, execution);
                session.followed(text);
                return set;
            case PRIVATE:
                session.pin();
                return self.ordinary(text, execution);
            case COMMITTING:
                // Else what is open would be committed without anybody being told of it.
                session.commit();
                return self.ordinary(text, execution);
            case PRIVATE_COMMITTING:
                session.commit();
                session.pin();
                return self.ordinary(text, execution);
            case MULTIMED:
                String query = session.multimed(text);
                return query == null ? self.unseen() : own(self, session.recognise(query), execution);
            case SEVERAL:
                return several(self, text, execution);
            default:
                if (execution == Execution.QUERY || execution == LogicalPreparedStatement.QUERY) {
                    throw self.connection.noQuery();
                }
                if (session.dialect() == Dialect.STATEMENTS && !session.repeats()) {
                    // Alone, in whatever way its driver takes it.
                    return self.ordinary(text, execution);
                }
                if (text.kind() == SqlKind.BEGIN && session.dialect() != Dialect.H2 && !session.autoCommit()) {
                    // The others object if something is open.
                    return self.ordinary(text, execution);
                }
                control(session, text);
                return self.unseen();
        }
    }

    /** A statement of the driver's, which holds literals also where the application's may hold none. */
    private static long own(LogicalStatement self, SqlText query, Execution execution) throws SQLException {
        Session session = self.session;
        session.answers(true);
        try {
            return self.ordinary(query, execution);
        } finally {
            session.answers(false);
        }
    }

    /** Transactions in the words of SQL. */
    private static void control(Session session, SqlText text) throws SQLException {
        switch (text.kind()) {
            case COMMIT -> session.commit();
            case ROLLBACK -> session.rollback();
            case BEGIN -> session.begin(text);
            case AUTOCOMMIT_ON -> session.autoCommit(true);
            case AUTOCOMMIT_OFF -> session.autoCommit(false);
            default -> throw new IllegalStateException("not transaction control: " + text.kind());
        }
    }

    /** As the engines do: the first one's result counts, then the others are executed. */
    private static long several(LogicalStatement self, SqlText text, Execution execution) throws SQLException {
        Session session = self.session;
        List<SqlText> parts = text.parts();
        if (session.dialect() == Dialect.HSQLDB) {
            // It compiles all of them before it executes any.
            for (SqlText part : parts) {
                session.master().prepareStatement(part.sql()).close();
            }
        }
        long result = self.run(parts.get(0), execution);
        for (SqlText part : parts.subList(1, parts.size())) {
            try (LogicalStatement other =
                    new LogicalStatement(session, self.connection, StatementForm.of(StatementForm.Kind.PLAIN, ""))) {
                other.run(part, Execution.ANY);
            }
        }
        return result;
    }
}
