package io.multimed.engine.embedded.h2;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.h2.engine.SessionLocal;
import org.h2.index.Index;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.db.MVDelegateIndex;
import org.h2.mvstore.db.MVPrimaryIndex;
import org.h2.mvstore.db.MVSecondaryIndex;
import org.h2.mvstore.db.MVTable;
import org.h2.result.Row;
import org.h2.result.SearchRow;
import org.h2.value.Value;
import org.h2.value.ValueNull;
import org.h2.value.VersionedValue;
import org.jspecify.annotations.Nullable;

/**
 * A Satellite's table, changed row by row below SQL: in a transaction of H2's, or, by the methods whose names say so,
 * in place, while nobody takes a snapshot. The latter is what a commit makes of the former, without uncommitted versions,
 * undo log and checks for duplicates, which the Master has made.
 */
final class H2SatelliteTable {
    private final MVTable table;
    private final MVMap<Long, VersionedValue<SearchRow>> rows;
    /** The column whose value is the row's key here, or -1. The Master may use keys of its own for the same table. */
    private final int keyColumn;
    /** The indexes beside the rows, if the table can be changed in place; else null. */
    private final @Nullable List<MVSecondaryIndex> indexes;
    /** Statistics go by the number of changes, as H2's own, which does not see those in place. */
    private int untilAnalysis;

    private int nextAnalysis;

    H2SatelliteTable(MVTable table, int analysis) {
        this.table = table;
        this.rows = H2Rows.map(table);
        this.keyColumn = table.getMainIndexColumn();
        this.indexes = ordinaryIndexes(table);
        this.untilAnalysis = analysis;
        this.nextAnalysis = analysis;
    }

    /** LOBs and spatial indexes need more than what is done here. */
    private static @Nullable List<MVSecondaryIndex> ordinaryIndexes(MVTable table) {
        if (table.getContainsLargeObject()) {
            return null;
        }
        List<MVSecondaryIndex> ordinary = new ArrayList<>();
        for (Index index : table.getIndexes()) {
            if (index instanceof MVSecondaryIndex secondary) {
                ordinary.add(secondary);
            } else if (!(index instanceof MVPrimaryIndex || index instanceof MVDelegateIndex)) {
                return null;
            }
        }
        return ordinary;
    }

    /** Whether it can be changed in place. */
    boolean ordinary() {
        return indexes != null;
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

    /** Whether the row moves from one key to another, so that another may move to its own. */
    boolean moves(long masterKey, Row before, Row now) {
        return keyHere(masterKey, before) != keyHere(masterKey, now);
    }

    void insertInPlace(Row row) {
        Row here = here(row);
        if (rows.put(here.getKey(), committed(here)) != null) {
            throw new IllegalStateException("row " + here.getKey() + " of " + table.getName() + " is there already");
        }
        for (MVSecondaryIndex index : ordinaryIndexes()) {
            index.getMVMap().put(key(index, here), ValueNull.INSTANCE);
        }
    }

    void deleteInPlace(long masterKey, Row before) {
        long key = keyHere(masterKey, before);
        Row old = existing(rows.remove(key), key, before);
        for (MVSecondaryIndex index : ordinaryIndexes()) {
            index.getMVMap().remove(key(index, old));
        }
    }

    /** The row stays at its key. */
    void updateInPlace(long masterKey, Row before, Row now) {
        long key = keyHere(masterKey, before);
        Row here = here(now);
        Row old = existing(rows.put(key, committed(here)), key, before);
        for (MVSecondaryIndex index : ordinaryIndexes()) {
            if (index.compareRows(old, here) != 0) {
                index.getMVMap().remove(key(index, old));
                index.getMVMap().put(key(index, here), ValueNull.INSTANCE);
            }
        }
    }

    /** After a change in place: results of queries that H2 may have kept are outdated, and in time its statistics. */
    void changedInPlace(SessionLocal session) {
        table.setModificationDataId(session.getDatabase().getNextModificationDataId());
        if (--untilAnalysis == 0) {
            nextAnalysis = Math.max(nextAnalysis, 2 * nextAnalysis);
            untilAnalysis = nextAnalysis;
            // H2 does it when a transaction is committed: there must be one.
            session.getTransaction();
            session.markTableForAnalyze(table);
        }
    }

    /** Makes H2 give new rows keys after the last one: it goes by those that it has inserted itself. */
    void resumeKeys(SessionLocal session) {
        Long last = rows.lastKey();
        if (keyColumn < 0 && last != null) {
            Value[] nulls = new Value[table.getColumns().length];
            Arrays.fill(nulls, ValueNull.INSTANCE);
            Row after = H2Rows.withKey(nulls, last + 1);
            Index keys = table.getScanIndex(session);
            keys.add(session, after);
            keys.remove(session, after);
        }
    }

    private List<MVSecondaryIndex> ordinaryIndexes() {
        return Objects.requireNonNull(indexes);
    }

    /** As H2 keeps a committed value: it is its own only version. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    private static VersionedValue<SearchRow> committed(Row row) {
        return (VersionedValue) row;
    }

    /** The indexed columns and the row's key, which keeps equal ones apart. */
    private static SearchRow key(MVSecondaryIndex index, Row row) {
        SearchRow key = index.getRowFactory().createRow();
        key.copyFrom(row);
        return key;
    }

    /** Row by row: what H2's TRUNCATE does shows at once, to open transactions as well. No transaction is open. */
    void clear(SessionLocal session) {
        for (Row row : H2Rows.committed(table)) {
            table.removeRow(session, row);
        }
    }

    private Row existing(long key, Row before) {
        return existing(rows.get(key), key, before);
    }

    private Row existing(@Nullable VersionedValue<SearchRow> version, long key, Row before) {
        Row row = H2Rows.newest(version, key);
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

    /**
     * Looks for an index that has not an entry for each row. Nothing is being applied.
     *
     * @return in words; null if there is none
     */
    static @Nullable String wrongIndex(MVTable table) {
        long rows = H2Rows.map(table).sizeAsLong();
        for (Index index : table.getIndexes()) {
            if (index instanceof MVSecondaryIndex secondary) {
                long entries = secondary.getMVMap().sizeAsLong();
                if (entries != rows) {
                    return "index " + index.getName() + " of table " + table.getName() + " has " + entries
                            + " entries for " + rows + " rows";
                }
            }
        }
        return null;
    }

    /** @param analysis after how many changes H2 looks at a table's statistics for the first time */
    static @Nullable H2SatelliteTable of(@Nullable Object table, int analysis) {
        return table instanceof MVTable stored ? new H2SatelliteTable(stored, analysis) : null;
    }
}
