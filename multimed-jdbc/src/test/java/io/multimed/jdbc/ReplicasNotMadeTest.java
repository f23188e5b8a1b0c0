package io.multimed.jdbc;

import static io.multimed.jdbc.Sql.execute;
import static io.multimed.jdbc.Sql.value;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import javax.tools.ToolProvider;
import org.hsqldb.DatabaseManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests databases that their engine can open but not copy. */
class ReplicasNotMadeTest {
    @TempDir
    Path directory;

    private static Connection connect(String url) throws SQLException {
        return DriverManager.getConnection(url, "SA", "");
    }

    private static Set<String> engines() {
        return new HashSet<>(Arrays.asList(DatabaseManager.getDatabaseURIs().toArray(new String[0])));
    }

    private static void assertNotMade(String database, String why) {
        SQLException refused =
                assertThrows(SQLException.class, () -> connect("jdbc:multimed:" + database + ";replicas=3"));
        assertEquals(SQLNonTransientConnectionException.class, refused.getClass());
        assertEquals("08001", refused.getSQLState());
        String advice = "The replicas could not be created: remove what is in the way, or use replicas=1."
                + " What is in the way: ";
        String message = String.valueOf(refused.getMessage());
        assertTrue(message.startsWith(advice + why), message);
    }

    @Test
    void rowsThatAreInAFileOfTheirOwn() throws SQLException {
        String database = "hsqldb:file:" + directory.resolve("shop");
        try (Connection alone = connect("jdbc:" + database)) {
            execute(
                    alone,
                    "CREATE TABLE O(A INT)",
                    "CREATE TEXT TABLE T(A INT)",
                    "SET TABLE T SOURCE 'rows.csv'",
                    "INSERT INTO T VALUES (1)");
            Set<String> open = engines();
            assertNotMade(database, "the rows of the text table PUBLIC.T are in a file of their own");
            Set<String> left = engines();
            left.removeAll(open);
            assertEquals(Set.of(), left, "left behind");
            try (Connection one = connect("jdbc:multimed:" + database + ";replicas=1")) {
                assertEquals("1", value(one, "SELECT A FROM T"), "as it was told");
            }
            execute(alone, "DROP TABLE T");
            try (Connection several = connect("jdbc:multimed:" + database + ";replicas=3")) {
                assertEquals("0", value(several, "SELECT COUNT(*) FROM O"));
                assertEquals("satellite: a read by itself", value(several, "SHOW multimed.route"));
                execute(several, "SHUTDOWN");
            }
        }
    }

    /** No data is lost, and the node status says why there is only the Master. */
    @Test
    void rowsThatAreInAFileOfTheirOwnLater() throws Exception {
        String database = "hsqldb:file:" + directory.resolve("shop");
        try (Connection several = connect("jdbc:multimed:" + database + ";replicas=2")) {
            execute(several, "CREATE TEXT TABLE T(A INT)", "SET TABLE T SOURCE 'rows.csv'", "INSERT INTO T VALUES (1)");
            assertEquals("1", value(several, "SELECT A FROM T"));
            awaitNodes(several, "are in a file of their own");
            assertEquals("1", value(several, "SELECT A FROM T"));
            execute(several, "DROP TABLE T", "CREATE TABLE T(A INT)", "INSERT INTO T VALUES (2)");
            awaitNodes(several, "serving serving");
            assertEquals("2", value(several, "SELECT A FROM T"));
            assertEquals("satellite: a read by itself", value(several, "SHOW multimed.route"));
            execute(several, "SHUTDOWN");
        }
    }

    private static void awaitNodes(Connection connection, String expected) throws Exception {
        long begun = System.nanoTime();
        String seen = "";
        while (!seen.contains(expected)) {
            assertTrue(System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(20), seen);
            Thread.sleep(10);
            StringBuilder states = new StringBuilder();
            StringBuilder details = new StringBuilder();
            try (Statement statement = connection.createStatement();
                    ResultSet nodes = statement.executeQuery("SHOW MULTIMED NODES")) {
                while (nodes.next()) {
                    states.append(nodes.getString(3)).append(' ');
                    details.append(nodes.getString(nodes.getMetaData().getColumnCount()))
                            .append(' ');
                }
            }
            seen = states.append(details).toString();
        }
    }

    /** The class is known to the thread that made the table, and unknown to one that opens the database later. */
    @Test
    void aTableThatNeedsAClassWhichIsNotThere() throws Exception {
        Path source = Files.writeString(
                directory.resolve("Twice.java"),
                "public class Twice { public static int of(int a) { return 2 * a; } }");
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, source.toString()));
        String database = "h2:mem:" + UUID.randomUUID();
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader with =
                        new URLClassLoader(new URL[] {directory.toUri().toURL()}, before);
                Connection alone = connect("jdbc:" + database)) {
            thread.setContextClassLoader(with);
            execute(
                    alone,
                    "CREATE ALIAS TWICE FOR 'Twice.of'",
                    "CREATE TABLE T(A INT, B INT GENERATED ALWAYS AS (TWICE(A)))",
                    "INSERT INTO T(A) VALUES (1)");
            thread.setContextClassLoader(before);
            assertNotMade(database, "Class \"Twice\" not found");
            try (Connection one = connect("jdbc:multimed:" + database + ";replicas=1")) {
                assertEquals("2", value(one, "SELECT B FROM T"), "as it was told");
            }
            execute(alone, "ALTER TABLE T DROP COLUMN B");
            try (Connection several = connect("jdbc:multimed:" + database + ";replicas=3")) {
                assertEquals("1", value(several, "SELECT A FROM T"));
                assertEquals("satellite: a read by itself", value(several, "SHOW multimed.route"));
            }
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** The number of replicas is the same for all connections of a database. */
    @Test
    void anotherNumberThanTheDatabaseHas() throws SQLException {
        String database = "h2:mem:" + UUID.randomUUID();
        try (Connection first = connect("jdbc:multimed:" + database + ";replicas=3")) {
            SQLException refused =
                    assertThrows(SQLException.class, () -> connect("jdbc:multimed:" + database + ";replicas=2"));
            assertEquals("08001", refused.getSQLState());
            assertTrue(
                    String.valueOf(refused.getMessage())
                            .endsWith(" is open with replicas=3, not 2: give all of its connections the same number."),
                    refused.getMessage());
            assertTrue(first.isValid(1));
        }
    }
}
