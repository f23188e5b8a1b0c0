package io.multimed.engine.embedded.h2;

import io.multimed.engine.embedded.spi.CatalogSignature;
import io.multimed.engine.embedded.spi.Changes;
import io.multimed.engine.embedded.spi.TableName;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.h2.result.Row;
import org.jspecify.annotations.Nullable;

/** The changes of one commit in an H2 Master. */
sealed interface H2Changes extends Changes {
    /**
     * Changes of rows, in the order in which the rows were last touched.
     *
     * @param changes net changes: at most one per row
     */
    record OfRows(RowChange[] changes) implements H2Changes {
        @Override
        public long rows() {
            return changes.length;
        }
    }

    /**
     * Change of one row.
     *
     * @param table the row's table
     * @param key the row's key in the Master
     * @param before the row before the commit; null if there was none
     * @param now the row after the commit; null if it was deleted
     */
    record RowChange(
            TableName table,
            long key,
            @Nullable Row before,
            @Nullable Row now) {}

    /**
     * A change of the catalog.
     *
     * @param sql statement to be executed again
     * @param user user who executed it
     * @param schema the current schema
     * @param searchPath the session's search path; null if it has none
     * @param names words that are no keywords in the session; null for the default
     * @param users statements that give users their present secrets, for those whose secrets have changed
     * @param contents rows of the tables whose contents have changed, by the tables' new names
     * @param catalogAfter result of {@link H2Catalog#signature} after the change
     */
    record OfCatalog(
            String sql,
            String user,
            String schema,
            String @Nullable [] searchPath,
            @Nullable BitSet names,
            List<String> users,
            Map<TableName, List<Row>> contents,
            CatalogSignature catalogAfter)
            implements H2Changes {
        @Override
        public long rows() {
            return 1 + contents.values().stream().mapToLong(List::size).sum();
        }
    }
}
