package io.multimed.engine.embedded.h2;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.h2.mvstore.Cursor;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.db.MVPrimaryIndex;
import org.h2.mvstore.db.MVTable;
import org.h2.result.Row;
import org.h2.result.SearchRow;
import org.h2.value.Value;
import org.h2.value.ValueBlob;
import org.h2.value.ValueClob;
import org.h2.value.ValueLob;
import org.h2.value.VersionedValue;
import org.h2.value.lob.LobDataInMemory;
import org.jspecify.annotations.Nullable;

/** Reads H2's rows below SQL. */
final class H2Rows {
    private H2Rows() {}

    static MVMap<Long, VersionedValue<SearchRow>> map(MVTable table) {
        return ((MVPrimaryIndex) table.getScanIndex(null)).getMVMap();
    }

    /** Returns the newest version of a row, committed or not: the version of the session that holds the row's lock. */
    static @Nullable Row newest(MVMap<Long, VersionedValue<SearchRow>> map, long key) {
        return newest(map.get(key), key);
    }

    /** Returns the newest version, as {@link #newest(MVMap, long)} does, of a value read from the map. */
    static @Nullable Row newest(@Nullable VersionedValue<SearchRow> value, long key) {
        return value == null ? null : keyed((Row) value.getCurrentValue(), key);
    }

    /** Returns all committed rows in the order of their keys, in a form that other databases can share. */
    static List<Row> committed(MVTable table) {
        MVMap<Long, VersionedValue<SearchRow>> map = map(table);
        List<Row> rows = new ArrayList<>((int) Math.min(map.sizeAsLong(), Integer.MAX_VALUE - 8));
        Cursor<Long, VersionedValue<SearchRow>> cursor = map.cursor(null);
        while (cursor.hasNext()) {
            long key = cursor.next();
            VersionedValue<SearchRow> value = cursor.getValue();
            Row row = value == null ? null : keyed((Row) value.getCommittedValue(), key);
            if (row != null) {
                rows.add(shareable(row));
            }
        }
        return rows;
    }

    private static @Nullable Row keyed(@Nullable Row row, long key) {
        if (row != null && row.getKey() == 0) {
            row.setKey(key);
        }
        return row;
    }

    /** Returns the row itself, or a copy with its LOBs inline: LOB handles have no meaning in another database. */
    static Row shareable(Row row) {
        Value[] copy = null;
        for (int i = 0, n = row.getColumnCount(); i < n; i++) {
            if (row.getValue(i) instanceof ValueLob lob && !(lob.getLobData() instanceof LobDataInMemory)) {
                if (copy == null) {
                    copy = row.getValueList().clone();
                }
                copy[i] = lob instanceof ValueClob clob
                        ? ValueClob.createSmall(clob.getString().getBytes(StandardCharsets.UTF_8))
                        : ValueBlob.createSmall(lob.getBytes());
            }
        }
        return copy == null ? row : withKey(copy, row.getKey());
    }

    static Row withKey(Value[] values, long key) {
        Row row = Row.get(values, SearchRow.MEMORY_CALCULATE);
        row.setKey(key);
        return row;
    }
}
