package io.multimed.jdbc.replay;

import io.multimed.engine.embedded.spi.MasterEngine;
import io.multimed.engine.embedded.spi.SatelliteEngine;
import io.multimed.jdbc.engine.JdbcEngine;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;

/** A copy of a database in a temporary directory, made by the engine itself. */
final class StatementImage implements MasterEngine.Image {
    private final JdbcEngine engine;
    private final String url;
    private final Properties credentials;
    private final Place backup;

    private StatementImage(JdbcEngine engine, String url, Properties credentials, Place backup) {
        this.engine = engine;
        this.url = url;
        this.credentials = credentials;
        this.backup = backup;
    }

    static StatementImage of(JdbcEngine engine, String url, Properties credentials) throws SQLException {
        Place backup = Place.create();
        try (Connection connection = Jdbc.connect(engine, url, credentials)) {
            Asked.of(engine, () -> {
                engine.copy(connection, backup.path());
                return backup;
            });
            return new StatementImage(engine, url, credentials, backup);
        } catch (SQLException | RuntimeException e) {
            backup.delete();
            throw e;
        }
    }

    @Override
    public SatelliteEngine create() throws SQLException {
        Place place = Place.create();
        String restored = null;
        try {
            restored = Asked.of(engine, () -> engine.restore(backup.path(), place.path(), url));
            return StatementSatellite.open(engine, restored, credentials, place);
        } catch (SQLException | RuntimeException e) {
            if (restored != null) {
                engine.drop(restored);
            }
            place.delete();
            throw e;
        }
    }

    @Override
    public void close() {
        backup.delete();
    }
}
