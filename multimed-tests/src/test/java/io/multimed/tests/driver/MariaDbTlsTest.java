package io.multimed.tests.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.endpoint.mysql.MysqlEndpoint;
import io.multimed.endpoint.mysql.config.MysqlEndpointOptions;
import io.multimed.endpoint.mysql.config.MysqlTls;
import io.multimed.testkit.mariadb.CertificateSwap;
import io.multimed.testkit.mariadb.MysqlWire;
import io.multimed.testkit.random.Seed;
import io.multimed.testkit.tls.TestCertificate;
import io.multimed.testkit.wire.TlsClient;
import io.multimed.tests.server.RunningMariaDb;
import io.multimed.tests.server.ServedCertificate;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** TLS between clients of MariaDB and Multimed. */
@Tag("slow")
@Timeout(120)
class MariaDbTlsTest {
    private static final int LARGE = (1 << 24) + 100;
    private static final int READS = 2000;

    private static final AtomicBoolean REQUIRED = new AtomicBoolean();

    private static TestCertificate certificate;
    private static RunningMariaDb multimed;

    @TempDir
    private static Path files;

    @BeforeAll
    static void start() throws Exception {
        certificate = TestCertificate.make("-keyalg", "EC", "-ext", "SAN=dns:localhost,ip:127.0.0.1");
        SslContext context = ServedCertificate.context(certificate);
        multimed = RunningMariaDb.start(1, new MysqlTls(() -> context, client -> REQUIRED.get()));
        onMaster("CREATE DATABASE shop");
        onMaster("CREATE TABLE shop.item (id INT PRIMARY KEY, name LONGTEXT)");
        onMaster("INSERT INTO shop.item VALUES (1, 'eins')");
        onMaster("SET GLOBAL max_allowed_packet = 67108864");
        for (String requirement : List.of("NONE", "SSL", "X509", "CIPHER 'TLS13-AES256-GCM-SHA384'")) {
            String name = requirement.replaceFirst(" .*", "").toLowerCase(java.util.Locale.ROOT);
            onMaster("CREATE USER '" + name + "'@'%' IDENTIFIED BY 'secret' REQUIRE " + requirement);
            onMaster("GRANT ALL ON *.* TO '" + name + "'@'%'");
        }
    }

    @AfterAll
    static void end() throws Exception {
        multimed.close();
        certificate.close();
    }

    private static int port() {
        return multimed.instance().address().getPort();
    }

    private static void onMaster(String statement) throws Exception {
        Run run = mariadb(
                "", "--socket=" + multimed.nodes().getFirst().socket(), "--user=root", "--skip-ssl", "-e", statement);
        assertEquals(0, run.status(), run.output());
    }

    private record Run(int status, String output) {}

