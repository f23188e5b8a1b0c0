package io.multimed.endpoint.pg;

import static io.multimed.endpoint.pg.EndpointOnOneEngine.ask;
import static io.multimed.endpoint.pg.EndpointOnOneEngine.execute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Effect of {@code SET multimed.reads = master} on reads. */
@Timeout(60)
class ReadsOnMasterTest {
    private static final String CHOSEN = "master: chosen by the session";

    @RegisterExtension
    private static final EndpointOnOneEngine multimed = new EndpointOnOneEngine();

    @BeforeAll
    static void start() throws Exception {
        try (Connection connection = multimed.connect()) {
            execute(connection, "CREATE TABLE t (i int)");
        }
    }

    private static String route(Connection connection) throws SQLException {
        return ask(connection, "SHOW multimed.route");
    }

    private static void assertRouteBegins(String expected, Connection connection) throws SQLException {
        String route = route(connection);
        assertTrue(route.startsWith(expected), route);
    }

    @Test
    void aSingleReadRunsOnTheMasterFromThenOnAndAgainAnywhereAfterAReset() throws SQLException {
        try (Connection reader = multimed.connect()) {
            ask(reader, "SELECT count(*) FROM t");
            assertRouteBegins("satellite-1", reader);
            execute(reader, "SET multimed.reads = 'master'");
            ask(reader, "SELECT count(*) FROM t");
            assertRouteBegins(CHOSEN, reader);
            execute(reader, "RESET multimed.reads");
            ask(reader, "SELECT count(*) FROM t");
            assertRouteBegins("satellite-1", reader);
        }
    }

    @Test
    void aReadOnlyTransactionRunsOnTheMasterAndStillRefusesChanges() throws SQLException {
        for (String isolation : new String[] {"READ COMMITTED", "REPEATABLE READ"}) {
            try (Connection reader = multimed.connect("options=-c multimed.reads=master")) {
                execute(reader, "BEGIN ISOLATION LEVEL " + isolation + " READ ONLY");
                ask(reader, "SELECT count(*) FROM t");
                SQLException refused =
                        assertThrows(SQLException.class, () -> execute(reader, "INSERT INTO t VALUES (1)"));
                assertEquals("25006", refused.getSQLState());
                execute(reader, "ROLLBACK");
                assertRouteBegins(CHOSEN, reader);
            }
        }
    }

    /** JDBC sends BEGIN and the first query in one segment. */
    @Test
    void aReadOnlyTransactionOfADriverRunsOnTheMaster() throws SQLException {
        try (Connection reader = multimed.connect("options=-c multimed.reads=master")) {
            reader.setReadOnly(true);
            reader.setAutoCommit(false);
            ask(reader, "SELECT count(*) FROM t");
            ask(reader, "SELECT max(i) FROM t");
            reader.commit();
            reader.setAutoCommit(true);
            assertRouteBegins(CHOSEN, reader);
        }
    }

    @Test
    void chosenInABlockOnASatelliteItCountsAtTheLatestAfterTheBlock() throws SQLException {
        try (Connection reader = multimed.connect()) {
            execute(reader, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
            ask(reader, "SELECT count(*) FROM t");
            execute(reader, "SET multimed.reads = 'master'");
            ask(reader, "SELECT count(*) FROM t");
            execute(reader, "COMMIT");
            assertRouteBegins("satellite-1", reader);
            ask(reader, "SELECT count(*) FROM t");
            assertRouteBegins(CHOSEN, reader);
        }
    }

    @Test
    void otherValuesAreRefused() throws SQLException {
        try (Connection reader = multimed.connect()) {
            SQLException refused =
                    assertThrows(SQLException.class, () -> execute(reader, "SET multimed.reads = 'satellite'"));
            assertEquals("22023", refused.getSQLState());
        }
    }
}
