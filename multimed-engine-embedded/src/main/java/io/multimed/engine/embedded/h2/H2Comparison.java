package io.multimed.engine.embedded.h2;

import io.multimed.engine.embedded.spi.Comparison;
import io.multimed.engine.embedded.spi.TableName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.h2.engine.Database;
import org.h2.mvstore.Cursor;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.RootReference;
import org.h2.mvstore.db.MVTable;
import org.h2.result.Row;
import org.h2.result.SearchRow;
import org.h2.schema.Schema;
import org.h2.table.Column;
import org.h2.value.TypeInfo;
import org.h2.value.Value;
import org.h2.value.ValueClob;
import org.h2.value.ValueLob;
import org.h2.value.VersionedValue;
import org.jspecify.annotations.Nullable;

/**
 * Compares tables by the keys of their rows. H2 never changes a page but copies it, so taking the roots of the two maps is enough:
 * everything below a root stays as it was. H2 keeps uncommitted versions beside the committed ones, so they can be distinguished.
 */
final class H2Comparison implements Comparison {
    private static final int ROWS = 1024;
    /** Size above which LOBs are compared by length only. */
    private static final long MOST_OF_LOB = 1 << 20;

    private final Database master;
    private final Database satellite;
    private final List<TableName> tables = new ArrayList<>();
    private int table;
    /** The Master's key at which the next part begins. */
    private long from = Long.MIN_VALUE;
    /** Whether the rows have been compared one by one, and only their number is still to be compared. */
    private boolean toCount;

    private @Nullable RowsPart last;

    H2Comparison(Database master, Database satellite) {
        this.master = master;
        this.satellite = satellite;
        for (MVTable table : H2Catalog.tables(master)) {
            tables.add(H2Catalog.name(table));
        }
    }

    @Override
    public boolean alone() {
        return false;
    }

    @Override
    public boolean done() {
        return table >= tables.size();
    }

    @Override
    public @Nullable Part part() {
        MVTable found = find(master, tables.get(table));
        if (found == null) {
            skip();
            return null;
        }
        last = new RowsPart(found, tables.get(table));
        return last;
    }

    @Override
    public void passed() {
        RowsPart passed = last;
        if (passed != null && !passed.atEnd) {
            from = passed.behind + 1;
        } else if (passed != null && !passed.counts && !passed.sameKeys()) {
            toCount = true;
            from = Long.MIN_VALUE;
        } else {
            skip();
        }
    }

    @Override
    public void skip() {
        table++;
        from = Long.MIN_VALUE;
        toCount = false;
        last = null;
    }

    private static @Nullable MVTable find(Database database, TableName name) {
        Schema schema = database.findSchema(name.schema());
        return schema != null && schema.findTableOrView(null, name.name()) instanceof MVTable stored ? stored : null;
    }

    /** Whether two values are identical: in each character, not only according to a collation. */
    private boolean same(Value one, Value other, TypeInfo type) {
        if (Objects.equals(one, other)) {
            return true;
        }
        if (one instanceof ValueLob left && other instanceof ValueLob right) {
            return sameLob(left, right);
        }
        // The representations may differ: a database file keeps an enumerated value as a number, for example.
        return one.convertTo(type, master.getSystemSession())
                .equals(other.convertTo(type, satellite.getSystemSession()));
    }

    private static boolean sameLob(ValueLob one, ValueLob other) {
        if (one instanceof ValueClob) {
            return one.charLength() == other.charLength()
                    && (one.charLength() > MOST_OF_LOB || one.getString().equals(other.getString()));
        }
        return one.octetLength() == other.octetLength()
                && (one.octetLength() > MOST_OF_LOB || Arrays.equals(one.getBytes(), other.getBytes()));
    }

    /**
     * Rows with consecutive keys on the Master.
     *
     * <p>It has more fields than other classes, since each is a part of the place in two tables at which the comparison has
     * arrived, or of its result.
     */
    private final class RowsPart implements Part {
        private final TableName name;
        private final int masterKeys;
        private final Column[] columns;
        private final Cursor<Long, VersionedValue<SearchRow>> ofMaster;
        private final MVStore store;
        private final MVStore.TxCounter used;
        final boolean counts = toCount;
        /** The last key of the Master that was compared. */
        long behind = from;

        boolean atEnd;
        private long rows;
        private int keyColumn;
        private @Nullable Map ofSatellite;
        private @Nullable String wrong;

