package io.multimed.jdbc.statement;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The way in which the application made a statement, so that an equal one can be made on another connection. Immutable. */
public final class StatementForm {
    public enum Kind {
        PLAIN,
        PREPARED,
        CALLABLE
    }

    /** The parts that the application gave explicitly, since any value may be meant. */
    private enum Said {
        NOTHING,
        TYPE,
        HOLDABILITY,
        KEYS,
        COLUMNS,
        NAMES
    }

    private static final Set<Integer> TYPES =
            Set.of(ResultSet.TYPE_FORWARD_ONLY, ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.TYPE_SCROLL_SENSITIVE);
    private static final Set<Integer> HOLDABILITIES =
            Set.of(ResultSet.HOLD_CURSORS_OVER_COMMIT, ResultSet.CLOSE_CURSORS_AT_COMMIT);

    private final Kind kind;
    private final String sql;
    private final Said said;
    private final int type;
    private final int concurrency;
    private final int holdability;
    private final int keys;
    private final int @Nullable [] columns;
    private final String @Nullable [] names;

    private StatementForm(
            Kind kind,
            String sql,
            Said said,
            int type,
            int concurrency,
            int holdability,
            int keys,
            int @Nullable [] columns,
            String @Nullable [] names) {
        this.kind = kind;
        this.sql = sql;
        this.said = said;
        this.type = type;
        this.concurrency = concurrency;
        this.holdability = holdability;
        this.keys = keys;
        this.columns = columns;
        this.names = names;
    }

    private static StatementForm of(Kind kind, String sql, Said said, int type, int concurrency, int holdability) {
        return new StatementForm(kind, sql, said, type, concurrency, holdability, 0, null, null);
    }

    public static StatementForm of(Kind kind, String sql) {
        return of(
                kind,
                sql,
                Said.NOTHING,
                ResultSet.TYPE_FORWARD_ONLY,
                ResultSet.CONCUR_READ_ONLY,
                ResultSet.HOLD_CURSORS_OVER_COMMIT);
    }

    public static StatementForm of(Kind kind, String sql, int type, int concurrency) {
        return of(kind, sql, Said.TYPE, type, concurrency, ResultSet.HOLD_CURSORS_OVER_COMMIT);
    }

    public static StatementForm of(Kind kind, String sql, int type, int concurrency, int holdability) {
        return of(kind, sql, Said.HOLDABILITY, type, concurrency, holdability);
    }

    private static StatementForm keys(
            String sql, Said said, int keys, int @Nullable [] columns, String @Nullable [] names) {
        StatementForm plain = of(Kind.PREPARED, sql);
        return new StatementForm(
                Kind.PREPARED,
                sql,
                said,
                plain.type,
                plain.concurrency,
                plain.holdability,
                keys,
                columns == null ? null : columns.clone(),
                names == null ? null : names.clone());
    }

    public static StatementForm keys(String sql, int keys) {
        return keys(sql, Said.KEYS, keys, null, null);
    }

    public static StatementForm keys(String sql, int @Nullable [] columns) {
        return keys(sql, Said.COLUMNS, 0, columns, null);
    }

    public static StatementForm keys(String sql, String @Nullable [] names) {
        return keys(sql, Said.NAMES, 0, null, names);
    }

    /**
     * Returns the same form with scrollable rows, if that changes nothing else. Such rows can be read before the application
     * fetches them.
     */
    StatementForm scrollable() {
        boolean plain = type == ResultSet.TYPE_FORWARD_ONLY && concurrency == ResultSet.CONCUR_READ_ONLY;
        if (!plain || said.compareTo(Said.HOLDABILITY) > 0) {
            return this;
        }
        return of(
                kind,
                sql,
                said == Said.NOTHING ? Said.TYPE : said,
                ResultSet.TYPE_SCROLL_INSENSITIVE,
                ResultSet.CONCUR_READ_ONLY,
                holdability);
    }

    Kind kind() {
        return kind;
    }

    /** Returns the text to be prepared; empty for a plain statement. */
    String sql() {
        return sql;
    }

    /**
     * Whether the statement must run on the Master: its rows can be updated or are sensitive to later changes, or it is a call.
     * The same applies to invalid type numbers, which the engine must refuse.
     */
    boolean masterOnly() {
        return kind == Kind.CALLABLE
                || concurrency != ResultSet.CONCUR_READ_ONLY
                || type == ResultSet.TYPE_SCROLL_SENSITIVE
                || !TYPES.contains(type)
                || !HOLDABILITIES.contains(holdability);
    }

    Statement create(Connection on) throws SQLException {
        return switch (kind) {
            case PLAIN -> plain(on);
            case CALLABLE -> callable(on);
            default -> prepared(on);
        };
    }

    private Statement plain(Connection on) throws SQLException {
        return switch (said) {
            case NOTHING -> on.createStatement();
            case TYPE -> on.createStatement(type, concurrency);
            default -> on.createStatement(type, concurrency, holdability);
        };
    }

    private Statement callable(Connection on) throws SQLException {
        return switch (said) {
            case NOTHING -> on.prepareCall(sql);
            case TYPE -> on.prepareCall(sql, type, concurrency);
            default -> on.prepareCall(sql, type, concurrency, holdability);
        };
    }

    private Statement prepared(Connection on) throws SQLException {
        return switch (said) {
            case NOTHING -> on.prepareStatement(sql);
            case TYPE -> on.prepareStatement(sql, type, concurrency);
            case HOLDABILITY -> on.prepareStatement(sql, type, concurrency, holdability);
            case KEYS -> on.prepareStatement(sql, keys);
            case COLUMNS -> on.prepareStatement(sql, columns);
            default -> on.prepareStatement(sql, names);
        };
    }
}
