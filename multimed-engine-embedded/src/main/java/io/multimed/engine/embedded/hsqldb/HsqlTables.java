package io.multimed.engine.embedded.hsqldb;

import io.multimed.engine.embedded.spi.TableName;
import java.util.ArrayList;
import java.util.List;
import org.hsqldb.Database;
import org.hsqldb.Row;
import org.hsqldb.Session;
import org.hsqldb.Table;
import org.hsqldb.navigator.RowIterator;
import org.hsqldb.types.BlobDataID;
import org.hsqldb.types.ClobDataID;

/** Reads HSQLDB's tables below SQL. */
final class HsqlTables {
    private HsqlTables() {}

    /** Returns the tables whose rows Satellites hold. */
    static List<Table> of(Database database) {
        List<Table> tables = new ArrayList<>();
        org.hsqldb.lib.HsqlArrayList<Table> all = database.schemaManager.getAllTables(false);
        for (int i = 0; i < all.size(); i++) {
            if (stored(all.get(i))) {
                tables.add(all.get(i));
            }
        }
        return tables;
    }

    static boolean stored(Table table) {
        return !table.isView() && !table.isTemp() && !table.isSessionBased;
    }

    static TableName name(Table table) {
        return new TableName(table.getSchemaName().name, table.getName().name);
    }

    static long size(Table table, Session session) {
        return table.getRowStore(session).elementCount();
    }

    /** Opens a session that sees the committed state. The caller must close it. */
    static Session look(Database database) {
        Session session = database.getSessionManager().newSysSession();
        session.startTransaction();
        return session;
    }

    static List<Row> rows(Table table, Session session) {
        List<Row> rows = new ArrayList<>();
        RowIterator iterator = table.rowIterator(session);
        while (iterator.next()) {
            rows.add(iterator.getCurrentRow());
        }
        iterator.release();
        return rows;
    }

    /** Returns the row's data, or a copy in which LOBs are strings and bytes: LOB handles have no meaning in another database. */
    static Object[] shareable(Table table, Object[] data, Session session) {
        if (!table.hasLobColumn()) {
            return data;
        }
        Object[] copy = data.clone();
        for (int i = 0; i < copy.length; i++) {
            if (copy[i] instanceof ClobDataID clob) {
                copy[i] = clob.getSubString(session, 0, (int) clob.length(session));
            } else if (copy[i] instanceof BlobDataID blob) {
                copy[i] = blob.getBytes(session, 0, (int) blob.length(session));
            }
        }
        return copy;
    }
}
