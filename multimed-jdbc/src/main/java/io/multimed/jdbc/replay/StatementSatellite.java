package io.multimed.jdbc.replay;

import io.multimed.core.writeset.BusyException;
import io.multimed.engine.embedded.StatementRecorder.Bindings;
import io.multimed.engine.embedded.spi.Changes;
import io.multimed.engine.embedded.spi.MasterEngine;
import io.multimed.engine.embedded.spi.SatelliteEngine;
import io.multimed.jdbc.engine.JdbcEngine;
import io.multimed.jdbc.engine.Reading;
import io.multimed.jdbc.replay.StatementChanges.Executed;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A copy that executes the Master's statements again. It has diverged if a statement fails or changes another number of rows. */
final class StatementSatellite implements SatelliteEngine {
    private static final int KEPT = 64;
    /** Longest time that its end waits for readers. */
    private static final long READERS_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final JdbcEngine engine;
    private final String url;
    private final Properties credentials;
    private final Place place;
    private final Connection applier;
    private final Map<String, PreparedStatement> prepared = new LinkedHashMap<>(16, 0.75f, true);
    private final AtomicInteger reading = new AtomicInteger();
    private volatile boolean ended;
    private @Nullable String schema;

    private StatementSatellite(JdbcEngine engine, String url, Properties credentials, Place place, Connection applier)
            throws SQLException {
        this.engine = engine;
        this.url = url;
        this.place = place;
        this.credentials = credentials;
        this.applier = applier;
        this.schema = engine.schema(applier);
    }

    /**
     * Opens a Satellite.
     *
     * @param given properties with which the application has connected first
     */
    static StatementSatellite open(JdbcEngine engine, String url, Properties given, Place place) throws SQLException {
        Properties credentials = engine.satelliteProperties(given);
        Connection applier = Jdbc.connect(engine, url, credentials);
        try {
            engine.makeApplier(applier);
            return new StatementSatellite(engine, url, credentials, place, applier);
        } catch (SQLException | RuntimeException e) {
            applier.close();
            throw e;
        }
    }

    @Override
    public void apply(Changes changes) throws SQLException, BusyException {
        try {
            for (Executed executed : ((StatementChanges) changes).statements()) {
                execute(executed);
            }
        } catch (SQLException e) {
            undoIfBusy(e);
            throw e;
        }
    }

    private void undoIfBusy(SQLException error) throws SQLException, BusyException {
        if (engine.busy(error)) {
            applier.rollback();
            // The schema may have been created by a statement that is now undone.
            schema = null;
            throw new BusyException(error);
        }
    }

    private void execute(Executed executed) throws SQLException {
        if (!Objects.equals(executed.schema(), schema)) {
            forgetPrepared();
            engine.enter(applier, executed.schema());
            schema = executed.schema();
        }
        long reported =
                executed.bindings() == null ? plain(executed.sql()) : bound(executed.sql(), executed.bindings());
        if (executed.isDefinition()) {
            // Statements may refer to another table of the same name now.
            forgetPrepared();
        } else if (executed.rows() != JdbcEngine.UNKNOWN_ROWS) {
            long rows = engine.rows(applier, () -> reported);
            if (rows != executed.rows()) {
                throw new SQLException("changed " + rows + " rows and not " + executed.rows() + ": " + executed.sql());
            }
        }
        if (executed.key() != null && executed.key() != engine.key(applier)) {
            throw new SQLException("drew another key than " + executed.key() + ": " + executed.sql());
        }
    }

    private long plain(String sql) throws SQLException {
        try (Statement statement = applier.createStatement()) {
            return statement.executeUpdate(sql);
        }
    }

    private long bound(String sql, Bindings bindings) throws SQLException {
        PreparedStatement statement = prepared.get(sql);
        if (statement == null) {
            statement = applier.prepareStatement(sql);
            if (prepared.size() >= KEPT) {
                String eldest = prepared.keySet().iterator().next();
                Objects.requireNonNull(prepared.remove(eldest)).close();
            }
            prepared.put(sql, statement);
        }
        bindings.bind(statement);
        return statement.executeUpdate();
    }

    private void forgetPrepared() throws SQLException {
        for (PreparedStatement statement : prepared.values()) {
            statement.close();
        }
        prepared.clear();
    }

    @Override
    public void commit() throws SQLException, BusyException {
        try {
            applier.commit();
        } catch (SQLException e) {
            undoIfBusy(e);
            throw e;
        }
    }

    @Override
    public Connection connect(Properties session) throws SQLException {
        return Asked.of(engine, () -> connected(session));
    }

    private Connection connected(Properties session) throws SQLException {
        Properties own = new Properties();
        own.putAll(credentials);
        own.putAll(engine.satelliteProperties(session));
        Connection connection = Jdbc.connect(engine, url, own);
        try {
            engine.makeReader(connection);
            return connection;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    @Override
    public void autoCommit(Connection connection, boolean on) throws SQLException {
        if (!readsHold()) {
            connection.setAutoCommit(on);
        }
    }

    @Override
    public boolean readBegins() {
        reading.incrementAndGet();
        boolean may = !ended;
        if (!may) {
            readEnds();
        }
        return may;
    }

    @Override
    public void readEnds() {
        reading.decrementAndGet();
    }

    @Override
    public boolean readsHold() {
        return engine.reading() != Reading.LASTING;
    }

    @Override
    public void endRead(Connection connection) throws SQLException {
        engine.endRead(connection);
    }

    @Override
    public boolean refusedChange(SQLException error) {
        return engine.refusedChange(error);
    }

    @Override
    public boolean engineFailed(Throwable error) {
        return error instanceof SQLException sql && engine.engineFailed(sql);
    }

    @Override
    public MasterEngine.Image image() throws SQLException {
        return StatementImage.of(engine, url, credentials);
    }

    @Override
    public MasterEngine promote(MasterEngine failed) throws SQLException {
        forgetPrepared();
        applier.close();
        return new StatementMaster(engine, url, credentials, place);
    }

    /** Waits for readers, but not for long: Derby would interrupt their threads, which also use other connections. */
    private void awaitReaders() {
        ended = true;
        long begun = System.nanoTime();
        while (reading.get() > 0 && System.nanoTime() - begun < READERS_NANOS) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    @Override
    public void close() {
        awaitReaders();
        try {
            applier.close();
        } catch (SQLException e) {
            // Closing undoes the open transaction.
        }
        engine.drop(url);
        place.delete();
    }
}
