package io.multimed.jdbc.statement;

import io.multimed.jdbc.errors.Errors;
import io.multimed.jdbc.session.DriverSession;
import io.multimed.jdbc.sql.SqlKind;
import io.multimed.jdbc.sql.SqlText;
import io.multimed.jdbc.statement.StatementForm.Kind;
import java.sql.CallableStatement;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Makes the statements of one connection of the application. */
public final class StatementFactory {
    private final DriverSession session;
    private final StatementOwner owner;

    public StatementFactory(DriverSession session, StatementOwner owner) {
        this.session = session;
        this.owner = owner;
    }

    /** Makes a plain statement. */
    public Statement plain(StatementForm asked) throws SQLException {
        owner.checkOpen();
        StatementForm form = form(asked);
        LogicalStatement statement = new LogicalStatement(session, owner, form);
        if (form.masterOnly()) {
            // The engine may object to the requested kind of result set.
            statement.on(session.master());
        }
        return statement;
    }

    /** Prepares a statement. */
    public PreparedStatement prepared(StatementForm asked) throws SQLException {
        checkText(asked);
        StatementForm form = form(asked);
        SqlText text = session.recognise(form.sql());
        if (text.kind() == SqlKind.MULTIMED) {
            String query = session.multimed(text);
            if (!form.sql().equals(query)) {
                return prepared(StatementForm.of(Kind.PREPARED, query == null ? "" : query));
            }
        }
        if (text.kind() == SqlKind.SEVERAL) {
            throw Errors.notSupported("A prepared statement holds several statements, one of which defines something or"
                    + " ends a transaction: prepare them one by one, or use a plain Statement.");
        }
        try {
            return session.inTurn(() -> new LogicalPreparedStatement(session, owner, form));
        } catch (IllegalStateException e) {
            throw Errors.noStatement(e);
        }
    }

    /** Returns the form in which a statement is made, so that its rows can be read before it is left. */
    private StatementForm form(StatementForm asked) {
        return session.propagation().scrolls() ? asked.scrollable() : asked;
    }

    /** Checks that there is a text. For null, the engine's own error is thrown. */
    private void checkText(StatementForm form) throws SQLException {
        owner.checkOpen();
        if (form.sql() == null) {
            try {
                form.create(session.master()).close();
            } catch (NullPointerException e) {
                throw Errors.noStatement(e);
            }
            throw Errors.invalid("There is no statement to be prepared: the text is null.");
        }
    }

    /** Prepares a call. */
    public CallableStatement callable(StatementForm form) throws SQLException {
        checkText(form);
        session.propagation().checkCall();
        return session.inTurn(() -> new LogicalCallableStatement(session, owner, form));
    }

    /** Returns the rows of a catalog query as those of a statement of the application. */
    public ResultSet catalog(ResultSet rows) {
        return new LogicalResultSet(session, new CatalogStatement(session, owner, rows), rows);
    }
}
