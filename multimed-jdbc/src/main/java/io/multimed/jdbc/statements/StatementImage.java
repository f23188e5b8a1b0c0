package io.multimed.jdbc.statements;

import io.multimed.engine.embedded.spi.MasterEngine;
import io.multimed.engine.embedded.spi.SatelliteEngine;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;

/** A copy of a database in a temporary directory, made by the engine itself. */
final class StatementImage implements MasterEngine.Image {
    private final Adapter adapter;
    private final String url;
    private final Properties credentials;
    private final Place backup;

    private StatementImage(Adapter adapter, String url, Properties credentials, Place backup) {
        this.adapter = adapter;
        this.url = url;
        this.credentials = credentials;
        this.backup = backup;
    }

    static StatementImage of(Adapter adapter, String url, Properties credentials) throws SQLException {
        Place backup = Place.create();
        try (Connection connection = Adapter.connect(url, credentials)) {
            adapter.backup(connection, backup.path());
            return new StatementImage(adapter, url, credentials, backup);
        } catch (SQLException | RuntimeException e) {
            backup.delete();
            throw e;
        }
    }

    @Override
    public SatelliteEngine create() throws SQLException {
        Place place = Place.create();
        try {
            return new StatementSatellite(
                    adapter, adapter.restore(backup.path(), place.path(), url), credentials, place);
        } catch (SQLException | RuntimeException e) {
            place.delete();
            throw e;
        }
    }

    @Override
    public void close() {
        backup.delete();
    }
}
