package io.multimed.tests.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.multimed.endpoint.pg.PostgresEndpoint;
import io.multimed.endpoint.pg.config.EndpointOptions;
import io.multimed.endpoint.pg.config.EndpointOptions.Authentication;
import io.multimed.testkit.tls.TestCertificate;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.RunningMultimed;
import io.multimed.tests.server.ServedCertificate;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Drivers that insist on channel binding: pgjdbc, and psql where it is installed. */
@Tag("slow")
class ChannelBindingDriversTest {
    private static final String ROLE = "bound_driver";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @BeforeAll
    static void createRole() throws IOException {
        owner("CREATE ROLE " + ROLE + " LOGIN PASSWORD 'secret'");
    }

    @AfterAll
    static void dropRole() throws IOException {
        owner("DROP ROLE " + ROLE);
    }

    private static void owner(String sql) throws IOException {
        try (WireSession owner =
                WireSession.open(RunningMultimed.shared().master(), "postgres", "postgres", PATIENCE)) {
            owner.rows(sql);
        }
    }

    private static PostgresEndpoint endpoint(UnaryOperator<EndpointOptions> tls) throws Exception {
        return RunningMultimed.shared()
                .endpoint(
                        options -> tls.apply(options.withAuthentication(Authentication.SCRAM_SHA_256)),
                        UnaryOperator.identity());
    }

    /** Returns an endpoint with a certificate of that kind. */
    private static PostgresEndpoint endpointWith(String kind) throws Exception {
        try (TestCertificate made = TestCertificate.make(kind.split(" "))) {
            SslContext context = ServedCertificate.context(made);
            return endpoint(options -> options.withTls(context));
        }
    }

    private static String[] psql(PostgresEndpoint endpoint, String options) {
        assumeTrue(Programs.installed("psql"), "psql is not installed");
        return new String[] {
            "psql",
            "-X",
            "-A",
            "-t",
            "postgresql://" + ROLE + ":secret@127.0.0.1:" + endpoint.address().getPort() + "/postgres?" + options,
            "-c",
            "SELECT 'logged in'"
        };
    }

    /** libpq determines the hash by itself, with OpenSSL. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "-keyalg EC -sigalg SHA256withECDSA",
                "-keyalg RSA -sigalg SHA384withRSA",
                "-keyalg RSA -sigalg SHA1withRSA",
                "-keyalg RSA -keysize 4096 -sigalg RSASSA-PSS"
            })
    void psqlBindsToTheCertificate(String kind) throws Exception {
        try (PostgresEndpoint endpoint = endpointWith(kind)) {
            String output = Programs.run(psql(endpoint, "sslmode=require&channel_binding=require"));
            assertTrue(output.contains("logged in"), output);
        }
    }

    /** A login to PostgreSQL itself fails: "could not find digest for NID UNDEF". */
    @Test
    void psqlLogsInWithoutBindingWhereTheCertificateIsSignedWithoutHash() throws Exception {
        try (PostgresEndpoint endpoint = endpointWith("-keyalg EC -signer ed25519")) {
            String output = Programs.run(psql(endpoint, "sslmode=require"));
            assertTrue(output.contains("logged in"), output);
            output = Programs.fail(psql(endpoint, "sslmode=require&channel_binding=require"));
            assertTrue(output.contains("channel binding"), output);
        }
    }

    @Test
    void psqlNeedNotBind() throws Exception {
        try (PostgresEndpoint endpoint = endpointWith("-keyalg EC")) {
            String output = Programs.run(psql(endpoint, "sslmode=require&channel_binding=disable"));
            assertTrue(output.contains("logged in"), output);
        }
    }

    @Test
    void psqlFindsNothingToBindToWithoutTls() throws Exception {
        try (PostgresEndpoint endpoint = endpoint(UnaryOperator.identity())) {
            String output = Programs.fail(psql(endpoint, "channel_binding=require"));
            assertTrue(output.contains("channel binding"), output);
        }
    }

    private static String value(PostgresEndpoint endpoint, String options) throws SQLException {
        try (Connection connection = DriverManager.getConnection(
                        "jdbc:postgresql://127.0.0.1:" + endpoint.address().getPort() + "/postgres?user=" + ROLE
                                + "&password=secret&socketTimeout=60" + options);
                ResultSet result = connection.createStatement().executeQuery("SELECT 'logged in'")) {
            assertTrue(result.next());
            return result.getString(1);
        }
    }

    @Test
    void pgjdbcBindsToTheCertificate() throws Exception {
        try (PostgresEndpoint endpoint = endpointWith("-keyalg EC")) {
            for (String binding : new String[] {"require", "prefer", "disable"}) {
                assertEquals("logged in", value(endpoint, "&sslmode=require&channelBinding=" + binding), binding);
            }
        }
    }

    @Test
    void pgjdbcFindsNothingToBindToWithoutTls() throws Exception {
        try (PostgresEndpoint endpoint = endpoint(UnaryOperator.identity())) {
            assertEquals("logged in", value(endpoint, ""));
            assertThrows(SQLException.class, () -> value(endpoint, "&channelBinding=require"));
        }
    }
}
