package io.multimed.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests that the data source connects as the driver does, and can be configured by name. */
class MultimedDataSourceTest {
    private static final String URL = "jdbc:multimed:h2:mem:source;replicas=2";

    private static MultimedDataSource source(@Nullable String url) {
        MultimedDataSource source = new MultimedDataSource();
        source.setUrl(url);
        return source;
    }

    private static String user(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet user = statement.executeQuery("SELECT CURRENT_USER")) {
            assertTrue(user.next());
            return user.getString(1);
        }
    }

    @Test
    void connectsInTheNameOfWhomItWasToldOrOfTheOneGiven() throws SQLException {
        MultimedDataSource source = source(URL);
        source.setUser("SA");
        source.setPassword("");
        try (Connection first = source.getConnection();
                Statement statement = first.createStatement()) {
            statement.execute("CREATE USER clerk PASSWORD 'secret' ADMIN");
            assertEquals("SA", user(first));
            try (Connection second = source.getConnection("CLERK", "secret")) {
                assertEquals("CLERK", user(second));
                assertEquals(2, nodes(second));
            }
            SQLException refused = assertThrows(SQLException.class, () -> source.getConnection("CLERK", "wrong"));
            assertEquals("28000", refused.getSQLState());
        }
    }

    private static int nodes(Connection connection) throws SQLException {
        int nodes = 0;
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SHOW MULTIMED NODES")) {
            while (rows.next()) {
                nodes++;
            }
        }
        return nodes;
    }

    @Test
    void aPoolFindsItByItsName() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setDataSourceClassName(MultimedDataSource.class.getName());
        config.addDataSourceProperty("url", "jdbc:multimed:hsqldb:mem:pooledsource;replicas=2;shutdown=true");
        config.addDataSourceProperty("user", "SA");
        config.addDataSourceProperty("password", "");
        config.setMaximumPoolSize(2);
        try (HikariDataSource pool = new HikariDataSource(config);
                Connection connection = pool.getConnection()) {
            assertEquals(2, nodes(connection));
        }
    }

    @Test
    void saysWhatIsWrongWithItsUrl() {
        SQLException none = assertThrows(SQLException.class, source(null)::getConnection);
        assertEquals("08001", none.getSQLState());
        assertEquals("The data source has no URL: call setUrl(\"jdbc:multimed:...\") first.", none.getMessage());
        SQLException foreign = assertThrows(SQLException.class, source("jdbc:h2:mem:x")::getConnection);
        assertEquals("08001", foreign.getSQLState());
        assertEquals("The URL of the data source must begin with jdbc:multimed:.", foreign.getMessage());
    }

    @Test
    void hasWhatJdbcAsksOfADataSource() throws SQLException {
        MultimedDataSource source = source(URL);
        assertSame(source, source.unwrap(DataSource.class));
        assertFalse(source.isWrapperFor(Connection.class));
        assertThrows(SQLException.class, () -> source.unwrap(Connection.class));
        assertFalse(source.isWrapperFor(null));
        assertThrows(SQLException.class, () -> source.unwrap(null));
        PrintWriter log = new PrintWriter(System.err, false, StandardCharsets.UTF_8);
        source.setLogWriter(log);
        assertSame(log, source.getLogWriter());
        source.setLoginTimeout(0);
        assertEquals(
                "0A000",
                assertThrows(SQLException.class, () -> source.setLoginTimeout(5))
                        .getSQLState());
        assertEquals(0, source.getLoginTimeout());
        assertEquals("io.multimed.jdbc", source.getParentLogger().getName());
    }
}
