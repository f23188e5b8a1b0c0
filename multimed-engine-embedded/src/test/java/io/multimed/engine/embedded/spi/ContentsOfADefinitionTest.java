package io.multimed.engine.embedded.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.engine.embedded.h2.H2Family;
import io.multimed.engine.embedded.hsqldb.HsqlFamily;
import io.multimed.engine.embedded.spi.MasterEngine.CatalogMark;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a Satellite takes over the contents that go with a change of the catalog while it is read. */
class ContentsOfADefinitionTest {
    private static final int ROWS = 50_000;

    private static void insert(Connection connection, int from, int to) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO t VALUES(?, 1)")) {
            for (int id = from; id < to; id++) {
                insert.setInt(1, id);
                insert.addBatch();
            }
            insert.executeBatch();
        }
        connection.commit();
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static int rows(Statement statement) throws SQLException {
        // The sum of all rows, because the engine has a count of its own.
        try (ResultSet result = statement.executeQuery("SELECT SUM(v) FROM t")) {
            result.next();
            return result.getInt(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void showAtOnce(String engine) throws Exception {
        EngineFamily family = engine.equals("h2") ? new H2Family() : new HsqlFamily();
        Properties credentials = new Properties();
        credentials.setProperty("user", "SA");
        credentials.setProperty("password", "");
        MasterEngine master = family.open("jdbc:" + engine + ":mem:" + UUID.randomUUID(), credentials, true);
        try (Connection connection = master.connect(credentials).connection()) {
            execute(connection, "CREATE TABLE t(id INT PRIMARY KEY, v INT)");
            insert(connection, 0, ROWS);
            SatelliteEngine satellite = master.image().create();
            try (Connection reader = satellite.connect(credentials);
                    Statement reads = reader.createStatement()) {
                String sql = "CREATE TABLE n(id INT)";
                CatalogMark mark = master.mark();
                execute(connection, sql);
                // Stands for a commit of another session meanwhile.
                insert(connection, ROWS, ROWS + 1);
                Changes changes = master.changedSince(mark, sql, connection);
                assertNotNull(changes);
                assertTrue(changes.rows() > ROWS, "contents go with it");
                FutureTask<Void> apply = new FutureTask<>(() -> {
                    satellite.apply(changes);
                    satellite.commit();
                    return null;
                });
                Set<Integer> seen = new TreeSet<>(Set.of(ROWS, ROWS + 1));
                new Thread(apply).start();
                while (!apply.isDone()) {
                    seen.add(rows(reads));
                }
                apply.get();
                assertEquals(Set.of(ROWS, ROWS + 1), seen, "before or after");
                assertEquals(ROWS + 1, rows(reads));
            } finally {
                satellite.close();
            }
        }
    }
}
