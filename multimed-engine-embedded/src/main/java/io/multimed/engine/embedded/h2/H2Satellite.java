package io.multimed.engine.embedded.h2;

import io.multimed.engine.embedded.h2.H2Changes.OfCatalog;
import io.multimed.engine.embedded.h2.H2Changes.OfRows;
import io.multimed.engine.embedded.h2.H2Changes.RowChange;
import io.multimed.engine.embedded.spi.Changes;
import io.multimed.engine.embedded.spi.MasterEngine;
import io.multimed.engine.embedded.spi.SatelliteEngine;
import io.multimed.engine.embedded.spi.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.h2.api.ErrorCode;
import org.h2.engine.Constants;
import org.h2.engine.Database;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.message.DbException;
import org.h2.mvstore.MVStoreException;
import org.h2.mvstore.tx.Transaction;
import org.h2.result.Row;
import org.h2.schema.Schema;
import org.h2.schema.Sequence;
import org.h2.schema.Sequence.Cycle;

/**
 * An H2 database in memory that holds a copy.
 *
 * <p>It is read-only except for {@link #apply}, which works below the layer at which H2 checks that. A sequence cannot be made
 * read-only, so all sequences are exhausted here, and drawing from one fails as well.
 *
 * <p>While there are readers, changes are applied in an H2 transaction. While there are none, which is most of the time under many
 * writes, changes are applied in place. That costs much less. Reads that begin meanwhile wait for its end; they would need these
 * changes anyway. A reader that already has a snapshot keeps it, since H2 copies pages instead of changing them.
 */
final class H2Satellite implements SatelliteEngine {
    /** Largest number of changes for which readers are kept out at once. More would cause a noticeable delay. */
    private static final int MOST_IN_PLACE = 512;

    private final H2Url masterUrl;
    private final String url;
    private final JdbcConnection applier;
    private final SessionLocal session;
    private final Database database;
    /** By identity of the names: a change of the catalog makes new names. */
    private final IdentityHashMap<TableName, H2SatelliteTable> tables = new IdentityHashMap<>();

    private final H2CatalogStatements statements;
    private final ReadGate gate = new ReadGate();
    /** Written, like the contents, by one thread at a time, which holds the session's lock. */
    private Applying applying = Applying.NOTHING;

    /** The way in which changes since the last commit are applied. */
    private enum Applying {
        NOTHING,
        IN_PLACE,
        IN_TRANSACTION
    }

    H2Satellite(H2Url masterUrl, String url, JdbcConnection applier) {
        this.masterUrl = masterUrl;
        this.url = url;
        this.applier = applier;
        this.session = (SessionLocal) applier.getSession();
        this.database = session.getDatabase();
        this.statements = new H2CatalogStatements(url, applier, database);
    }

    Database database() {
        return database;
    }

    /** Makes the database read-only, once catalog and contents are complete. */
    void ready() {
        tables.clear();
        for (Sequence sequence : H2Catalog.sequences(database)) {
            sequence.modify(null, null, null, null, null, Cycle.EXHAUSTED, null);
        }
        database.setReadOnly(true);
    }

    H2SatelliteTable table(TableName name) throws SQLException {
        H2SatelliteTable known = tables.get(name);
        if (known == null) {
            Schema schema = database.findSchema(name.schema());
            known = schema == null
                    ? null
                    : H2SatelliteTable.of(
                            schema.findTableOrView(session, name.name()), database.getSettings().analyzeAuto);
            if (known == null) {
                throw new SQLException("table " + name + " is not there");
            }
            tables.put(name, known);
        }
        return known;
    }

    void insert(H2SatelliteTable table, List<Row> rows) {
        session.lock();
        try {
            for (Row row : rows) {
                table.insert(session, row);
            }
        } finally {
            session.unlock();
        }
    }

    @Override
    public void apply(Changes changes) throws SQLException {
        boolean done = false;
        session.lock();
        try {
            if (changes instanceof OfRows rows) {
                if (inPlace(rows.changes())) {
                    applyInPlace(rows.changes());
                } else {
                    apply(rows.changes());
                }
            } else {
                openGate();
                apply((OfCatalog) changes);
            }
            done = true;
        } catch (DbException e) {
            throw e.getSQLException();
        } finally {
            if (!done) {
                // Readers that wait must not be admitted: half a write set may have been applied.
                gate.loseReaders();
            }
            session.unlock();
        }
    }

    /** Decides how these changes are applied. If in place, the gate is shut afterwards. */
    private boolean inPlace(RowChange[] changes) throws SQLException {
        boolean may = changes.length <= MOST_IN_PLACE && ordinary(changes);
        switch (applying) {
            case NOTHING -> applying = may && gate.shut() ? Applying.IN_PLACE : Applying.IN_TRANSACTION;
            case IN_PLACE -> {
                if (!may) {
                    openGate();
                    applying = Applying.IN_TRANSACTION;
                }
            }
            // Goes on in the transaction that has begun: all changes of a write set must show together.
            case IN_TRANSACTION -> {}
        }
        return applying == Applying.IN_PLACE;
    }

    private boolean ordinary(RowChange[] changes) throws SQLException {
        for (RowChange change : changes) {
            if (!table(change.table()).ordinary()) {
                return false;
            }
        }
        return true;
    }

