package io.multimed.engine.embedded.h2;

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
import java.sql.SQLFeatureNotSupportedException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.h2.api.ErrorCode;
import org.h2.engine.Database;
import org.h2.engine.SessionLocal;
import org.h2.engine.Setting;
import org.h2.engine.User;
import org.h2.jdbc.JdbcConnection;
import org.h2.message.DbException;
import org.h2.mvstore.db.MVTable;
import org.h2.result.Row;
import org.jspecify.annotations.Nullable;

/** An H2 database as Master. Its changes are read from H2; nothing is installed in it. */
final class H2Master implements MasterEngine {
    /** Longest time that a new connection waits for the end of exclusive mode. */
    private static final long EXCLUSIVE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final long EXCLUSIVE_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final H2Url url;
    private final Database database;
    /** Captured tables by the names of their maps. Replaced while nothing commits. */
    private volatile Map<String, H2MasterTable> tables;

    private volatile long names;
    /** H2's number of the catalog's version that Satellites know or will know. */
    private volatile long knownCatalog;

    private volatile CatalogSignature knownSignature;
    private volatile H2Settings knownSettings;
    private final H2Commits commits;
    private volatile @Nullable UnannouncedCommits log;
    private final Opener<JdbcConnection> opener;
    /** Connection that keeps a promoted Satellite open while no session is connected. */
    private final Opener<JdbcConnection> keeper;

    /**
     * Makes the Master.
     *
     * @param opener properties with which the database was opened; null for a promoted Satellite, which its connection keeps
     *     open
     */
    H2Master(H2Url url, Database database, JdbcConnection connection, @Nullable Properties opener) {
        this.url = url;
        this.database = database;
        this.opener = new Opener<>(opener == null ? null : connection, opener == null ? new Properties() : opener);
        this.keeper = new Opener<>(opener == null ? connection : null, new Properties());
        this.tables = Map.of();
        this.commits = new H2Commits(database);
        if (opener == null) {
            // Sessions that have read on the Satellite change nothing.
            commits.knowAll();
        }
        this.knownSignature = CatalogSignature.NONE;
        this.knownSettings = H2Settings.of(database);
        refresh(H2Catalog.signature(database));
    }

    static H2Master open(H2Url url, Properties credentials) throws SQLException {
        // The URL's settings too: they apply to the database, and those of a session may differ.
        Properties login = url.login(credentials);
        JdbcConnection first = H2Family.connect(url.database(), login);
        try {
            if (first.getSession() instanceof SessionLocal session) {
                return new H2Master(url, session.getDatabase(), first, login);
            }
        } catch (DbException e) {
            first.close();
            throw e.getSQLException();
        }
        first.close();
        throw new SQLFeatureNotSupportedException(
                "The database " + url.database() + " runs in another process; use replicas=1.", "0A000");
    }

    Map<String, H2MasterTable> tables() {
        return tables;
    }

    Database database() {
        return database;
    }

    H2Commits commits() {
        return commits;
    }

    @Override
    public void watch(UnannouncedCommits unannounced, SessionReads reads) {
        log = unannounced;
    }

    @Override
    public boolean missed() {
        UnannouncedCommits to = log;
        return to != null && commits.suspicious() && !ended() && to.quiesced(this::missedNow);
    }

    @Override
    public boolean unsettled() {
        return ended() || commits.unsettled();
    }

    private boolean missedNow() {
        try {
            return !ended() && commits.missed() && !ended();
        } catch (RuntimeException e) {
            // An engine that ends releases its parts. A catalog that is being changed is checked again later.
            return false;
        }
    }

    /** Compares the catalog too, because H2's number also counts changes that do not concern Satellites. */
    boolean catalogStrayed() {
        long catalog = database.getModificationMetaId();
        if (catalog == knownCatalog && knownSettings.areThoseOf(database)) {
            return false;
        }
        try {
            if (!H2Catalog.signature(database).equals(knownSignature)) {
                return true;
            }
        } catch (RuntimeException e) {
            // An object was dropped during the check. The session that next has exclusive access to the catalog checks
            // again.
            return true;
        }
        knownCatalog = catalog;
        return false;
    }

    @Override
    public MasterSession connect(Properties credentials) throws SQLException {
        JdbcConnection connection = opener.take(credentials);
        if (connection == null) {
            awaitShared();
            connection = H2Family.connectToExisting(url.database(), credentials);
        }
        connection.setAutoCommit(false);
        commits.know((SessionLocal) connection.getSession());
        return new H2Session(this, connection);
    }

    /** Waits for the end of exclusive mode. H2 itself would let a connection wait for it without limit. */
    private void awaitShared() throws SQLException {
        long deadline = System.nanoTime() + EXCLUSIVE_NANOS;
        while (database.isInExclusiveMode()) {
            if (System.nanoTime() - deadline >= 0) {
                throw DbException.get(ErrorCode.DATABASE_IS_IN_EXCLUSIVE_MODE).getSQLException();
            }
            LockSupport.parkNanos(EXCLUSIVE_POLL_NANOS);
        }
    }

