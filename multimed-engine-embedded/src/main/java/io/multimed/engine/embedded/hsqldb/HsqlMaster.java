package io.multimed.engine.embedded.hsqldb;

import io.multimed.engine.embedded.hsqldb.HsqlChanges.RowData;
import io.multimed.engine.embedded.spi.CatalogSignature;
import io.multimed.engine.embedded.spi.Changes;
import io.multimed.engine.embedded.spi.Comparison;
import io.multimed.engine.embedded.spi.MasterEngine;
import io.multimed.engine.embedded.spi.MasterSession;
import io.multimed.engine.embedded.spi.Opener;
import io.multimed.engine.embedded.spi.SatelliteEngine;
import io.multimed.engine.embedded.spi.SessionReads;
import io.multimed.engine.embedded.spi.TableName;
import io.multimed.engine.embedded.spi.UnannouncedCommits;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.hsqldb.Database;
import org.hsqldb.DatabaseType;
import org.hsqldb.HsqlException;
import org.hsqldb.Row;
import org.hsqldb.SchemaManager;
import org.hsqldb.Session;
import org.hsqldb.Table;
import org.hsqldb.TransactionManager;
import org.hsqldb.jdbc.JDBCConnection;
import org.jspecify.annotations.Nullable;

/** An HSQLDB database as Master. Its changes are read from HSQLDB; nothing is installed in it. */
final class HsqlMaster implements MasterEngine {
    private final String url;
    private final Database database;
    private final SchemaManager schemas;
    private final Opener<JDBCConnection> opener;
    /** HSQLDB's timestamp of the catalog's version that Satellites know or will know. */
    private volatile long knownCatalog;

    private volatile CatalogSignature knownSignature;
    /** Tables by identity. Replaced while no update transaction is open. */
    private volatile IdentityHashMap<Table, TableName> tables;

    private volatile Remains remains;
    private final Set<Session> announced = ConcurrentHashMap.newKeySet();

    HsqlMaster(String url, Database database, @Nullable JDBCConnection opener, Properties credentials)
            throws SQLException {
        this.url = url;
        this.database = database;
        this.schemas = database.schemaManager;
        this.opener = new Opener<>(opener, credentials);
        this.knownSignature = CatalogSignature.NONE;
        this.tables = new IdentityHashMap<>();
        this.remains = Remains.of(database);
        refresh(HsqlCatalog.signature(database));
    }

    static HsqlMaster open(String url, Properties credentials) throws SQLException {
        JDBCConnection first = HsqlFamily.connect(url, credentials);
        try {
            return new HsqlMaster(url, HsqlFamily.session(first).getDatabase(), first, credentials);
        } catch (SQLException | RuntimeException e) {
            first.close();
            throw e;
        }
    }

    @Override
    public void watch(UnannouncedCommits commits, SessionReads reads) {
        HsqlCommits.install(this, database, commits, reads);
    }

    /** Whether the session's commit is on its way into the log. */
    boolean isAnnounced(Session session) {
        return announced.contains(session);
    }

    /** Commits a transaction whose write set goes into the log with it. */
    void commit(Session session) throws SQLException {
        if (session.getRowActionList().size() == 0) {
            Internals.commit(session);
            return;
        }
        announced.add(session);
        try {
            Internals.commit(session);
        } finally {
            announced.remove(session);
        }
    }

    IdentityHashMap<Table, TableName> tables() {
        return tables;
    }

    /** Returns the state that a Satellite takes over if it replaces this Master. */
    Remains remains() {
        return remains;
    }

    /** Compares the catalog too, because HSQLDB's timestamp also advances with changes that do not concern Satellites. */
    boolean catalogStrayed() {
        long catalog = schemas.getSchemaChangeTimestamp();
        if (catalog == knownCatalog) {
            return false;
        }
        try {
            if (!Internals.whole(database, schemas, () -> HsqlCatalog.signature(database))
                    .equals(knownSignature)) {
                return true;
            }
        } catch (SQLException e) {
            // The engine has failed. The next statement on it reports that.
            return false;
        }
        knownCatalog = catalog;
        return false;
    }

    @Override
    public MasterSession connect(Properties credentials) throws SQLException {
        JDBCConnection connection = opener.take(credentials);
        if (connection == null) {
            connection = HsqlFamily.connect(url, credentials);
        }
        connection.setAutoCommit(false);
        return new HsqlSession(this, connection);
    }

    @Override
    public void release() {
        opener.release();
        HsqlCommits.remove(database);
    }

    @Override
    public boolean sameEngine(MasterSession session) {
        return ((HsqlSession) session).session().getDatabase() == database && !ended();
    }

    @Override
    public boolean ended() {
        return !Internals.online(database, schemas);
    }

    @Override
    public boolean outlivesConnections() {
        return !database.getURLProperties().isPropertyTrue("shutdown", false);
    }

    @Override
    public boolean persistent() {
        return database.getType() != DatabaseType.DB_MEM;
    }

    @Override
    public boolean engineFailed(Throwable error) {
        return ended();
    }

    /** False: HSQLDB itself runs a change of the catalog only when no other transaction is open. */
    @Override
    public boolean definesBesideTransactions() {
        return false;
    }

