package io.multimed.engine.embedded.hsqldb;

import io.multimed.engine.embedded.hsqldb.HsqlChanges.OfRows;
import io.multimed.engine.embedded.hsqldb.HsqlChanges.RowData;
import io.multimed.engine.embedded.spi.TableName;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.hsqldb.Row;
import org.hsqldb.RowAction;
import org.hsqldb.RowActionBase;
import org.hsqldb.Session;
import org.hsqldb.SqlInvariants;
import org.hsqldb.Table;
import org.hsqldb.lib.HsqlArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Reads a transaction's write set from the session's list of row actions.
 *
 * <p>The list holds one entry per insertion or deletion; entries that were rolled back to a savepoint have been removed. With
 * MVCC, entries for the same row are the same object, which chains the actions on the row; with LOCKS they are separate.
 */
final class HsqlCapture {
    /** Largest number of actions for which a linear search for an inserted row is faster than hashing. */
    private static final int FEW = 16;

    private HsqlCapture() {}

    /**
     * Reads the write set.
     *
     * @param tables of the Master, by identity
     * @return null if no row of a table that Satellites hold was changed
     */
    static @Nullable OfRows capture(Session session, IdentityHashMap<Table, TableName> tables) {
        HsqlArrayList<RowAction> actions = session.getRowActionList();
        int size = actions.size();
        List<Row> inserted = new ArrayList<>(size);
        List<Row> deleted = new ArrayList<>(size);
        Map<Row, Integer> many = size > FEW ? new IdentityHashMap<>() : null;
        for (int i = 0; i < size; i++) {
            RowAction action = actions.get(i);
            int net = Internals.net(action, session);
            if (net != RowActionBase.ACTION_INSERT && net != RowActionBase.ACTION_DELETE) {
                continue;
            }
            Row row = action.getRow();
            if (!tables.containsKey(row.getTable())) {
                continue;
            }
            if (net == RowActionBase.ACTION_INSERT) {
                if (many != null) {
                    many.put(row, inserted.size());
                }
                inserted.add(row);
            } else if (!takeBack(inserted, many, row)) {
                deleted.add(row);
            }
        }
        RowData[] gone = data(deleted, tables, session, false);
        RowData[] now = data(inserted, tables, session, true);
        return gone.length + now.length == 0 ? null : new OfRows(gone, now);
    }

    /**
     * Whether the transaction has changed only what HSQLDB keeps of LOBs, which Satellites keep by themselves. HSQLDB commits such
     * transactions while it holds its log, for which those may wait who keep others from committing.
     */
    static boolean concernsLobsAlone(Session session) {
        HsqlArrayList<RowAction> actions = session.getRowActionList();
        for (int i = 0; i < actions.size(); i++) {
            Table table = (Table) actions.get(i).getRow().getTable();
            if (!SqlInvariants.isLobsSchemaName(table.getSchemaName().name)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Removes the row from the inserted rows. Returns whether the same transaction had inserted it, so that the two actions cancel
     * out.
     */
    @SuppressWarnings("ReferenceEquality") // Both actions have the same row.
    private static boolean takeBack(List<@Nullable Row> inserted, @Nullable Map<Row, Integer> many, Row row) {
        if (many != null) {
            Integer at = many.remove(row);
            if (at != null) {
                inserted.set(at, null);
            }
            return at != null;
        }
        for (int i = 0; i < inserted.size(); i++) {
            if (inserted.get(i) == row) {
                inserted.set(i, null);
                return true;
            }
        }
        return false;
    }

    private static RowData[] data(
            List<@Nullable Row> rows, IdentityHashMap<Table, TableName> tables, Session session, boolean withLobs) {
        List<RowData> data = new ArrayList<>(rows.size());
        for (Row row : rows) {
            if (row != null) {
                Table table = (Table) row.getTable();
                TableName name = Objects.requireNonNull(tables.get(table));
                Object[] identity = row.getData();
                data.add(new RowData(
                        name, identity, withLobs ? HsqlTables.shareable(table, identity, session) : identity));
            }
        }
        return data.toArray(new RowData[0]);
    }
}
