package io.multimed.engine.postgresql.indexes;

import io.multimed.engine.postgresql.catalog.QueriedRows;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Makes and drops moved indexes on one node at a time. Whatever an interrupted command has left there is put right first. */
public final class IndexPlaces {
    private static final String PRESENT = """
            SELECT coalesce(x.indisvalid AND x.indisready AND x.indislive, false),
                   CASE WHEN x.indrelid = to_regclass(?) THEN pg_get_indexdef(c.oid) ELSE '' END
              FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace LEFT JOIN pg_index x ON x.indexrelid = c.oid
             WHERE n.nspname = ? AND c.relname = ?""";

    private static final String SAME = """
            SELECT pg_get_indexdef(x.indexrelid) FROM pg_index x WHERE x.indrelid = to_regclass(?) AND x.indisvalid""";

    private static final String CARRIED = """
            WITH RECURSIVE carried (oid) AS (
                SELECT to_regclass(n)::oid FROM unnest(?::text[]) AS n
                UNION SELECT i.inhrelid FROM pg_inherits i JOIN carried c ON c.oid = i.inhparent
            )
            SELECT oid FROM carried WHERE oid = to_regclass(?)""";

    /** The state of an index on a node. */
    public enum State {
        MISSING,
        /** Left from an interrupted command; it answers nothing. */
        INVALID,
        PRESENT,
        /** Something else has its name. */
        OTHER
    }

    private IndexPlaces() {}

    /** Whether the index's table is one of these, or a partition or heir of one. */
    public static boolean isCarried(Connection master, MovedIndex index, List<String> tables) throws SQLException {
        return !QueriedRows.of(master, CARRIED, master.createArrayOf("text", tables.toArray()), index.qualifiedTable())
                .isEmpty();
    }

    /** Returns the state of the index on a node. */
    public static State state(Connection node, MovedIndex index) throws SQLException {
        setPath(node);
        List<List<String>> found = QueriedRows.of(node, PRESENT, index.qualifiedTable(), index.schema(), index.name());
        if (found.isEmpty()) {
            return State.MISSING;
        }
        boolean valid = found.getFirst().get(0).equals("t");
        String definition = found.getFirst().get(1);
        if (!definition.equals(index.definition())) {
            return State.OTHER;
        }
        return valid ? State.PRESENT : State.INVALID;
    }

    /**
     * Makes sure that a partial Satellite has the index, or one like it under another name.
     *
     * @param concurrently whether rows are written meanwhile
     * @return false if it does not carry the table
     */
    public static boolean make(Connection satellite, MovedIndex index, boolean concurrently) throws SQLException {
        setPath(satellite);
        if (QueriedRows.of(satellite, "SELECT 1 WHERE to_regclass(?) IS NOT NULL", index.qualifiedTable())
                .isEmpty()) {
            return false;
        }
        for (List<String> other : QueriedRows.of(satellite, SAME, index.qualifiedTable())) {
            if (MovedIndex.bodyOf(other.get(0)).equals(index.body())) {
                return true;
            }
        }
        State state = state(satellite, index);
        String how = concurrently ? "CONCURRENTLY " : "";
        if (state == State.INVALID) {
            execute(satellite, "DROP INDEX " + how + index.qualifiedName());
        }
        execute(
                satellite,
                "CREATE INDEX " + how + (state == State.OTHER ? "" : MovedIndex.quoted(index.name()) + " ") + "ON "
                        + index.body());
        return true;
    }

    /** Drops the index from the Master, without a lock that readers or writers wait for. Waits for transactions that may use it. */
    public static void drop(Connection master, MovedIndex index) throws SQLException {
        State state = state(master, index);
        if (state == State.PRESENT || state == State.INVALID) {
            execute(master, "DROP INDEX CONCURRENTLY " + index.qualifiedName());
        }
    }

    /** Makes the index on the Master again, as it was. Waits for transactions that write to its table. */
    public static void restore(Connection master, MovedIndex index) throws SQLException {
        State state = state(master, index);
        if (state == State.INVALID) {
            execute(master, "DROP INDEX CONCURRENTLY " + index.qualifiedName());
        }
        if (state != State.PRESENT) {
            execute(master, "SET default_tablespace = " + MovedIndex.literal(index.tablespace()));
            execute(master, index.concurrently());
        }
        if (!index.comment().isEmpty()) {
            execute(master, "COMMENT ON INDEX " + index.qualifiedName() + " IS " + MovedIndex.literal(index.comment()));
        }
    }

    private static void setPath(Connection node) throws SQLException {
        execute(node, "SET search_path = pg_catalog");
    }

    private static void execute(Connection node, String sql) throws SQLException {
        try (Statement statement = node.createStatement()) {
            statement.execute(sql);
        }
    }
}
