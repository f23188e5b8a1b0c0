package io.multimed.engine.embedded.hsqldb;

import io.multimed.engine.embedded.spi.Comparison;
import io.multimed.engine.embedded.spi.TableName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.hsqldb.Database;
import org.hsqldb.HsqlException;
import org.hsqldb.OpTypes;
import org.hsqldb.SchemaManager;
import org.hsqldb.Session;
import org.hsqldb.Table;
import org.hsqldb.index.Index;
import org.hsqldb.navigator.RowIterator;
import org.hsqldb.persist.PersistentStore;
import org.hsqldb.types.Type;
import org.jspecify.annotations.Nullable;

/**
 * Compares tables in the order of their primary keys, and tables without one as a whole. It takes the arrays of the rows, which do
 * not change once they are committed. Without MVCC, HSQLDB shows uncommitted rows like committed ones, so the Master is read only
 * while no session has uncommitted changes.
 */
final class HsqlComparison implements Comparison {
    private static final int ROWS = 512;
    /** Number of rows with LOBs, whose contents are read. */
    private static final int ROWS_WITH_LOBS = 16;
    /** Length above which LOBs are compared by length only. */
    private static final long MOST_OF_LOB = 1 << 20;
    /** Length of the LOBs that are read at most for a table without a key, if all are equally long. */
    private static final long MOST_OF_LOBS = ROWS_WITH_LOBS * MOST_OF_LOB;
    /**
     * Largest number of rows up to which tables without a key are compared row by row. Larger ones are compared by their number of
     * rows alone.
     */
    private static final long MOST_WITHOUT_KEY = 20_000;

    private final Database master;
    private final SchemaManager schemas;
    private final Database satellite;
    private final List<TableName> tables = new ArrayList<>();
    private int table;
    /** The last row of the previous part; null at the beginning of a table. */
    private Object @Nullable [] behind;

    private @Nullable RowsPart last;

    HsqlComparison(Database master, SchemaManager schemas, Database satellite) {
        this.master = master;
        this.schemas = schemas;
        this.satellite = satellite;
        for (Table table : HsqlTables.of(master)) {
            tables.add(HsqlTables.name(table));
        }
    }

    @Override
    public boolean alone() {
        return true;
    }

    @Override
    public boolean done() {
        return table >= tables.size();
    }

    @Override
    public @Nullable Part part() {
        if (!Internals.online(master, schemas) || somebodyChanges()) {
            return null;
        }
        Table found = find(master, tables.get(table));
        if (found == null) {
            skip();
            return null;
        }
        last = new RowsPart(tables.get(table), found);
        return last;
    }

