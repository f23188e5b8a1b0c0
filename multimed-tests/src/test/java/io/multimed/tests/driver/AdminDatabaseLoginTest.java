package io.multimed.tests.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.endpoint.pg.PostgresEndpoint;
import io.multimed.endpoint.pg.config.EndpointOptions.Authentication;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.RunningMultimed;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The right to see the connected clients. */
class AdminDatabaseLoginTest {
    private static final String ROLE = "locked_out";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static void owner(String sql) throws IOException {
        try (WireSession owner =
                WireSession.open(RunningMultimed.shared().master(), "postgres", "postgres", PATIENCE)) {
            owner.rows(sql);
        }
    }

    private static Connection connect(PostgresEndpoint endpoint, String database) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + endpoint.address().getPort() + "/" + database
                        + "?preferQueryMode=simple&gssEncMode=disable",
                ROLE,
                "secret");
    }

    /** PostgreSQL refuses the role in its databases; the admin database is none of these. */
    @ParameterizedTest
    @ValueSource(strings = {"multimed", "postgres"})
    void aRoleThatMayNotLogInDoesNot(String database) throws Exception {
        owner("CREATE ROLE " + ROLE + " NOLOGIN PASSWORD 'secret'");
        try (PostgresEndpoint endpoint = RunningMultimed.shared()
                .endpoint(
                        options -> options.withAuthentication(Authentication.SCRAM_SHA_256),
                        UnaryOperator.identity())) {
            SQLException refused = assertThrows(SQLException.class, () -> connect(endpoint, database));
            assertTrue(refused.getSQLState().startsWith("28"), refused.toString());
            owner("ALTER ROLE " + ROLE + " LOGIN");
            try (Connection connection = connect(endpoint, database);
                    ResultSet row = connection
                            .createStatement()
                            .executeQuery(database.equals("multimed") ? "SHOW NODES" : "SELECT 'master'")) {
                assertTrue(row.next());
                assertEquals("master", row.getString(1));
            }
        } finally {
            owner("DROP ROLE " + ROLE);
        }
    }
}