    private static Run mariadb(String input, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(multimed.program("mariadb"), "--no-defaults"));
        command.addAll(List.of(arguments));
        Path script = Files.writeString(Files.createTempFile(files, "script", ""), input);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(script.toFile())
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Run(process.waitFor(), output);
    }

    private static Connection connect(int port, String user, String options) throws SQLException {
        return connect("localhost", port, user, options);
    }

    private static Connection connect(String host, int port, String user, String options) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mariadb://" + host + ":" + port + "/shop?user=" + user + "&password=secret" + options);
    }

    private static MysqlWire overTls(int port) throws Exception {
        MysqlWire client = MysqlWire.connect(port);
        client.beginTls(TlsClient.context());
        return client;
    }

    private static String login(MysqlWire client, String user) throws IOException {
        return client.tryLogin(MysqlWire.PLAIN, user, "secret", null).toString();
    }

    private static String value(Statement statement, String query) throws SQLException {
        try (ResultSet row = statement.executeQuery(query)) {
            assertTrue(row.next(), query);
            return row.getString(row.getMetaData().getColumnCount());
        }
    }

    private static void readOnSatellite(Statement statement) throws Exception {
        long before = multimed.served();
        for (int i = 0; i < READS && multimed.served() == before; i++) {
            assertEquals("eins", value(statement, "SELECT name FROM item WHERE id = 1"));
        }
        assertTrue(multimed.served() > before, "no read on a Satellite");
    }

    @Test
    void theCommandLineClientVerifiesTheServerByItsAuthority() throws Exception {
        Path rows = Files.writeString(files.resolve("rows"), "7\tsieben\n");
        Run run = mariadb(
                "\\s\nCREATE TABLE shop.loaded LIKE shop.item;\nLOAD DATA LOCAL INFILE '" + rows
                        + "' INTO TABLE shop.loaded;\nSELECT name FROM shop.loaded;\n",
                "--host=localhost",
                "--protocol=tcp",
                "--port=" + port(),
                "--user=none",
                "--password=secret",
                "--local-infile",
                "--ssl-ca=" + certificate.certificate());
        assertEquals(0, run.status(), run.output());
        assertTrue(run.output().matches("(?s).*SSL:\\s+Cipher in use is \\S+, cert is OK\n.*sieben\n"), run.output());
    }

    /** Clients of MariaDB 11.4 do so unless they are told otherwise. The server must not be on 127.0.0.1, where they trust it. */
    @Test
    void aSelfSignedCertificateIsVerifiedByThePassword() throws Exception {
        try (MysqlEndpoint endpoint = multimed.endpoint(
                options -> new MysqlEndpointOptions(
                        new InetSocketAddress("127.0.0.2", 0),
                        options.loops(),
                        options.clients(),
                        options.connections(),
                        options.freshness(),
                        options.waits(),
                        options.tls()),
                UnaryOperator.identity())) {
            int port = endpoint.address().getPort();
            assertEquals(new Run(0, "yes\nyes\n"), clientOf("127.0.0.2", port));
            try (Connection client = connect("127.0.0.2", port, "none", "&sslMode=verify-ca");
                    Statement statement = client.createStatement()) {
                assertEquals("1", value(statement, "SELECT 1"));
            }
        }
    }

    @Test
    void aManInTheMiddleIsNoticed() throws Exception {
        try (TestCertificate other = TestCertificate.make("-keyalg", "EC");
                CertificateSwap between = new CertificateSwap(port(), other)) {
            Run run = clientOf("127.0.0.2", between.port());
            assertTrue(run.status() != 0 && run.output().contains("TLS/SSL error"), run.output());
            assertThrows(SQLException.class, () -> connect("127.0.0.2", between.port(), "none", "&sslMode=verify-ca"));
            assertEquals(
                    new Run(0, "yes\nyes\n"),
                    clientOf("127.0.0.2", between.port(), "--disable-ssl-verify-server-cert"));
        }
    }

    private static Run clientOf(String host, int port, String... more) throws Exception {
        List<String> arguments =
                new ArrayList<>(List.of("--host=" + host, "--port=" + port, "--user=none", "--password=secret"));
        arguments.addAll(List.of(more));
        return mariadb("SELECT 'yes';\n", arguments.toArray(String[]::new));
    }

    @Test
    void theDriverVerifiesTheServer() throws Exception {
        for (String mode : new String[] {"verify-ca", "verify-full"}) {
            String authority = "&sslMode=" + mode + "&serverSslCert=" + certificate.certificate();
            try (Connection client = connect(port(), "none", authority);
                    Statement statement = client.createStatement()) {
                readOnSatellite(statement);
            }
            try (TestCertificate another = TestCertificate.make("-keyalg", "EC")) {
                String wrong = "&sslMode=" + mode + "&serverSslCert=" + another.certificate();
                assertThrows(SQLException.class, () -> connect(port(), "none", wrong));
            }
        }
    }

    @Test
    void largePacketsPass() throws Exception {
        String large = "ä".repeat(LARGE / 2);
        try (Connection client = connect(port(), "none", "&sslMode=trust&maxAllowedPacket=67108864");
                Statement statement = client.createStatement()) {
            statement.execute("CREATE TABLE large LIKE item");
            try (PreparedStatement insert = client.prepareStatement("INSERT INTO large VALUES (2, ?)")) {
                insert.setString(1, large);
                insert.execute();
            }
            assertEquals(large, value(statement, "SELECT name FROM large"));
            statement.execute("DROP TABLE large");
        }
    }

    @Test
    void anAccountMayRequireTls() throws Exception {
        try (MysqlWire plain = MysqlWire.connect(port())) {
            String refused = login(plain, "ssl");
            assertTrue(refused.contains("Access denied for user 'ssl'@"), refused);
        }
        try (Connection client = connect(port(), "ssl", "&sslMode=trust");
                Statement statement = client.createStatement()) {
            readOnSatellite(statement);
            assertFalse(value(statement, "SHOW STATUS LIKE 'Ssl_cipher'").isEmpty());
        }
        try (Connection client = connect(port(), "none", "&sslMode=trust");
                Statement statement = client.createStatement()) {
            assertEquals("", value(statement, "SHOW STATUS LIKE 'Ssl_cipher'"));
        }
    }

    @Test
    void anAccountThatRequiresMoreThanTlsIsRefused() throws Exception {
        try (MysqlWire client = overTls(port())) {
            String refused = login(client, "x509");
            assertTrue(refused.contains("Access denied for user 'x509'@"), refused);
        }
        try (MysqlWire client = overTls(port())) {
            String refused = login(client, "cipher");
            assertTrue(refused.contains("requires a cipher"), refused);
        }
    }

    @Test
    void connectionsToTheMasterThatAreMadeAgainHaveTlsToo() throws Exception {
        try (MysqlEndpoint endpoint = multimed.endpoint(options -> options.with(1, 1), UnaryOperator.identity());
                MysqlWire one = MysqlWire.connect(endpoint.address().getPort())) {
            one.beginTls(TlsClient.context());
            assertTrue(login(one, "ssl").startsWith("3 \\00"));
            try (MysqlWire other = overTls(endpoint.address().getPort())) {
                assertTrue(login(other, "ssl").startsWith("3 \\00"));
                for (int i = 0; i < 3; i++) {
                    for (MysqlWire client : List.of(one, other)) {
                        String reply = client.query("UPDATE shop.item SET name = 'eins' WHERE id = 1")
                                .getFirst();
                        assertTrue(reply.startsWith("1 \\00\\00"), reply);
                    }
                }
            }
        }
    }

    @Test
    void theUserCanBeChanged() throws Exception {
        try (MysqlWire client = overTls(port())) {
            login(client, "ssl");
            assertTrue(client.changeUser("none", "secret").toString().startsWith("3 \\00"));
            assertTrue(client.query("SELECT CURRENT_USER()").toString().contains("none@"));
            assertTrue(client.changeUser("none", "wrong").toString().contains("Access denied"));
        }
    }

    @Test
    void aClientCanBeKilled() throws Exception {
        try (Connection killed = connect(port(), "none", "&sslMode=trust");
                Statement statement = killed.createStatement();
                Connection killer = connect(port(), "none", "&sslMode=trust");
                Statement kill = killer.createStatement()) {
            kill.execute("KILL " + value(statement, "SELECT CONNECTION_ID()"));
            assertThrows(SQLException.class, () -> statement.execute("INSERT INTO item VALUES (1, '')"));
            assertEquals("1", value(kill, "SELECT 1"));
        }
    }

    @Test
    void clientsWithoutTlsCanBeRefused() throws Exception {
        String wanted = "\\ffW\\0c#08004Connections using insecure transport are prohibited while"
                + " --require_secure_transport=ON.";
        REQUIRED.set(true);
        try (MysqlWire plain = MysqlWire.connect(port());
                MysqlWire encrypted = overTls(port())) {
            assertEquals("2 " + wanted, login(plain, "none"));
            assertTrue(login(encrypted, "none").startsWith("3 \\00"));
        } finally {
            REQUIRED.set(false);
        }
        onMaster("SET GLOBAL require_secure_transport = 1");
        try (MysqlWire plain = MysqlWire.connect(port());
                MysqlWire encrypted = overTls(port())) {
            assertEquals("2 " + wanted, login(plain, "none"));
            assertTrue(login(encrypted, "none").startsWith("3 \\00"));
        } finally {
            onMaster("SET GLOBAL require_secure_transport = 0");
        }
    }

    /** Nothing that came in the clear counts as sent under TLS. */
    @Test
    void aLoginBehindTheRequestIsNotTaken() throws Exception {
        try (MysqlWire client = MysqlWire.connect(port())) {
            client.requestTls(MysqlWire.response(2, "root"));
            awaitClosed(client);
        }
    }

    @Test
    void anythingButTlsBehindTheRequestEndsTheConnection() throws Exception {
        Random random = new Random(Seed.of("multimed.test.seed"));
        for (int i = 0; i < 50; i++) {
            byte[] bytes = new byte[10 + random.nextInt(300)];
            random.nextBytes(bytes);
            if (random.nextBoolean()) {
                // A record that could begin a handshake, with lengths that are right.
                int record = bytes.length - 5;
                int message = record - 4;
                byte[] head = {
                    0x16, 3, 1, (byte) (record >> 8), (byte) record, 1, 0, (byte) (message >> 8), (byte) message
                };
                System.arraycopy(head, 0, bytes, 0, head.length);
            } else {
                bytes[0] &= 0x0f;
                // Otherwise it could be SSL 2, of which more would have to come.
                bytes[4] = 0;
            }
            try (MysqlWire client = MysqlWire.connect(port())) {
                client.requestTls(bytes);
                awaitClosed(client);
            }
        }
        try (MysqlWire client = overTls(port())) {
            assertTrue(login(client, "none").startsWith("3 \\00"));
        }
    }

    private static void awaitClosed(MysqlWire client) {
        // An alert of TLS may come first.
        IOException end = assertThrows(IOException.class, () -> {
            while (true) {
                byte[] received = client.receive().payload();
                assertTrue(received.length > 0 && received[0] != 0, "accepted");
            }
        });
        assertFalse(end instanceof SocketTimeoutException, "not closed");
    }

    @Test
    void tlsWithoutARequestIsRefused() throws Exception {
        try (MysqlWire client = MysqlWire.connect(port())) {
            client.receive();
            client.sendBytes(new byte[] {0x16, 3, 1, 1, 0, 1, 0, 0});
            List<String> replies = client.receiveAll();
            assertTrue(replies.getFirst().contains("Bad handshake"), replies.toString());
            assertEquals("closed", replies.getLast());
        }
    }

    @Test
    void aRequestForTlsThatIsNotOfferedIsRefused() throws Exception {
        try (MysqlEndpoint endpoint =
                        multimed.endpoint(options -> options.with((MysqlTls) null), UnaryOperator.identity());
                MysqlWire client = MysqlWire.connect(endpoint.address().getPort())) {
            client.requestTls();
            assertTrue(client.receive().toString().contains("Bad handshake"));
        }
    }
}
