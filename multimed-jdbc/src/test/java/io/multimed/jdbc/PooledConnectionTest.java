package io.multimed.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.jdbc.url.MultimedUrl;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.ConnectionEvent;
import javax.sql.ConnectionEventListener;
import javax.sql.PooledConnection;
import javax.sql.StatementEvent;
import javax.sql.StatementEventListener;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests pooled connections, which an application server keeps. */
class PooledConnectionTest {
    /** Records the events that it receives. */
    private static final class Heard implements ConnectionEventListener, StatementEventListener {
        final List<String> events = new ArrayList<>();

        @Override
        public void connectionClosed(ConnectionEvent event) {
            events.add("closed");
        }

        @Override
        public void connectionErrorOccurred(ConnectionEvent event) {
            events.add("error");
        }

        @Override
        public void statementClosed(StatementEvent event) {
            events.add("statement closed");
        }

        @Override
        public void statementErrorOccurred(StatementEvent event) {
            events.add("statement error");
        }
    }

    private static MultimedDataSource source(String engine) {
        MultimedDataSource source = new MultimedDataSource();
        source.setUrl("jdbc:multimed:" + engine + ":mem:"
                + UUID.randomUUID().toString().replace("-", "") + ";replicas=2");
        source.setUser("SA");
        source.setPassword("");
        return source;
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void aSessionOutlivesTheConnectionsThatItHandsOut(String engine) throws SQLException {
        PooledConnection pooled = source(engine).getPooledConnection();
        Heard heard = new Heard();
        pooled.addConnectionEventListener(heard);
        pooled.addStatementEventListener(heard);
        Connection first = pooled.getConnection();
        Sql.execute(first, "CREATE TABLE t(a INT)");
        first.setAutoCommit(false);
        Sql.execute(first, "INSERT INTO t VALUES (1)");
        Statement left = first.createStatement();
        PreparedStatement prepared = first.prepareStatement("SELECT a FROM t");
        assertSame(first, left.getConnection());
        first.close();
        assertEquals(List.of("statement closed", "closed"), heard.events);
        assertTrue(first.isClosed() && left.isClosed() && prepared.isClosed());
        assertThrows(SQLException.class, () -> left.executeQuery("SELECT 1"));

        Connection second = pooled.getConnection();
        assertNotSame(first, second);
        assertTrue(second.getAutoCommit());
        assertEquals(List.of(), Sql.rows(second, "SELECT a FROM t"), "what was not committed is gone");
        Connection third = pooled.getConnection();
        assertTrue(second.isClosed());
        first.close();
        second.close();
        assertFalse(third.isClosed(), "who was closed before closes nobody else's");
        pooled.removeConnectionEventListener(heard);
        third.close();
        assertEquals(List.of("statement closed", "closed"), heard.events);
        pooled.close();
        assertThrows(SQLException.class, pooled::getConnection);
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void aPoolIsToldOfASessionThatIsOfNoUseAnyMore(String engine) throws SQLException {
        MultimedDataSource source = source(engine);
        PooledConnection pooled = source.getPooledConnection();
        Heard heard = new Heard();
        pooled.addConnectionEventListener(heard);
        Connection connection = pooled.getConnection();
        assertThrows(SQLException.class, () -> Sql.execute(connection, "SELECT nothing FROM nowhere"));
        assertEquals(List.of(), heard.events, "an error of a statement");
        Sql.execute(connection, "SHUTDOWN");
        assertThrows(SQLException.class, () -> Sql.execute(connection, "CREATE TABLE t(a INT)"));
        assertEquals("error", heard.events.get(0));
        pooled.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void whatIsLoggedOfEachHasNoPassword(String engine) throws SQLException {
        MultimedDataSource source = source(engine);
        String rest = ";password=s3cret";
        source.setUrl(source.getUrl() + rest);
        source.setPassword("s3cret");
        MultimedXaDataSource global = new MultimedXaDataSource();
        global.setUrl(source.getUrl());
        global.setUser("SA");
        global.setPassword("s3cret");
        List<Object> all = new ArrayList<>(List.of(source, global, new MultimedDriver()));
        PooledConnection pooled = source.getPooledConnection();
        Connection connection = pooled.getConnection();
        Statement statement = connection.createStatement();
        all.addAll(List.of(
                pooled,
                connection,
                connection.getMetaData(),
                statement,
                connection.prepareStatement("VALUES (1)"),
                statement.executeQuery("VALUES (1)"),
                MultimedUrl.parse(String.valueOf(source.getUrl()), new java.util.Properties())));
        for (Object each : all) {
            String shown = each.toString();
            assertFalse(shown.contains("s3cret"), shown);
            assertFalse(shown.matches("io\\.multimed.*@[0-9a-f]+"), shown);
        }
        assertTrue(connection.toString().contains("jdbc:multimed:" + engine + ":mem:"), connection.toString());
        assertTrue(source.toString().contains("for SA"), source.toString());
        pooled.close();
        for (String url : new String[] {null, "", "jdbc:postgresql://a/b?password=s3cret", "jdbc:multimed:"}) {
            source.setUrl(url);
            assertFalse(source.toString().contains("s3cret"), source.toString());
        }
    }
}
