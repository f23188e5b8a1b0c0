package io.multimed.jdbc.sql;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A statement's text and what it is. Immutable but for a remembered judgement; any thread. */
public final class SqlText {
    /** What the driver itself asks of the Master's connection: no statement, and nothing that changes rows. */
    public static final SqlText CALL = of("", SqlKind.WRITE);

    private record Judged(Catalog catalog, boolean readable) {}

    private final String sql;
    private final SqlKind kind;
    /** What a setting is about, or how a transaction is to begin or end. */
    private final String name;

    private final Set<String> identifiers;
    private final List<SqlText> parts;
    /** Why it must not be executed where changes are executed again. */
    private final @Nullable String refusal;
    /** The latest judgement; a race only judges once more. */
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

    static SqlText of(String sql, SqlKind kind) {
        return new SqlText(sql, kind, "", Set.of(), List.of());
    }

    static SqlText refused(String sql, String refusal) {
        return new SqlText(sql, SqlKind.WRITE, "", Set.of(), List.of(), refusal);
    }

    /** The same as a statement of this text. */
    SqlText in(String text) {
        return new SqlText(text, kind, name, identifiers, parts, refusal);
    }

    static SqlText named(String sql, SqlKind kind, String name) {
        return new SqlText(sql, kind, name, Set.of(), List.of());
    }

    /** As the application wrote it. */
    public String sql() {
        return sql;
    }

    public SqlKind kind() {
        return kind;
    }

    /** What a setting is about, or how a transaction is to begin or end; empty if it is neither. */
    public String name() {
        return name;
    }

    /** A sentence that says why it cannot be executed where changes are executed again; null if it can. */
    public @Nullable String refusal() {
        return refusal;
    }

    Set<String> identifiers() {
        return identifiers;
    }

    /** The single statements of {@link SqlKind#SEVERAL}, in order. */
    public List<SqlText> parts() {
        return parts;
    }

    /** Whether it is a query, as far as its own words tell. */
    public boolean isRead() {
        return kind == SqlKind.READ;
    }

    /** Whether it may run on a Satellite, given what its names stand for. Allocates only when the catalog has changed. */
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
