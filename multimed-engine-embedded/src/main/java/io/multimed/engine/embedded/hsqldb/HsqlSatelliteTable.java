package io.multimed.engine.embedded.hsqldb;

import io.multimed.engine.embedded.hsqldb.HsqlChanges.RowData;
import io.multimed.engine.embedded.spi.TableName;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.hsqldb.Row;
import org.hsqldb.Session;
import org.hsqldb.Table;
import org.hsqldb.index.Index;
import org.hsqldb.navigator.RowIterator;
import org.hsqldb.persist.PersistentStore;
import org.hsqldb.types.BlobDataID;
import org.hsqldb.types.ClobDataID;
import org.hsqldb.types.Type;
import org.jspecify.annotations.Nullable;

/** A Satellite's table, changed row by row below SQL. */
final class HsqlSatelliteTable {
    private final Table table;
    private final PersistentStore store;
    /**
     * For a table without a primary key: its rows by the Master's arrays, since equal rows can only be distinguished by their
     * origin. A Master that keeps rows on disk has no lasting arrays; such a row is found by its values.
     */
    private final @Nullable Map<Object[], Row> byIdentity;

    private final SettledRows settled;

    HsqlSatelliteTable(Table table, Session session, SettledRows settled) {
        this.table = table;
        this.settled = settled;
        this.store = table.getRowStore(session);
        this.byIdentity = table.hasPrimaryKey() ? null : new IdentityHashMap<>();
    }

    Table table() {
        return table;
    }

    /** Returns all rows for a copy. They keep the Master's identities, so that later changes in the log find them. */
    List<RowData> rows(Session look) {
        if (byIdentity == null) {
            return HsqlMaster.rows(HsqlTables.name(table), table, look);
        }
        TableName name = HsqlTables.name(table);
        List<RowData> rows = new ArrayList<>();
        byIdentity.forEach((identity, row) ->
                rows.add(new RowData(name, identity, HsqlTables.shareable(table, row.getData(), look))));
        return rows;
    }

    void insert(Session session, RowData inserted) {
        Object[] data = table.hasLobColumn() ? withLobs(session, inserted.data()) : inserted.data();
        table.systemUpdateIdentityValue(data);
        Row row = (Row) store.getNewCachedObject(session, data, true);
        session.getDatabase().txManager.addInsertAction(session, table, store, row, null);
        settled.inserted(row);
        if (byIdentity != null) {
            byIdentity.put(inserted.identity(), row);
        }
    }

    void delete(Session session, RowData deleted) {
        Row row = byIdentity != null ? byIdentity.remove(deleted.identity()) : byKey(session, deleted.data());
        if (row == null && byIdentity != null) {
            row = byValues(session, deleted.data());
        }
        if (row == null) {
            throw new IllegalStateException("a row of " + HsqlTables.name(table) + " is not there");
        }
        session.addDeleteAction(table, store, row, null);
    }

    void clear(Session session) {
        for (Row row : HsqlTables.rows(table, session)) {
            session.addDeleteAction(table, store, row, null);
        }
        if (byIdentity != null) {
            byIdentity.clear();
        }
    }

    private @Nullable Row byKey(Session session, Object[] data) {
        Index index = table.getPrimaryIndex();
        RowIterator found = index.findFirstRow(session, store, data, table.getPrimaryKey());
        Row row = found.next() ? found.getCurrentRow() : null;
        found.release();
        return row;
    }

    @SuppressWarnings("ReferenceEquality") // The entry of this row, not that of an equal one.
    private @Nullable Row byValues(Session session, Object[] data) {
        Type[] types = table.getColumnTypes();
        for (Row row : HsqlTables.rows(table, session)) {
            if (same(session, types, row.getData(), data)) {
                Row found = row;
                if (byIdentity != null) {
                    byIdentity.values().removeIf(known -> known == found);
                }
                return row;
            }
        }
        return null;
    }

    private static boolean same(Session session, Type[] types, Object[] one, Object[] other) {
        for (int i = 0; i < types.length; i++) {
            if (!types[i].isLobType() && types[i].compare(session, one[i], other[i]) != 0) {
                return false;
            }
        }
        return true;
    }

    /** Turns the strings and bytes that stand for LOBs into LOBs of this database. The commit counts their use. */
    private Object[] withLobs(Session session, Object[] data) {
        Object[] copy = data.clone();
        Type[] types = table.getColumnTypes();
        for (int i = 0; i < copy.length; i++) {
            if (types[i].isLobType() && copy[i] instanceof String text) {
                ClobDataID clob = session.createClob(text.length());
                clob.setString(session, 0, text);
                copy[i] = clob;
            } else if (types[i].isLobType() && copy[i] instanceof byte[] bytes) {
                BlobDataID blob = session.createBlob(bytes.length);
                blob.setBytes(session, 0, bytes);
                copy[i] = blob;
            }
        }
        return copy;
    }
}
