package io.multimed.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** How the application made a statement, so that it can be made likewise on another connection. Immutable. */
final class StatementForm {
    enum Kind {
        PLAIN,
        PREPARED,
        CALLABLE
    }

    private static final int UNSAID = -1;

    private final Kind kind;
    private final String sql;
    private final int type;
    private final int concurrency;
    private final int holdability;
    private final int keys;
    private final int @Nullable [] columns;
    private final String @Nullable [] names;

    private StatementForm(
            Kind kind,
            String sql,
            int type,
            int concurrency,
            int holdability,
            int keys,
            int @Nullable [] columns,
            String @Nullable [] names) {
        this.kind = kind;
        this.sql = sql;
        this.type = type;
        this.concurrency = concurrency;
        this.holdability = holdability;
        this.keys = keys;
        this.columns = columns;
        this.names = names;
    }

    static StatementForm of(Kind kind, String sql) {
        return new StatementForm(kind, sql, UNSAID, UNSAID, UNSAID, UNSAID, null, null);
    }

    static StatementForm of(Kind kind, String sql, int type, int concurrency) {
        return new StatementForm(kind, sql, type, concurrency, UNSAID, UNSAID, null, null);
    }

    static StatementForm of(Kind kind, String sql, int type, int concurrency, int holdability) {
        return new StatementForm(kind, sql, type, concurrency, holdability, UNSAID, null, null);
    }

    static StatementForm keys(String sql, int keys) {
        return new StatementForm(Kind.PREPARED, sql, UNSAID, UNSAID, UNSAID, keys, null, null);
    }

    static StatementForm keys(String sql, int[] columns) {
        return new StatementForm(Kind.PREPARED, sql, UNSAID, UNSAID, UNSAID, UNSAID, columns, null);
    }

    static StatementForm keys(String sql, String[] names) {
        return new StatementForm(Kind.PREPARED, sql, UNSAID, UNSAID, UNSAID, UNSAID, null, names);
    }

    /** The same, with rows that can be scrolled through where that changes nothing else: they can be read before they are fetched. */
    StatementForm scrollable() {
        boolean forward = type == UNSAID || type == ResultSet.TYPE_FORWARD_ONLY;
        boolean reads = concurrency == UNSAID || concurrency == ResultSet.CONCUR_READ_ONLY;
        if (!forward || !reads || keys != UNSAID || columns != null || names != null) {
            return this;
        }
        return new StatementForm(
                kind,
                sql,
                ResultSet.TYPE_SCROLL_INSENSITIVE,
                ResultSet.CONCUR_READ_ONLY,
                holdability,
                keys,
                columns,
                names);
    }

    Kind kind() {
        return kind;
    }

    /** The text to be prepared; empty for a plain statement. */
    String sql() {
        return sql;
    }

    /** Whether its results may be changed through, or ask to see changes made meanwhile: the Master's alone. */
    boolean masterOnly() {
        return kind == Kind.CALLABLE
                || concurrency == ResultSet.CONCUR_UPDATABLE
                || type == ResultSet.TYPE_SCROLL_SENSITIVE;
    }

    Statement create(Connection on) throws SQLException {
        switch (kind) {
            case PLAIN:
                return plain(on);
            case CALLABLE:
                return callable(on);
            default:
                return prepared(on);
        }
    }

    private Statement plain(Connection on) throws SQLException {
        if (type == UNSAID) {
            return on.createStatement();
        }
        return holdability == UNSAID
                ? on.createStatement(type, concurrency)
                : on.createStatement(type, concurrency, holdability);
    }

    private Statement callable(Connection on) throws SQLException {
        if (type == UNSAID) {
            return on.prepareCall(sql);
        }
        return holdability == UNSAID
                ? on.prepareCall(sql, type, concurrency)
                : on.prepareCall(sql, type, concurrency, holdability);
    }

    private Statement prepared(Connection on) throws SQLException {
        if (columns != null) {
            return on.prepareStatement(sql, columns);
        }
        if (names != null) {
            return on.prepareStatement(sql, names);
        }
        if (keys != UNSAID) {
            return on.prepareStatement(sql, keys);
        }
        if (type == UNSAID) {
            return on.prepareStatement(sql);
        }
        return holdability == UNSAID
                ? on.prepareStatement(sql, type, concurrency)
                : on.prepareStatement(sql, type, concurrency, holdability);
    }
}
