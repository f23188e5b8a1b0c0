package io.multimed.jdbc.replay;

import io.multimed.engine.embedded.spi.Changes;
import io.multimed.engine.embedded.spi.MasterEngine;
import io.multimed.engine.embedded.spi.MasterSession;
import io.multimed.jdbc.engine.JdbcEngine;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** A database whose statements are executed again on Satellites. */
final class StatementMaster implements MasterEngine {
    private static final int VALID_SECONDS = 5;

    private final JdbcEngine engine;
    private final String url;
    private final Properties credentials;
    /**
     * A connection that ends with the engine, so that the engine can be distinguished from one started later under the same name.
     */
    private final Connection keeper;
    /** Place of a promoted Satellite; null if the application has opened the database. */
    private final @Nullable Place place;

    /**
     * Opens a Master.
     *
     * @param place place of a Satellite that was promoted; null for others
     */
    StatementMaster(JdbcEngine engine, String url, Properties credentials, @Nullable Place place) throws SQLException {
        this.engine = engine;
        this.url = url;
        this.credentials = credentials;
        this.place = place;
        this.keeper = Jdbc.connect(engine, url, credentials);
    }

    void inspect(JdbcEngine.Judge judge) throws SQLException {
        engine.inspect(keeper, judge);
    }

    @Override
    public MasterSession connect(Properties session) throws SQLException {
        return Asked.of(engine, () -> connected(session));
    }

    private MasterSession connected(Properties session) throws SQLException {
        if (!engine.settings(session).equals(engine.settings(credentials))) {
            throw new SQLException(
                    "The database is open with other settings: " + engine.settings(credentials) + ", not "
                            + engine.settings(session) + ": give all of its connections the same.",
                    "08001");
        }
        Connection connection = Jdbc.connect(engine, url, session);
        try {
            engine.makeMaster(connection);
            return new StatementSession(engine, connection);
        } catch (SQLException | RuntimeException | LinkageError e) {
            connection.close();
            throw e;
        }
    }

    @Override
    public boolean sameEngine(MasterSession session) {
        return alive();
    }

    @Override
    public boolean ended() {
        try {
            return keeper.isClosed();
        } catch (SQLException e) {
            return true;
        }
    }

    private boolean alive() {
        // Sessions of any thread call this.
        synchronized (keeper) {
            return isValid();
        }
    }

    private boolean isValid() {
        try {
            return keeper.isValid(VALID_SECONDS);
        } catch (SQLException e) {
            return false;
        }
    }

    @Override
    public boolean outlivesConnections() {
        return engine.outlivesConnections();
    }

    @Override
    public void release() {
        try {
            keeper.close();
        } catch (SQLException e) {
            // The engine has ended.
        }
        if (place != null && !engine.outlivesConnections()) {
            place.delete();
        }
    }

    @Override
    public boolean persistent() {
        return engine.persistent(url);
    }

    @Override
    public boolean engineFailed(Throwable error) {
        // An error without SQLState may mean anything.
        return error instanceof SQLException sql && (sql.getSQLState() == null || engine.engineFailed(sql)) && !alive();
    }

    @Override
    public boolean takesTurns() {
        return !engine.commitsInSerialOrder();
    }

    @Override
    public boolean definesBesideTransactions() {
        return false;
    }

    @Override
    public long names() {
        return 0;
    }

    private record Mark() implements CatalogMark {}

    @Override
    public CatalogMark mark() {
        return new Mark();
    }

    /** Throws always, because definitions are recorded like all other statements here. */
    @Override
    public @Nullable Changes changedSince(CatalogMark mark, String sql, Connection by) {
        throw new IllegalStateException("a definition was not recorded: " + sql);
    }

    @Override
    public Image image() throws SQLException {
        return StatementImage.of(engine, url, credentials);
    }
}
