package io.multimed.engine.embedded.hsqldb;

import io.multimed.engine.embedded.hsqldb.HsqlChanges.OfCatalog;
import io.multimed.engine.embedded.hsqldb.HsqlChanges.OfRows;
import io.multimed.engine.embedded.hsqldb.HsqlChanges.RowData;
import io.multimed.engine.embedded.spi.Changes;
import io.multimed.engine.embedded.spi.MasterEngine;
import io.multimed.engine.embedded.spi.SatelliteEngine;
import io.multimed.engine.embedded.spi.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.hsqldb.Database;
import org.hsqldb.HsqlException;
import org.hsqldb.NumberSequence;
import org.hsqldb.SchemaManager;
import org.hsqldb.Session;
import org.hsqldb.Table;
import org.hsqldb.jdbc.JDBCConnection;
import org.hsqldb.result.Result;
import org.hsqldb.rights.User;

/**
 * An HSQLDB database in memory that holds a copy, with MVCC, so that readers have snapshots and wait for no lock.
 *
 * <p>Its readers' sessions are read-only. HSQLDB enforces that except for sequences, so all sequences are exhausted here, and
 * drawing from one fails as well.
 *
 * <p>Changes below SQL are made under the monitor of the applier's session, as HSQLDB's own statements are. An engine that ends
 * rolls back and closes one session after the other, under their monitors. Without the monitor, the rest of a write set could be
 * committed then while readers are still served.
 */
final class HsqlSatellite implements SatelliteEngine {
    /** Longest time that a change of the catalog waits for open transactions here. After that, this Satellite is rebuilt. */
    private static final int CATALOG_SECONDS = 2;

    private final String url;
    private final JDBCConnection applier;
    private final Session session;
    private final Database database;
    private final SchemaManager schemas;
    /** By identity of the names: a change of the catalog makes new names. */
    private final IdentityHashMap<TableName, HsqlSatelliteTable> byName = new IdentityHashMap<>();

    private final IdentityHashMap<Table, HsqlSatelliteTable> own = new IdentityHashMap<>();

    private final SettledRows settled = new SettledRows();

    HsqlSatellite(String url, JDBCConnection applier) {
        this.url = url;
        this.applier = applier;
        this.session = HsqlFamily.session(applier);
        this.database = session.getDatabase();
        this.schemas = database.schemaManager;
    }

    Database database() {
        return database;
    }

    /** Makes the database read-only, once catalog and contents are complete. */
    void ready() {
        for (NumberSequence sequence : HsqlCatalog.sequences(database)) {
            Internals.exhaust(sequence);
        }
    }

    /**
     * Makes the catalog in a session that reads definitions as HSQLDB does when it opens a database: some of HSQLDB's own
     * definitions have no meaning elsewhere.
     */
    void makeCatalog(List<String> script) throws SQLException {
        Session maker = database.getSessionManager().getSysSessionForScript(database);
        try {
            for (String sql : script) {
                Result result = maker.executeCompiledStatement(maker.compileStatement(sql), new Object[0], 0);
                if (result.isError()) {
                    throw new SQLException(result.getMainString() + " in " + sql, result.getSubString());
                }
            }
        } finally {
            maker.close();
        }
    }

    /**
     * Finds a table.
     *
     * @throws HsqlException if it is not there
     * @throws SQLException if it cannot be held in memory
     */
    Table find(TableName name) throws SQLException {
        Table table = database.schemaManager.getUserTable(name.name(), name.schema());
        if (table.isText()) {
            throw new SQLFeatureNotSupportedException(
                    "the rows of the text table " + name + " are in a file of their own", "0A000");
        }
        return table;
    }

    private HsqlSatelliteTable table(TableName name) throws SQLException {
        HsqlSatelliteTable known = byName.get(name);
        if (known == null) {
            known = own(find(name));
            byName.put(name, known);
        }
        return known;
    }

    private HsqlSatelliteTable own(Table table) {
        return own.computeIfAbsent(table, key -> new HsqlSatelliteTable(key, session, settled));
    }

    void fill(Table table, List<RowData> rows) {
        begin();
        HsqlSatelliteTable target = own(table);
        for (RowData row : rows) {
            target.insert(session, row);
        }
    }

    private void begin() {
        if (!session.isInMidTransaction()) {
            session.startTransaction();
        }
    }

