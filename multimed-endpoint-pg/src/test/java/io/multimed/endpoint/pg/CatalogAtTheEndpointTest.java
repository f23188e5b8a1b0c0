package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.sql.DatabaseCatalog;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Behaviour while a database's catalog is unknown, as for a moment after each change of a schema. */
@Timeout(60)
@Tag("slow")
class CatalogAtTheEndpointTest {
    @RegisterExtension
    private final EndpointOnOneEngine multimed = new EndpointOnOneEngine();

    /** A prepared statement that was not classified in time is classified again later. */
    @Test
    void aTransactionOnASatelliteWaitsForTheCatalogWhateverWasThoughtOfItsStatementBefore() throws Exception {
        try (Connection connection = multimed.connect("prepareThreshold=1");
                PreparedStatement statement = connection.prepareStatement("SELECT count(*) > 0 FROM pg_class");
                PreparedStatement other = connection.prepareStatement("SELECT 1")) {
            // The statement is prepared here; later executions only bind it.
            assertEquals("t", ask(statement));
            multimed.catalog = DatabaseCatalog.UNKNOWN;
            assertEquals("t", ask(statement));
            assertTrue(route(connection).startsWith("master"), route(connection));

            multimed.catalog = DatabaseCatalog.EMPTY;
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            connection.setReadOnly(true);
            connection.setAutoCommit(false);
            assertEquals("1", ask(other));
            assertTrue(route(connection).startsWith("satellite"), route(connection));

            multimed.catalog = DatabaseCatalog.UNKNOWN;
            CompletableFuture<Void> known = CompletableFuture.runAsync(
                    () -> multimed.catalog = DatabaseCatalog.EMPTY,
                    CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS));
            assertEquals("t", ask(statement));
            known.get();
            connection.commit();
        }
    }

    @Test
    void aStatementNeverSeenWaitsForTheCatalogToo() throws Exception {
        try (Connection connection = multimed.connect()) {
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            connection.setReadOnly(true);
            connection.setAutoCommit(false);
            try (PreparedStatement seen = connection.prepareStatement("SELECT 1");
                    PreparedStatement never = connection.prepareStatement("SELECT count(*) > 0 FROM pg_attribute")) {
                assertEquals("1", ask(seen));
                assertTrue(route(connection).startsWith("satellite"), route(connection));
                multimed.catalog = DatabaseCatalog.UNKNOWN;
                CompletableFuture<Void> known = CompletableFuture.runAsync(
                        () -> multimed.catalog = DatabaseCatalog.EMPTY,
                        CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS));
                // The transaction cannot move any more, so a statement classified as an update would be refused.
                assertEquals("t", ask(never));
                known.get();
            }
            connection.commit();
        }
    }

    /** Every node refuses a write with the same error; Multimed itself would refuse a statement that may do something else too. */
    @Test
    void aWriteWithinATransactionOnASatelliteWaitsForTheCatalogToBeRefusedByTheEngine() throws Exception {
        try (Connection connection = multimed.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE known (i int)");
            statement.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
            statement.execute("SELECT i FROM known");
            assertTrue(route(connection).startsWith("satellite"), route(connection));
            multimed.catalog = DatabaseCatalog.UNKNOWN;
            CompletableFuture<Void> known = CompletableFuture.runAsync(
                    () -> multimed.catalog = DatabaseCatalog.EMPTY,
                    CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS));
            SQLException refused =
                    assertThrows(SQLException.class, () -> statement.execute("INSERT INTO known VALUES (1)"));
            assertEquals("25006", refused.getSQLState(), refused.getMessage());
            known.get();
            statement.execute("ROLLBACK");
        }
    }

    private static String route(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SHOW multimed.route")) {
            assertTrue(rows.next());
            return rows.getString(1);
        }
    }

    private static String ask(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            assertTrue(rows.next());
            return rows.getString(1);
        }
    }
}
