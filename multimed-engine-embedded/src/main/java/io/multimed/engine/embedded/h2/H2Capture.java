package io.multimed.engine.embedded.h2;

import io.multimed.engine.embedded.h2.H2Changes.OfRows;
import io.multimed.engine.embedded.h2.H2Changes.RowChange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.h2.mvstore.tx.Transaction;
import org.h2.mvstore.tx.TransactionStore;
import org.h2.result.Row;
import org.jspecify.annotations.Nullable;

/**
 * Reads a transaction's write set from its undo log.
 *
 * <p>H2 keeps one entry per change of a table or index map, newest last, each with the previous value. The map's name
 * distinguishes tables from indexes. The new rows are read from the table when the transaction commits: it still holds their
 * locks.
 */
final class H2Capture {
    /** Largest number of rows for which a linear search is faster than hashing. */
    private static final int FEW = 12;

    private H2Capture() {}

    /**
     * Reads the write set.
     *
     * @param tables by the names of their maps
     * @return null if no row of a table that Satellites hold was changed
     */
    static @Nullable OfRows capture(Transaction transaction, Map<String, H2MasterTable> tables) {
        Iterator<TransactionStore.Change> newestFirst = transaction.getChanges(0);
        List<Touched> touched = new ArrayList<>();
        Map<Touched, Touched> many = null;
        String lastName = "";
        H2MasterTable table = null;
        while (newestFirst.hasNext()) {
            TransactionStore.Change change = newestFirst.next();
            if (!change.mapName.equals(lastName)) {
                lastName = change.mapName;
                table = tables.get(lastName);
            }
            if (table == null) {
                continue;
            }
            Touched row = new Touched(table, (Long) change.key);
            if (many == null && touched.size() == FEW) {
                many = new HashMap<>();
                for (Touched earlier : touched) {
                    many.put(earlier, earlier);
                }
            }
            Touched known = many != null ? many.putIfAbsent(row, row) : find(touched, row);
            if (known == null) {
                touched.add(row);
                known = row;
            }
            known.before = (Row) change.value;
        }
        return net(touched);
    }

    private static @Nullable Touched find(List<Touched> touched, Touched row) {
        for (int i = 0; i < touched.size(); i++) {
            if (touched.get(i).equals(row)) {
                return touched.get(i);
            }
        }
        return null;
    }

    @SuppressWarnings("ReferenceEquality") // A row that was not written is the same object.
    private static @Nullable OfRows net(List<Touched> touched) {
        List<RowChange> changes = new ArrayList<>(touched.size());
        for (int i = touched.size() - 1; i >= 0; i--) {
            Touched row = touched.get(i);
            Row now = H2Rows.newest(row.table.rows(), row.key);
            // A lock leaves an entry too, without changing the row.
            if (now != row.before) {
                changes.add(new RowChange(
                        row.table.table(), row.key, row.before, now == null ? null : H2Rows.shareable(now)));
            }
        }
        return changes.isEmpty() ? null : new OfRows(changes.toArray(new RowChange[0]));
    }

    private static final class Touched {
        final H2MasterTable table;
        final long key;
        /** The row before the transaction, once the oldest entry has been read. */
        @Nullable
        Row before;

        Touched(H2MasterTable table, long key) {
            this.table = table;
            this.key = key;
        }

        @Override
        @SuppressWarnings("ReferenceEquality") // There is one object for each table of the Master.
        public boolean equals(@Nullable Object other) {
            return other instanceof Touched that && that.key == key && that.table == table;
        }

        @Override
        public int hashCode() {
            return Long.hashCode(key) * 31 + System.identityHashCode(table);
        }
    }
}