    /** Admits readers again after whole write sets have been applied in place. */
    private void openGate() {
        if (applying == Applying.IN_PLACE) {
            gate.open();
        }
        applying = Applying.NOTHING;
    }

    private void applyInPlace(RowChange[] changes) throws SQLException {
        // First the changes that free a key, because another row may take it.
        for (RowChange change : changes) {
            Row before = change.before();
            if (before != null && !staysAtItsKey(change)) {
                table(change.table()).deleteInPlace(change.key(), before);
            }
        }
        for (RowChange change : changes) {
            H2SatelliteTable table = table(change.table());
            Row now = change.now();
            if (now != null) {
                Row before = change.before();
                if (before != null && staysAtItsKey(change)) {
                    table.updateInPlace(change.key(), before, now);
                } else {
                    table.insertInPlace(now);
                }
            }
            table.changedInPlace(session);
        }
    }

    private boolean staysAtItsKey(RowChange change) throws SQLException {
        Row before = change.before();
        Row now = change.now();
        return before != null && now != null && !table(change.table()).moves(change.key(), before, now);
    }

    private void apply(RowChange[] changes) throws SQLException {
        Transaction transaction = session.getTransaction();
        long savepoint = transaction.setSavepoint();
        try {
            applyInOrder(changes);
        } catch (DbException e) {
            if (e.getErrorCode() != ErrorCode.DUPLICATE_KEY_1) {
                throw e;
            }
            // Deletions first: this is the only order in which unique values are always free for net changes.
            transaction.rollbackToSavepoint(savepoint);
            for (RowChange change : changes) {
                if (change.before() != null) {
                    table(change.table()).delete(session, change.key(), change.before());
                }
            }
            for (RowChange change : changes) {
                if (change.now() != null) {
                    table(change.table()).insert(session, change.now());
                }
            }
        }
    }

    private void applyInOrder(RowChange[] changes) throws SQLException {
        for (RowChange change : changes) {
            if (change.now() == null && change.before() != null) {
                table(change.table()).delete(session, change.key(), change.before());
            }
        }
        for (RowChange change : changes) {
            Row now = change.now();
            if (now != null) {
                if (change.before() == null) {
                    table(change.table()).insert(session, now);
                } else {
                    table(change.table()).update(session, change.key(), change.before(), now);
                }
            }
        }
    }

    private void apply(OfCatalog change) throws SQLException {
        session.commit(false);
        database.setReadOnly(false);
        try {
            statements.execute(change);
            tables.clear();
            // In one transaction, so that readers that do not need this change can go on meanwhile.
            for (Map.Entry<TableName, List<Row>> contents : change.contents().entrySet()) {
                H2SatelliteTable table = table(contents.getKey());
                table.clear(session);
                for (Row row : contents.getValue()) {
                    table.insert(session, row);
                }
            }
            session.commit(false);
        } finally {
            ready();
        }
        change.catalogAfter().check(H2Catalog.signature(database), change.sql());
    }

    @Override
    public void commit() {
        session.lock();
        try {
            openGate();
            session.commit(false);
        } finally {
            session.unlock();
        }
    }

    @Override
    public boolean readBegins() {
        return gate.enter();
    }

    @Override
    public void readEnds() {
        gate.leave();
    }

    @Override
    public Connection connect(Properties credentials) throws SQLException {
        return H2Family.connectToExisting(url, H2Url.ofReader(credentials));
    }

    /** Switches the mode. A single statement reads one snapshot anyway under READ COMMITTED, without H2's check of every table. */
    @Override
    public void autoCommit(Connection connection, boolean on) throws SQLException {
        connection.setTransactionIsolation(on ? Connection.TRANSACTION_READ_COMMITTED : Constants.TRANSACTION_SNAPSHOT);
        connection.setAutoCommit(on);
    }

    @Override
    public boolean refusedChange(SQLException error) {
        return error.getErrorCode() == ErrorCode.DATABASE_IS_READ_ONLY
                || error.getErrorCode() == ErrorCode.SEQUENCE_EXHAUSTED;
    }

    @Override
    public boolean engineFailed(Throwable error) {
        return (error instanceof SQLException sql && saysThatItFailed(sql)) || database.isClosing();
    }

    private static boolean saysThatItFailed(SQLException error) {
        return switch (error.getErrorCode()) {
            case ErrorCode.DATABASE_IS_CLOSED, ErrorCode.OUT_OF_MEMORY -> true;
            // H2 also reports this error for a statement that overflows the stack, which would fail on every engine.
            case ErrorCode.GENERAL_ERROR_1 -> error.getCause() instanceof MVStoreException;
            default -> false;
        };
    }

    @Override
    public MasterEngine.Image image() throws SQLException {
        return H2Image.of(masterUrl, database);
    }

    @Override
    public MasterEngine promote(MasterEngine failed) throws SQLException {
        session.lock();
        try {
            database.setReadOnly(false);
            new H2Promotion(((H2Master) failed).database(), database, session).execute(applier);
            session.commit(false);
        } finally {
            session.unlock();
        }
        return new H2Master(new H2Url(url, masterUrl.settings()), database, applier, null);
    }

    @Override
    public void close() {
        gate.loseReaders();
        database.shutdownImmediately();
    }
}