        private record Map(
                MVMap<Long, VersionedValue<SearchRow>> map, RootReference<Long, VersionedValue<SearchRow>> root) {
            Cursor<Long, VersionedValue<SearchRow>> from(long key) {
                return map.cursor(root, key, null, false);
            }

            @Nullable
            Row at(long key) {
                Cursor<Long, VersionedValue<SearchRow>> found = map.cursor(root, key, key, false);
                return found.hasNext() && found.next() == key ? committed(found.getValue()) : null;
            }
        }

        RowsPart(MVTable table, TableName name) {
            this.name = name;
            this.masterKeys = table.getMainIndexColumn();
            this.columns = table.getColumns();
            MVMap<Long, VersionedValue<SearchRow>> map = H2Rows.map(table);
            this.store = map.getStore();
            // Keeps H2 from overwriting pages of a file while they are read.
            this.used = store.registerVersionUsage();
            this.ofMaster = map.cursor(from);
        }

        boolean sameKeys() {
            return masterKeys == keyColumn;
        }

        @Override
        public void lookAtSatellite() {
            MVTable table = find(satellite, name);
            if (table == null) {
                wrong = "table " + name + " is not there";
                return;
            }
            keyColumn = table.getMainIndexColumn();
            MVMap<Long, VersionedValue<SearchRow>> map = H2Rows.map(table);
            ofSatellite = new Map(map, map.flushAndGetRoot());
            wrong = H2SatelliteTable.wrongIndex(table);
        }

        @Override
        public @Nullable String difference() {
            Map map = ofSatellite;
            if (wrong != null || map == null) {
                return wrong;
            }
            return counts ? number(map) : sameKeys() ? inOrder(map) : oneByOne(map);
        }

        private @Nullable String inOrder(Map map) {
            Cursor<Long, VersionedValue<SearchRow>> there = map.from(from);
            Long next = there.hasNext() ? there.next() : null;
            while (rows < ROWS && ofMaster.hasNext()) {
                long key = ofMaster.next();
                behind = key;
                rows++;
                while (next != null && next < key) {
                    if (committed(there.getValue()) != null) {
                        return at(next);
                    }
                    next = there.hasNext() ? there.next() : null;
                }
                Row here = committed(ofMaster.getValue());
                Row row = null;
                if (next != null && next == key) {
                    row = committed(there.getValue());
                    next = there.hasNext() ? there.next() : null;
                }
                if (!same(here, row)) {
                    return at(key);
                }
            }
            atEnd = !ofMaster.hasNext();
            for (; atEnd && next != null; next = there.hasNext() ? there.next() : null) {
                if (committed(there.getValue()) != null) {
                    return at(next);
                }
            }
            return null;
        }

        /**
         * Compares rows if the Master has keys of its own: searches for each of its rows, and compares the number of rows at the
         * end.
         */
        private @Nullable String oneByOne(Map map) {
            while (rows < ROWS && ofMaster.hasNext()) {
                long key = ofMaster.next();
                behind = key;
                rows++;
                Row here = committed(ofMaster.getValue());
                if (here != null) {
                    long keyThere =
                            keyColumn < 0 ? key : here.getValue(keyColumn).getLong();
                    if (!same(here, map.at(keyThere))) {
                        return at(keyThere);
                    }
                }
            }
            atEnd = !ofMaster.hasNext();
            return null;
        }

        private @Nullable String number(Map map) {
            long here = 0;
            while (ofMaster.hasNext()) {
                ofMaster.next();
                if (committed(ofMaster.getValue()) != null) {
                    here++;
                }
            }
            atEnd = true;
            long there = map.root.getTotalCount();
            return here == there ? null : "table " + name + " has " + there + " rows instead of " + here;
        }

        private String at(long key) {
            return "table " + name + ", the row with H2's key " + key;
        }

        private boolean same(@Nullable Row here, @Nullable Row there) {
            if (here == null || there == null) {
                return here == null && there == null;
            }
            for (int i = 0; i < columns.length; i++) {
                if (!H2Comparison.this.same(here.getValue(i), there.getValue(i), columns[i].getType())) {
                    return false;
                }
            }
            return true;
        }

        private static @Nullable Row committed(@Nullable VersionedValue<SearchRow> version) {
            return version == null ? null : (Row) version.getCommittedValue();
        }

        @Override
        public long rows() {
            return rows;
        }

        @Override
        public void close() {
            store.deregisterVersionUsage(used);
        }
    }
}