    @Override
    public void release() {
        opener.release();
        keeper.release();
    }

    @Override
    public boolean sameEngine(MasterSession session) {
        return ((H2Session) session).session().getDatabase() == database && !database.isClosing();
    }

    @Override
    public boolean ended() {
        return database.isClosing();
    }

    @Override
    public boolean outlivesConnections() {
        return closeDelay(database) != 0;
    }

    @Override
    public boolean lingers() {
        return closeDelay(database) > 0;
    }

    static int closeDelay(Database database) {
        for (Setting setting : database.getAllSettings()) {
            if (setting.getName().equals("DB_CLOSE_DELAY")) {
                return setting.getIntValue();
            }
        }
        return 0;
    }

    @Override
    public boolean persistent() {
        return database.isPersistent();
    }

    @Override
    public boolean engineFailed(Throwable error) {
        return (error instanceof SQLException sql
                        && (sql.getErrorCode() == ErrorCode.DATABASE_IS_CLOSED
                                || sql.getErrorCode() == ErrorCode.DATABASE_CALLED_AT_SHUTDOWN))
                || database.isClosing();
    }

    /** True: H2 uses locks to keep apart changes of the same table, and its rows show whether they are committed. */
    @Override
    public boolean definesBesideTransactions() {
        return true;
    }

    @Override
    public long names() {
        return names;
    }

    /**
     * State of the catalog and the contents.
     *
     * @param catalog H2's number of the catalog's version
     * @param signature signature of the catalog
     * @param contents number of each table's last change, by the name of the table's map
     * @param secrets of the users
     */
    private record Mark(long catalog, CatalogSignature signature, Map<String, Long> contents, List<String> secrets)
            implements CatalogMark {}

    @Override
    public CatalogMark mark() {
        Map<String, Long> contents = new HashMap<>();
        for (MVTable table : H2Catalog.tables(database)) {
            contents.put(table.getMapName(), table.getMaxDataModificationId());
        }
        return new Mark(database.getModificationMetaId(), H2Catalog.signature(database), contents, secrets());
    }

    private List<String> secrets() {
        List<String> secrets = new ArrayList<>();
        for (User user : H2Catalog.users(database)) {
            secrets.add(user.getCreateSQL(true));
        }
        return secrets;
    }

    @Override
    public @Nullable Changes changedSince(CatalogMark mark, String sql, Connection by) {
        Mark before = (Mark) mark;
        CatalogSignature signature = H2Catalog.signature(database);
        refresh(signature);
        Map<TableName, List<Row>> contents = new HashMap<>();
        for (MVTable table : H2Catalog.tables(database)) {
            Long last = before.contents.get(table.getMapName());
            if (last == null ? H2Rows.map(table).sizeAsLong() > 0 : last != table.getMaxDataModificationId()) {
                TableName name = H2Catalog.name(table);
                contents.put(name, H2Rows.committed(table));
            }
        }
        List<String> secrets = secrets();
        secrets.removeAll(before.secrets);
        if (signature.equals(before.signature) && contents.isEmpty() && secrets.isEmpty() && !setsDatabase(sql)) {
            return null;
        }
        SessionLocal session = (SessionLocal) ((JdbcConnection) by).getSession();
        return new H2Changes.OfCatalog(
                sql,
                session.getUser().getName(),
                session.getCurrentSchemaName(),
                session.getSchemaSearchPath(),
                session.getNonKeywords(),
                secrets,
                contents,
                signature);
    }

    /** Whether the statement may set an option of the database, which leaves no trace in the catalog's objects. */
    private static boolean setsDatabase(String sql) {
        return sql.stripLeading().regionMatches(true, 0, "SET ", 0, 4);
    }

    /** Renews the table names for write sets, because the old ones refer to tables that may have changed. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // One thread at a time: nothing commits meanwhile.
    private void refresh(CatalogSignature signature) {
        Map<String, H2MasterTable> now = new HashMap<>();
        for (MVTable table : H2Catalog.tables(database)) {
            TableName name = H2Catalog.name(table);
            now.put(table.getMapName(), new H2MasterTable(name, H2Rows.map(table)));
        }
        tables = now;
        // Written last: a thread that reads the new number also sees the new tables.
        names = names + 1;
        commits.settle();
        knownCatalog = database.getModificationMetaId();
        knownSettings = H2Settings.of(database);
        knownSignature = signature;
    }

    @Override
    public Comparison comparison(SatelliteEngine satellite) {
        return new H2Comparison(database, ((H2Satellite) satellite).database());
    }

    @Override
    public Image image() throws SQLException {
        refresh(H2Catalog.signature(database));
        H2Image image = H2Image.of(url, database);
        if (ended()) {
            // An engine that ends releases its parts meanwhile, and the image may contain half of a commit.
            throw DbException.get(ErrorCode.DATABASE_IS_CLOSED).getSQLException();
        }
        return image;
    }
}
