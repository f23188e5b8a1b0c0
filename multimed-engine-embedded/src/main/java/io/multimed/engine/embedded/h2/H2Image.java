package io.multimed.engine.embedded.h2;

import io.multimed.engine.embedded.spi.MasterEngine;
import io.multimed.engine.embedded.spi.SatelliteEngine;
import io.multimed.engine.embedded.spi.TableName;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import org.h2.engine.Database;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.message.DbException;
import org.h2.mvstore.db.MVTable;
import org.h2.result.Row;

/**
 * Catalog and contents of an H2 database: H2's own script without data and triggers, and the rows themselves.
 *
 * @param name name of the database, which SQL calls the catalog; SQL may qualify tables with it
 * @param catalog statements in an order in which they can be executed
 * @param contents of every table
 */
record H2Image(H2Url url, String name, List<String> catalog, List<TableRows> contents) implements MasterEngine.Image {
    private static final int ROWS_PER_COMMIT = 4096;

    /** The rows of one table. */
    record TableRows(TableName table, List<Row> rows) {}

    static H2Image of(H2Url url, Database database) throws SQLException {
        List<TableRows> contents = new ArrayList<>();
        for (MVTable table : H2Catalog.tables(database)) {
            contents.add(new TableRows(H2Catalog.name(table), H2Rows.committed(table)));
        }
        return new H2Image(url, database.getShortName(), script(database), contents);
    }

    private static List<String> script(Database database) throws SQLException {
        List<String> script = new ArrayList<>(H2Settings.of(database).unwritten());
        // The system's session, because SCRIPT needs administrator rights, which the application's user may not have.
        SessionLocal system = database.getSystemSession();
        // While a session has the database in exclusive mode, only the thread that holds that session's lock gets in.
        SessionLocal exclusive = database.getExclusiveSession();
        if (exclusive != null) {
            exclusive.lock();
        }
        system.lock();
        try (Statement statement = system.createConnection(false).createStatement();
                ResultSet lines = statement.executeQuery("SCRIPT NODATA")) {
            while (lines.next()) {
                String line = lines.getString(1);
                if (!line.startsWith("--") && !isTrigger(line) && !H2Settings.isUnreadable(line)) {
                    script.add(line);
                }
            }
        } finally {
            system.unlock();
            if (exclusive != null) {
                exclusive.unlock();
            }
        }
        return script;
    }

    private static boolean isTrigger(String sql) {
        return sql.startsWith("CREATE FORCE TRIGGER") || sql.startsWith("CREATE TRIGGER");
    }

    @Override
    public SatelliteEngine create() throws SQLException {
        // H2 takes the last part of the path as the name.
        String satelliteUrl = "jdbc:h2:mem:multimed-" + UUID.randomUUID() + "/" + name;
        Properties internal = url.ofSatellites();
        internal.setProperty("USER", H2Catalog.INTERNAL_USER);
        internal.setProperty("PASSWORD", UUID.randomUUID().toString());
        internal.setProperty("DB_CLOSE_DELAY", "-1");
        JdbcConnection applier = H2Family.connect(satelliteUrl, internal);
        try {
            // Definitions contain literals, even if the database forbids literals to applications.
            ((SessionLocal) applier.getSession()).setAllowLiterals(true);
            try (Statement statement = applier.createStatement()) {
                // Keeps LOBs in their rows, because Satellites share the rows.
                statement.execute("SET MAX_LENGTH_INPLACE_LOB " + Integer.MAX_VALUE);
                for (String sql : catalog) {
                    if (!sql.contains("MAX_LENGTH_INPLACE_LOB") && !sql.contains("DB_CLOSE_DELAY")) {
                        statement.execute(sql);
                    }
                }
            }
            applier.setAutoCommit(false);
            H2Satellite satellite = new H2Satellite(url, satelliteUrl, applier);
            fill(satellite);
            satellite.ready();
            return satellite;
        } catch (SQLException | RuntimeException e) {
            ((SessionLocal) applier.getSession()).getDatabase().shutdownImmediately();
            if (e instanceof DbException engines) {
                throw engines.getSQLException();
            }
            throw e;
        }
    }

    private void fill(H2Satellite satellite) throws SQLException {
        for (TableRows table : contents) {
            H2SatelliteTable target = satellite.table(table.table);
            for (int from = 0; from < table.rows.size(); from += ROWS_PER_COMMIT) {
                int to = Math.min(from + ROWS_PER_COMMIT, table.rows.size());
                satellite.insert(target, table.rows.subList(from, to));
                satellite.commit();
            }
        }
    }
}
