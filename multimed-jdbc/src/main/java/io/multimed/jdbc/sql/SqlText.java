package io.multimed.jdbc.sql;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A statement's text and its kind. Immutable except for a cached judgement; any thread. */
public final class SqlText {
    /** Stands for the driver's own calls on the Master's connection that are no statements and change no rows. */
    public static final SqlText CALL = of("", SqlKind.WRITE);

    private record Judged(Catalog catalog, boolean readable) {}

    private final String sql;
    private final SqlKind kind;
    /** Subject of a setting, or the way in which a transaction begins or ends. */
    private final String name;

    private final Set<String> identifiers;
    private final List<SqlText> parts;
    /** The reason why it must not be executed where changes are executed again; null if it may. */
    private final @Nullable String refusal;
    /** The latest judgement. A race only causes another judgement. */
    private volatile @Nullable Judged judged;

    SqlText(String sql, SqlKind kind, String name, Set<String> identifiers, List<SqlText> parts) {
        this(sql, kind, name, identifiers, parts, null);
    }

    private SqlText(
            String sql,
            SqlKind kind,
            String name,
            Set<String> identifiers,
            List<SqlText> parts,
            @Nullable String refusal) {
        this.sql = sql;
        this.kind = kind;
        this.name = name;
        this.identifiers = identifiers;
        this.parts = List.copyOf(parts);
        this.refusal = refusal;
    }

    public static SqlText of(String sql, SqlKind kind) {
        return new SqlText(sql, kind, "", Set.of(), List.of());
    }

    /** Returns the text of several statements that are executed one by one. */
    public static SqlText several(String sql, List<SqlText> parts) {
        return new SqlText(sql, SqlKind.SEVERAL, "", Set.of(), parts);
    }

    /**
     * Returns a statement that must not be executed where changes are executed again.
     *
     * @param refusal a sentence with the reason
     */
    public static SqlText refused(String sql, String refusal) {
        return new SqlText(sql, SqlKind.WRITE, "", Set.of(), List.of(), refusal);
    }

    /** Returns the same statement with this text. */
    SqlText in(String text) {
        return new SqlText(text, kind, name, identifiers, parts, refusal);
    }

    /**
     * Returns a statement with a name.
     *
     * @param name the subject of a setting, or the way in which a transaction begins or ends
     */
    public static SqlText named(String sql, SqlKind kind, String name) {
        return new SqlText(sql, kind, name, Set.of(), List.of());
    }

    /** Returns the text as the application wrote it. */
    public String sql() {
        return sql;
    }

    public SqlKind kind() {
        return kind;
    }

    /** Returns the subject of a setting, or the way in which a transaction begins or ends; empty for other statements. */
    public String name() {
        return name;
    }

    /** Returns a sentence with the reason why it cannot be executed where changes are executed again; null if it can. */
    public @Nullable String refusal() {
        return refusal;
    }

    Set<String> identifiers() {
        return identifiers;
    }

    /** Returns the single statements of {@link SqlKind#SEVERAL}, in order. */
    public List<SqlText> parts() {
        return parts;
    }

    /** Whether it is a query, judging by its own words. */
    public boolean isRead() {
        return kind == SqlKind.READ;
    }

    /** Whether it may run on a Satellite, given the meaning of its names. Allocates only when the catalog has changed. */
    public boolean isReadable(Catalog catalog) {
        if (kind != SqlKind.READ) {
            return false;
        }
        Judged known = judged;
        if (known != null && known.catalog() == catalog) {
            return known.readable();
        }
        boolean readable = catalog.allows(identifiers);
        judged = new Judged(catalog, readable);
        return readable;
    }
}