    /** Whether any session has uncommitted changes. The gate does not keep out connections that bypass the runtime. */
    private boolean somebodyChanges() {
        for (Session session : master.getSessionManager().getAllSessions()) {
            if (session.getRowActionList().size() > 0) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void passed() {
        RowsPart passed = last;
        if (passed != null && !passed.atEnd && passed.byKey) {
            behind = passed.lastOfMaster();
        } else {
            skip();
        }
    }

    @Override
    public void skip() {
        table++;
        behind = null;
        last = null;
    }

    private static @Nullable Table find(Database database, TableName name) {
        Table found;
        try {
            found = database.schemaManager.getUserTable(name.name(), name.schema());
        } catch (HsqlException e) {
            return null;
        }
        return HsqlTables.stored(found) && !found.isText() ? found : null;
    }

    /**
     * The next rows of a table with a primary key, or all rows of one without.
     *
     * <p>It has more fields than other classes, since each is a part of what was read on the Master, which is compared when the
     * Satellite has come as far.
     */
    private final class RowsPart implements Part {
        private final TableName name;
        private final Type[] types;
        private final int[] key;
        private final Object @Nullable [] after = behind;
        private final int most;
        final boolean byKey;
        private final List<Object[]> ofMaster;
        private final boolean counted;
        private final long size;
        final boolean atEnd;
        private List<Object[]> ofSatellite = List.of();
        private long sizeThere;
        private @Nullable String wrong;

        RowsPart(TableName name, Table table) {
            this.name = name;
            this.types = table.getColumnTypes();
            this.most = table.hasLobColumn() ? ROWS_WITH_LOBS : ROWS;
            this.byKey = table.hasPrimaryKey();
            this.key = byKey ? table.getPrimaryKey() : new int[0];
            Session look = HsqlTables.look(master);
            try {
                this.size = HsqlTables.size(table, look);
                this.counted = !byKey && size > MOST_WITHOUT_KEY;
                this.ofMaster = counted ? List.of() : rows(table, look, null, most);
            } finally {
                look.close();
            }
            this.atEnd = ofMaster.size() < most;
        }

        Object[] lastOfMaster() {
            return ofMaster.get(ofMaster.size() - 1);
        }

        /**
         * Returns rows.
         *
         * @param to the last row of the part; null if no other row follows it
         * @param limit largest number of rows, for a table with a key
         */
        private List<Object[]> rows(Table table, Session look, Object @Nullable [] to, int limit) {
            List<Object[]> rows = new ArrayList<>();
            RowIterator iterator = byKey ? behind(table, look) : table.rowIterator(look);
            while (!(byKey && rows.size() == limit) && iterator.next()) {
                Object[] row = iterator.getCurrentRow().getData();
                if (to != null && order(look, row, to) > 0) {
                    break;
                }
                rows.add(row);
            }
            iterator.release();
            return rows;
        }

        private RowIterator behind(Table table, Session look) {
            Index index = table.getPrimaryIndex();
            PersistentStore store = table.getRowStore(look);
            Object[] begin = after;
            return begin == null
                    ? table.rowIterator(look)
                    : index.findFirstRow(look, store, begin, key.length, 0, OpTypes.GREATER, false, null);
        }

        private int order(Session look, Object[] one, Object[] other) {
            for (int column : key) {
                int order = types[column].compare(look, one[column], other[column]);
                if (order != 0) {
                    return order;
                }
            }
            return 0;
        }

        @Override
        public void lookAtSatellite() {
            Table table = find(satellite, name);
            if (table == null) {
                wrong = "table " + name + " is not there";
                return;
            }
            Session look = HsqlTables.look(satellite);
            try {
                sizeThere = HsqlTables.size(table, look);
                if (!counted) {
                    ofSatellite = rows(table, look, byKey && !atEnd ? lastOfMaster() : null, most + 1);
                }
            } finally {
                look.close();
            }
        }

        @Override
        public @Nullable String difference() {
            if (wrong != null) {
                return wrong;
            }
            if (counted) {
                return size == sizeThere ? null : "table " + name + " has " + sizeThere + " rows instead of " + size;
            }
            return byKey ? inOrder() : asSets();
        }

        private @Nullable String inOrder() {
            LobDigests lobs = new LobDigests(MOST_OF_LOB);
            int longest = Math.max(ofMaster.size(), ofSatellite.size());
            for (int i = 0; i < longest; i++) {
                if (i >= ofMaster.size()
                        || i >= ofSatellite.size()
                        || !same(ofMaster.get(i), ofSatellite.get(i), lobs)) {
                    return lobs.someAreGone() ? null : at(i < ofMaster.size() ? ofMaster.get(i) : ofSatellite.get(i));
                }
            }
            return null;
        }

        private String at(Object[] row) {
            StringBuilder words = new StringBuilder("table ").append(name).append(", the row with the key");
            for (int column : key) {
                words.append(' ').append(row[column]);
            }
            return words.toString();
        }

        /** A row that the other side has not as the same array. */
        private record Own(Object[] values, String lobs) {}

        /** Compares the rows as sets. In most cases both sides have the same arrays. */
        private @Nullable String asSets() {
            Set<Object[]> left = Collections.newSetFromMap(new IdentityHashMap<>());
            left.addAll(ofSatellite);
            List<Object[]> here = new ArrayList<>();
            for (Object[] row : ofMaster) {
                if (!left.remove(row)) {
                    here.add(row);
                }
            }
            LobDigests lobs = new LobDigests(Math.min(MOST_OF_LOB, MOST_OF_LOBS / Math.max(1, ofMaster.size())));
            List<Own> own = own(master, here, lobs);
            List<Own> ofOther = own(satellite, left, lobs);
            boolean same = own.size() == ofOther.size();
            for (int i = 0; same && i < own.size(); i++) {
                same = byValues(own.get(i), ofOther.get(i)) == 0;
            }
            return same || lobs.someAreGone() ? null : "table " + name + ", which has no key";
        }

        private List<Own> own(Database database, Collection<Object[]> rows, LobDigests digests) {
            List<Own> own = new ArrayList<>();
            for (Object[] row : rows) {
                StringBuilder lobs = new StringBuilder();
                for (int i = 0; i < types.length; i++) {
                    if (types[i].isLobType()) {
                        lobs.append(digests.of(database, row[i])).append(';');
                    }
                }
                own.add(new Own(row, lobs.toString()));
            }
            own.sort(this::byValues);
            return own;
        }

        private int byValues(Own one, Own other) {
            for (int i = 0; i < types.length; i++) {
                int order = types[i].isLobType() ? 0 : compare(i, one.values[i], other.values[i]);
                if (order != 0) {
                    return order;
                }
            }
            return one.lobs.compareTo(other.lobs);
        }

        /** Compares two values. Texts are compared exactly, because a collation may treat different texts as equal. */
        private int compare(int column, @Nullable Object one, @Nullable Object other) {
            return one instanceof String left && other instanceof String right
                    ? left.compareTo(right)
                    : types[column].compare(null, one, other);
        }

        private boolean same(Object[] one, Object[] other, LobDigests lobs) {
            if (one == other) {
                return true;
            }
            for (int i = 0; i < types.length; i++) {
                boolean same = types[i].isLobType()
                        ? lobs.of(master, one[i]).equals(lobs.of(satellite, other[i]))
                        : one[i] == other[i] || compare(i, one[i], other[i]) == 0;
                if (!same) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public long rows() {
            return ofMaster.size();
        }
    }
}
