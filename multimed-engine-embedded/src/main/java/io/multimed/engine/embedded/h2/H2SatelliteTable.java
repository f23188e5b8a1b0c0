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
 * A Satellite's table, changed row by row below SQL. Changes are made in an H2 transaction or, by the methods with InPlace in
 * their names, directly while no reader takes a snapshot. The direct way leaves the same state as a commit, but without
 * uncommitted versions, undo log, and checks for duplicates, which the Master has made.
 */
final class H2SatelliteTable {
    private final MVTable table;
    private final MVMap<Long, VersionedValue<SearchRow>> rows;
    /** The column whose value is the row's key here, or -1. The Master may use keys of its own for the same table. */
    private final int keyColumn;
    /** The indexes beside the rows if the table can be changed in place, otherwise null. */
    private final @Nullable List<MVSecondaryIndex> indexes;
    /**
     * Number of changes until the next analysis. Statistics depend on the number of changes, as in H2, but H2 does not count
     * changes in place.
     */
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

    /**
     * Returns the indexes if the table can be changed in place, otherwise null. LOBs and spatial indexes need more than is done
     * here.
     */
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

    /** Whether the table can be changed in place. */
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

    /** Whether the row moves from one key to another, which frees its key for another row. */
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

    /** Updates a row that keeps its key. */
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

    /** Ends a change in place: invalidates results of queries that H2 may have cached, and from time to time its statistics. */
    void changedInPlace(SessionLocal session) {
        table.setModificationDataId(session.getDatabase().getNextModificationDataId());
        if (--untilAnalysis == 0) {
            nextAnalysis = Math.max(nextAnalysis, 2 * nextAnalysis);
            untilAnalysis = nextAnalysis;
            // H2 analyses when a transaction is committed, so there must be one.
            session.getTransaction();
            session.markTableForAnalyze(table);
        }
    }

    /** Makes H2 give new rows keys after the last one. H2 only knows the rows that it has inserted itself. */
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

    /** Returns the row in H2's form of a committed value: the row is its own only version. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    private static VersionedValue<SearchRow> committed(Row row) {
        return (VersionedValue) row;
    }

    /** Returns the key of an index entry: the indexed columns and the row's key, which distinguishes equal entries. */
    private static SearchRow key(MVSecondaryIndex index, Row row) {
        SearchRow key = index.getRowFactory().createRow();
        key.copyFrom(row);
        return key;
    }

    /**
     * Deletes row by row, because the effect of H2's TRUNCATE is visible at once, even to open transactions. No transaction is
     * open.
     */
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

    /** Returns the Master's row object if its key is the same here, otherwise a row with the key of this table. */
    private Row here(Row row) {
        return keyColumn < 0 || row.getValue(keyColumn).getLong() == row.getKey()
                ? row
                : H2Rows.withKey(row.getValueList(), row.getValue(keyColumn).getLong());
    }

    /**
     * Searches for an index whose number of entries differs from the number of rows. Call it while nothing is being applied.
     *
     * @return a description; null if there is no such index
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

    /**
     * Returns the table for changes; null if it stores no rows.
     *
     * @param analysis number of changes after which H2 analyses the table for the first time
     */
    static @Nullable H2SatelliteTable of(@Nullable Object table, int analysis) {
        return table instanceof MVTable stored ? new H2SatelliteTable(stored, analysis) : null;
    }
}
