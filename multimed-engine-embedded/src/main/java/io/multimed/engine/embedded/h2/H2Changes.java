package io.multimed.engine.embedded.h2;

import io.multimed.engine.embedded.spi.CatalogSignature;
import io.multimed.engine.embedded.spi.Changes;
import io.multimed.engine.embedded.spi.TableName;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.h2.result.Row;
import org.jspecify.annotations.Nullable;

/** What a commit changed in an H2 Master. */
sealed interface H2Changes extends Changes {
    /**
     * Rows, in the order in which they were last touched.
     *
     * @param changes net: at most one per row
     */
    record OfRows(RowChange[] changes) implements H2Changes {
        @Override
        public long rows() {
            return changes.length;
        }
    }

    /**
     * One row.
     *
     * @param table where
     * @param key its key in the Master
     * @param before null if it was not there
     * @param now null if it is there no more
     */
    record RowChange(
            TableName table,
            long key,
            @Nullable Row before,
            @Nullable Row now) {}

    /**
     * The catalog.
     *
     * @param sql to be executed again
     * @param user as whom
     * @param schema the current schema
     * @param searchPath of the session, null if it has none
     * @param names that are no keywords to the session, null if that is as always
     * @param users what makes the users whose secrets have changed what they are now
     * @param contents of the tables whose contents have changed, by their new names
     * @param catalogAfter what {@link H2Catalog#signature} gives afterwards
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
