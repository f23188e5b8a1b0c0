package io.multimed.engine.postgresql.partial;

/** Queries about the tables that a partial Satellite carries with each table that is named to it. */
public final class TableFamilies {
    /** The beginning of a query: {@code carried} are the tables whose OIDs are its parameter, with their partitions and heirs. */
    public static final String QUERY = """
            WITH RECURSIVE carried (oid) AS (
                SELECT unnest(?::oid[])
                UNION
                SELECT i.inhrelid FROM pg_inherits i JOIN carried c ON c.oid = i.inhparent
            )
            """;

    /**
     * A condition on a row {@code k} of pg_class: a table whose rows have no replica identity. PostgreSQL uses only indexes that are valid
     * and not deferrable for it (RelationGetReplicaIndex, utils/cache/relcache.c).
     */
    public static final String LACK_IDENTITY = """
            k.relkind = 'r' AND k.relreplident <> 'f' AND NOT EXISTS
                (SELECT FROM pg_index x WHERE x.indrelid = k.oid AND x.indisvalid AND x.indimmediate
                    AND ((k.relreplident = 'd' AND x.indisprimary) OR (k.relreplident = 'i' AND x.indisreplident)))
            """;

    private TableFamilies() {}
}