    @Override
    public void apply(Changes changes) throws SQLException {
        synchronized (session) {
            Internals.checkOpen(session);
            try {
                if (changes instanceof OfRows rows) {
                    begin();
                    for (RowData row : rows.deleted()) {
                        table(row.table()).delete(session, row);
                    }
                    for (RowData row : rows.inserted()) {
                        table(row.table()).insert(session, row);
                    }
                } else {
                    apply((OfCatalog) changes);
                }
            } catch (HsqlException e) {
                throw new SQLException(e.getMessage(), e.getSQLState(), e);
            }
        }
    }

    private void apply(OfCatalog change) throws SQLException {
        commit();
        execute(change);
        byName.clear();
        IdentityHashMap<Table, HsqlSatelliteTable> before = new IdentityHashMap<>(own);
        own.clear();
        for (Table table : HsqlTables.of(database)) {
            HsqlSatelliteTable same = before.get(table);
            if (same != null) {
                own.put(table, same);
            }
        }
        // In one transaction, so that readers that do not need this change can go on meanwhile.
        begin();
        for (Map.Entry<TableName, List<RowData>> contents : change.contents().entrySet()) {
            HsqlSatelliteTable table = table(contents.getKey());
            table.clear(session);
            for (RowData row : contents.getValue()) {
                table.insert(session, row);
            }
        }
        commit();
        ready();
        change.catalogAfter().check(HsqlCatalog.signature(database), change.sql());
    }

    /**
     * Executes the change as the same user in the same schema. An error here occurred on the Master as well, or shows when the
     * catalogs are compared.
     */
    private void execute(OfCatalog change) throws SQLException {
        User internal = session.getUser();
        User user = database.getUserManager().get(change.user());
        session.setUser(user);
        session.setSchema(change.schema());
        session.setIgnoreCase(change.ignoresCase());
        try (Statement statement = applier.createStatement()) {
            statement.setQueryTimeout(CATALOG_SECONDS);
            statement.execute(change.sql());
        } catch (SQLException e) {
            applier.rollback();
        } finally {
            session.setUser(internal);
        }
        applier.commit();
    }

    @Override
    public void commit() throws SQLException {
        synchronized (session) {
            Internals.commit(session);
            settled.settle();
        }
    }

    @Override
    public Connection connect(Properties credentials) throws SQLException {
        try {
            JDBCConnection reader = HsqlFamily.connect(url + ";ifexists=true", HsqlFamily.ofReader(credentials));
            reader.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            reader.setReadOnly(true);
            return reader;
        } catch (RuntimeException e) {
            // An engine that ends closes the session before its connection is made.
            throw new SQLException("the engine has ended", "08003", e);
        }
    }

    @Override
    public void autoCommit(Connection connection, boolean on) throws SQLException {
        connection.setAutoCommit(on);
    }

    @Override
    public boolean refusedChange(SQLException error) {
        return "25006".equals(error.getSQLState()) || "2200H".equals(error.getSQLState());
    }

    @Override
    public boolean engineFailed(Throwable error) {
        return !Internals.online(database, schemas);
    }

    @Override
    public MasterEngine.Image image() throws SQLException {
        return Internals.whole(database, schemas, this::copy);
    }

    private HsqlImage copy() {
        List<HsqlImage.TableRows> contents = new ArrayList<>();
        Session look = HsqlTables.look(database);
        try {
            for (Table table : HsqlTables.of(database)) {
                contents.add(new HsqlImage.TableRows(
                        HsqlTables.name(table), own(table).rows(look)));
            }
        } finally {
            look.close();
        }
        return new HsqlImage(HsqlCatalog.script(database), contents);
    }

    @Override
    public MasterEngine promote(MasterEngine failed) throws SQLException {
        Remains remains = ((HsqlMaster) failed).remains();
        remains.resume(database);
        try (Statement statement = applier.createStatement()) {
            for (String trigger : remains.triggers()) {
                statement.execute(trigger);
            }
            statement.execute("SET DATABASE TRANSACTION CONTROL " + remains.control());
        }
        applier.commit();
        return new HsqlMaster(url + ";ifexists=true", database, null, new Properties());
    }

    @Override
    public void close() {
        try (Statement statement = applier.createStatement()) {
            statement.execute("SHUTDOWN IMMEDIATELY");
        } catch (SQLException e) {
            // The engine has ended already.
        }
    }
}
