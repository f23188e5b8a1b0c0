package io.multimed.engine.embedded.hsqldb;

import io.multimed.engine.embedded.spi.CatalogSignature;
import io.multimed.engine.embedded.spi.Changes;
import io.multimed.engine.embedded.spi.TableName;
import java.util.List;
import java.util.Map;

/** The changes of one commit in an HSQLDB Master. */
sealed interface HsqlChanges extends Changes {
    /**
     * Changes of rows; an update is a deletion and an insertion. The changes are net, so all deletions can come first.
     *
     * @param deleted rows that existed before
     * @param inserted rows that exist now
     */
    record OfRows(RowData[] deleted, RowData[] inserted) implements HsqlChanges {
        @Override
        public long rows() {
            return (long) deleted.length + inserted.length;
        }
    }

    /**
     * One row.
     *
     * @param identity the Master's own array, which identifies the row
     * @param data the array that Satellites insert: the same array unless it has LOBs
     */
    record RowData(TableName table, Object[] identity, Object[] data) {}

    /**
     * A change of the catalog.
     *
     * @param sql statement to be executed again
     * @param user user who executed it
     * @param schema the current schema
     * @param ignoresCase whether the session's new character columns ignore case (SET IGNORECASE)
     * @param contents rows of the tables whose contents have changed
     * @param catalogAfter result of {@link HsqlCatalog#signature} after the change
     */
    record OfCatalog(
            String sql,
            String user,
            String schema,
            boolean ignoresCase,
            Map<TableName, List<RowData>> contents,
            CatalogSignature catalogAfter)
            implements HsqlChanges {
        @Override
        public long rows() {
            return 1 + contents.values().stream().mapToLong(List::size).sum();
        }
    }
}
