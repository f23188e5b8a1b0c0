package io.multimed.engine.embedded.h2;

import org.h2.engine.SessionLocal;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.db.MVTable;
import org.h2.result.Row;
import org.h2.result.SearchRow;
import org.h2.value.VersionedValue;
import org.jspecify.annotations.Nullable;

/** A Satellite's table, changed row by row below SQL. */
final class H2SatelliteTable {
    private final MVTable table;
    private final MVMap<Long, VersionedValue<SearchRow>> rows;
    /** The column whose value is the row's key here, or -1. The Master may use keys of its own for the same table. */
    private final int keyColumn;

    H2SatelliteTable(MVTable table) {
        this.table = table;
        this.rows = H2Rows.map(table);
        this.keyColumn = table.getMainIndexColumn();
    }

    void insert(SessionLocal session, Row row) {
        table.addRow(session, here(row));
    }

    void delete(SessionLocal session, long masterKey, Row before) {
        table.removeRow(session, existing(keyHere(masterKey, before), before));
    }

    void update(SessionLocal session, long masterKey, Row before, Row now) {
        long key = keyHere(masterKey, before);
        Row old = existing(key, before);
        if (keyHere(masterKey, now) == key) {
            table.updateRow(session, old, here(now));
        } else {
            table.removeRow(session, old);
            table.addRow(session, here(now));
        }
    }

    /** Row by row: what H2's TRUNCATE does shows at once, to open transactions as well. No transaction is open. */
    void clear(SessionLocal session) {
        for (Row row : H2Rows.committed(table)) {
            table.removeRow(session, row);
        }
    }

    private Row existing(long key, Row before) {
        Row row = H2Rows.newest(rows, key);
        if (row == null) {
            throw new IllegalStateException("row " + key + " of " + table.getName() + " is not there: " + before);
        }
        return row;
    }

    private long keyHere(long masterKey, Row row) {
        return keyColumn < 0 ? masterKey : row.getValue(keyColumn).getLong();
    }

    /** The Master's row object if its key is the same here. */
    private Row here(Row row) {
        return keyColumn < 0 || row.getValue(keyColumn).getLong() == row.getKey()
                ? row
                : H2Rows.withKey(row.getValueList(), row.getValue(keyColumn).getLong());
    }

    static @Nullable H2SatelliteTable of(@Nullable Object table) {
        return table instanceof MVTable stored ? new H2SatelliteTable(stored) : null;
    }
}
