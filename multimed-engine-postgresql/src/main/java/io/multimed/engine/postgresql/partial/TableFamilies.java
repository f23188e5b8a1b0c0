package io.multimed.engine.postgresql.partial;

/** The tables that a partial Satellite carries with each table that is named to it. */
public final class TableFamilies {
    /** The beginning of a query: {@code carried} are the tables whose OIDs are its parameter, with their partitions and heirs. */
    public static final String QUERY = """
            WITH RECURSIVE carried (oid) AS (
                SELECT unnest(?::oid[])
                UNION
                SELECT i.inhrelid FROM pg_inherits i JOIN carried c ON c.oid = i.inhparent
            )
            """;

    private TableFamilies() {}
}
