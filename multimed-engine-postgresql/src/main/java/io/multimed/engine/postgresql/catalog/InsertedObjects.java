package io.multimed.engine.postgresql.catalog;

import java.util.List;

/**
 * Rows inserted into system catalogs, by transactions that may have committed or not, as far as the log shows them. Immutable.
 *
 * @param rows in the order of the log
 * @param oidsBeginAnew the counter of OIDs has come to its end: new objects may have OIDs that others had before
 */
public record InsertedObjects(List<Row> rows, boolean oidsBeginAnew) {
    /** No rows. */
    public static final InsertedObjects NONE = new InsertedObjects(List.of(), false);

    /** Catalogs whose rows are objects of a schema. */
    public enum Kind {
        RELATION,
        TYPE,
        CONSTRAINT
    }

    /**
     * An inserted object.
     *
     * @param database OID
     * @param schema OID of the schema to which it belongs
     */
    public record Row(int database, Kind kind, int oid, int schema) {}

    public InsertedObjects {
        rows = List.copyOf(rows);
    }
}