    /**
     * Whether HSQLDB would make the change wait. A statement that locks the catalog waits, without limit, for all transactions
     * that have read.
     */
    @Override
    public boolean holdsUpDefinition(MasterSession definer, String sql) {
        Session own = ((HsqlSession) definer).session();
        if (!locksCatalog(own, sql)) {
            return false;
        }
        for (Session other : database.getSessionManager().getAllSessions()) {
            if (other != own && other.isInMidTransaction()) {
                return true;
            }
        }
        return false;
    }

    /** Whether the statement locks the catalog. Under MVCC most changes do; otherwise few do, such as {@code SET TABLE … TYPE}. */
    private boolean locksCatalog(Session own, String sql) {
        int control = database.txManager.getTransactionControl();
        if (control == TransactionManager.MVCC) {
            return true;
        }
        synchronized (own) {
            try {
                return own.compileStatement(sql).isCatalogLock(control);
            } catch (HsqlException e) {
                // It cannot be executed as one statement either.
                return false;
            }
        }
    }

    /**
     * True: HSQLDB locks tables (LOCKS) or rows (MVCC), and parks a thread that waits for a lock. That took two fifths of the time
     * of four writers on two cores.
     */
    @Override
    public boolean queuesTransactions() {
        return true;
    }

    /** Always 0: no transaction stays open during a change of the catalog. */
    @Override
    public long names() {
        return 0;
    }

    /**
     * State of the catalog and the contents.
     *
     * @param signature signature of the catalog
     * @param sizes sizes of all tables; a table that was altered is another object
     */
    private record Mark(CatalogSignature signature, Map<Table, Long> sizes) implements CatalogMark {}

    @Override
    public CatalogMark mark() throws SQLException {
        return Internals.whole(database, schemas, this::marked);
    }

    private Mark marked() {
        IdentityHashMap<Table, Long> sizes = new IdentityHashMap<>();
        Session look = HsqlTables.look(database);
        try {
            for (Table table : HsqlTables.of(database)) {
                sizes.put(table, HsqlTables.size(table, look));
            }
        } finally {
            look.close();
        }
        return new Mark(HsqlCatalog.signature(database), sizes);
    }

    @Override
    public @Nullable Changes changedSince(CatalogMark mark, String sql, Connection by) throws SQLException {
        return Internals.whole(
                        database,
                        schemas,
                        () -> Optional.ofNullable(changedSince((Mark) mark, sql, (JDBCConnection) by)))
                .orElse(null);
    }

    private @Nullable Changes changedSince(Mark before, String sql, JDBCConnection by) throws SQLException {
        CatalogSignature signature = HsqlCatalog.signature(database);
        refresh(signature);
        IdentityHashMap<TableName, List<RowData>> contents = new IdentityHashMap<>();
        Session look = HsqlTables.look(database);
        try {
            for (Table table : HsqlTables.of(database)) {
                Long size = before.sizes.get(table);
                long now = HsqlTables.size(table, look);
                if (size == null ? now > 0 : size != now) {
                    TableName name = HsqlTables.name(table);
                    contents.put(name, rows(name, table, look));
                }
            }
        } finally {
            look.close();
        }
        if (signature.equals(before.signature) && contents.isEmpty()) {
            return null;
        }
        Session session = HsqlFamily.session(by);
        return new HsqlChanges.OfCatalog(
                sql,
                session.getUser().getName().getNameString(),
                session.getCurrentSchemaHsqlName().name,
                session.isIgnorecase(),
                contents,
                signature);
    }

    static List<RowData> rows(TableName name, Table table, Session look) {
        List<RowData> rows = new ArrayList<>();
        for (Row row : HsqlTables.rows(table, look)) {
            rows.add(new RowData(name, row.getData(), HsqlTables.shareable(table, row.getData(), look)));
        }
        return rows;
    }

    private void refresh(CatalogSignature signature) throws SQLException {
        IdentityHashMap<Table, TableName> now = new IdentityHashMap<>();
        // Read completely or not at all, since this is all that is left of a Master that fails.
        remains = Internals.whole(database, schemas, () -> {
            for (Table table : HsqlTables.of(database)) {
                now.put(table, HsqlTables.name(table));
            }
            return Remains.of(database);
        });
        tables = now;
        knownCatalog = schemas.getSchemaChangeTimestamp();
        knownSignature = signature;
    }

    @Override
    public Comparison comparison(SatelliteEngine other) {
        return new HsqlComparison(database, schemas, ((HsqlSatellite) other).database());
    }

    @Override
    public Image image() throws SQLException {
        return Internals.whole(database, schemas, this::copy);
    }

    private HsqlImage copy() throws SQLException {
        refresh(HsqlCatalog.signature(database));
        List<HsqlImage.TableRows> contents = new ArrayList<>();
        Session look = HsqlTables.look(database);
        try {
            for (Table table : HsqlTables.of(database)) {
                TableName name = HsqlTables.name(table);
                contents.add(new HsqlImage.TableRows(name, rows(name, table, look)));
            }
        } finally {
            look.close();
        }
        return new HsqlImage(HsqlCatalog.script(database), contents);
    }
}
