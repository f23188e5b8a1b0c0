package io.multimed.engine.embedded.hsqldb;

import io.multimed.engine.embedded.spi.CatalogSignature;
import io.multimed.engine.embedded.spi.Changes;
import io.multimed.engine.embedded.spi.TableName;
import java.util.List;
import java.util.Map;

/** What a commit changed in an HSQLDB Master. */
sealed interface HsqlChanges extends Changes {
    /**
     * Rows; an update is a deletion and an insertion. Net, so that all deletions can come first.
     *
     * @param deleted rows that were there before
     * @param inserted rows that are there now
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
     * @param identity the Master's own array, which stands for the row
     * @param data what Satellites put: the same array unless it has LOBs
     */
    record RowData(TableName table, Object[] identity, Object[] data) {}

    /**
     * The catalog.
     *
     * @param sql to be executed again
     * @param user as whom
     * @param schema the current schema
     * @param ignoresCase whether the session's columns of characters do, SET IGNORECASE
     * @param contents of the tables whose contents have changed
     * @param catalogAfter what {@link HsqlCatalog#signature} gives afterwards
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
