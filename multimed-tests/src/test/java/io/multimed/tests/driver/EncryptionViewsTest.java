package io.multimed.tests.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.endpoint.pg.PostgresEndpoint;
import io.multimed.testkit.tls.TestCertificate;
import io.multimed.tests.server.RunningMultimed;
import io.multimed.tests.server.ServedCertificate;
import io.netty.handler.ssl.SslContext;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** pg_stat_ssl and pg_stat_gssapi describe the connections of clients, not those of Multimed to the engines. */
@Tag("slow")
class EncryptionViewsTest {
    private static final String OWN = " WHERE pid = pg_backend_pid()";
    private static PostgresEndpoint endpoint;

    @BeforeAll
    static void start() throws Exception {
        try (TestCertificate made = TestCertificate.make("-keyalg", "EC")) {
            SslContext context = ServedCertificate.context(made);
            endpoint = RunningMultimed.shared().endpoint(options -> options.withTls(context), UnaryOperator.identity());
        }
        try (Connection owner = connect("postgres", "disable")) {
            rows(owner, "CREATE ROLE views_other LOGIN");
        }
    }

    @AfterAll
    static void end() throws Exception {
        try (Connection owner = connect("postgres", "disable")) {
            rows(owner, "DROP ROLE views_other");
        }
        endpoint.close();
    }

    private static Connection connect(String user, String mode) throws SQLException {
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:"
                + endpoint.address().getPort() + "/postgres?socketTimeout=60&user=" + user + "&sslmode=" + mode);
    }

    private static List<String> rows(Connection connection, String sql) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (var statement = connection.createStatement()) {
            if (statement.execute(sql)) {
                ResultSet result = statement.getResultSet();
                while (result.next()) {
                    List<String> row = new ArrayList<>();
                    for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                        row.add(String.valueOf(result.getString(i)));
                    }
                    rows.add(String.join(" ", row));
                }
            }
        }
        return rows;
    }

    @Test
    void eachClientIsShownWithItsOwnEncryption() throws Exception {
        try (Connection plain = connect("postgres", "disable");
                Connection encrypted = connect("postgres", "require")) {
            String ssl = "SELECT ssl, version, cipher, bits, client_dn, client_serial, issuer_dn FROM pg_stat_ssl";
            assertEquals(List.of("f null null null null null null"), rows(plain, ssl + OWN));
            List<String> own = rows(encrypted, ssl + OWN);
            assertEquals(1, own.size(), own.toString());
            assertTrue(
                    own.get(0).matches("t TLSv1[.]3 TLS_\\w+_SHA(256|384) (128|256) null null null"), own.toString());
            // The other client is idle: no engine process serves it.
            String pid = rows(encrypted, "SELECT pg_backend_pid()").get(0);
            assertEquals(own, rows(plain, ssl + " WHERE pid = " + pid));
            assertEquals(
                    List.of("t " + pid),
                    rows(plain, "SELECT ssl, a.pid FROM pg_stat_ssl JOIN pg_stat_activity a USING (pid) WHERE ssl"));
        }
    }

    @Test
    void gssapiIsUsedByNobody() throws Exception {
        try (Connection encrypted = connect("postgres", "require")) {
            assertEquals(
                    List.of("f null f f"),
                    rows(
                            encrypted,
                            "SELECT gss_authenticated, principal, encrypted, credentials_delegated FROM pg_stat_gssapi"
                                    + OWN));
        }
    }

    @Test
    void aRoleSeesTheEncryptionOfItsOwnConnectionsOnly() throws Exception {
        try (Connection owner = connect("postgres", "require");
                Connection other = connect("views_other", "require")) {
            String pid = rows(owner, "SELECT pg_backend_pid()").get(0);
            assertEquals(List.of("1"), rows(other, "SELECT count(*) FROM pg_stat_ssl" + OWN));
            assertEquals(List.of("0"), rows(other, "SELECT count(*) FROM pg_stat_ssl WHERE pid = " + pid));
        }
    }
}
