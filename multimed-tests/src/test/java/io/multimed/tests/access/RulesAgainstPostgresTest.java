package io.multimed.tests.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.postgres.PlainPostgres;
import io.multimed.testkit.process.TestDirectory;
import io.multimed.testkit.tls.TestCertificate;
import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.TlsClient;
import io.multimed.testkit.wire.WireClient;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.RunningMultimed;
import io.multimed.tests.server.TestBinaries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The same rules let the same clients in at Multimed and at PostgreSQL, and refuse the others with the same errors. */
@Tag("slow")
@Timeout(300)
class RulesAgainstPostgresTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final String RULES = """
            # Each database tries one kind of rule.
            local     all        postgres       trust
            host      d_address  all            127.0.0.1/32       trust
            host      d_mask     all            127.0.0.2 255.255.255.254  trust
            hostssl   d_tls      all            all                trust
            hostnossl d_plain    all            0.0.0.0/0          trust
            host      d_reject   bob            all                reject
            host      d_reject   all            127.0.0.0/8        trust
            host      sameuser   all            samehost           trust
            host      samerole   all            127.0.0.2/32       trust
            host      d_group    +staff         all                trust
            host      d_group    nobody_at_all  all                trust
            host      d_list,"d list" alice,"bob"  samenet         trust
            host      "all"      all            all                trust
            host      /^re_[0-9][0-9]?$ all     all                trust
            host      "/^res?_(x|y)$"   /^al    all                trust
            host      @databases.txt  @users.txt  all              trust
            host      d_long \\
                      alice \\
                      127.0.0.0/8 trust
            hostssl   d_scram    all            all                scram-sha-256
            hostssl   d_ca       all            all                trust  clientcert=verify-ca
            hostssl   d_full     all            all                trust  clientcert=verify-full
            hostssl   d_cert     all            all                cert
            hostssl   d_map      all            all                cert   map=certificates
            hostssl   d_dn       all            all                cert   map=names clientname=DN
            host      d_host     all            localhost          trust
            local     d_peer     all                           peer
            local     d_os       all                           peer   map=os
            local     d_local    all                           trust
            local     d_locals   alice                         scram-sha-256
            local     d_locals   all                           reject
            include   more.conf
            """;

    private static final String MAPS = """
            certificates  alice                  boss
            certificates  "/^b(.*)$"             a\\1
            certificates  alice                  +leads
            names         "CN=alice"             alice
            os            %s                     alice
            """.formatted(System.getProperty("user.name"));

    private static final List<String> DATABASES = List.of(
            "d_address",
            "d_mask",
            "d_tls",
            "d_plain",
            "d_reject",
            "alice",
            "staff",
            "d_group",
            "d_list",
            "d list",
            "all",
            "re_7",
            "re_777",
            "res_x",
            "d_file",
            "d_long",
            "d_scram",
            "d_ca",
            "d_full",
            "d_cert",
            "d_map",
            "d_dn",
            "d_host",
            "d_more",
            "d_none",
            "d_peer",
            "d_os",
            "d_local",
            "d_locals");

    private static final List<String> SETUP = List.of(
            "CREATE ROLE staff",
            "CREATE ROLE leads IN ROLE staff",
            "CREATE ROLE alice LOGIN IN ROLE staff PASSWORD 'x'",
            "CREATE ROLE boss LOGIN IN ROLE leads",
            "CREATE ROLE bob LOGIN");

    private static RunningMultimed multimed;
    private static PlainPostgres postgres;
    private static Path directory;
    private static TestDirectory sockets;
    private static final List<AutoCloseable> made = new ArrayList<>();
    private static TestCertificate alice;

    @BeforeAll
    static void start() throws Exception {
        TestCertificate server = keep(TestCertificate.make("-keyalg", "EC"));
        alice = keep(TestCertificate.of("CN=alice", "-keyalg", "EC"));
        directory = server.certificate().getParent();
        postgres = keep(PlainPostgres.start(TestBinaries.get().directory(), Map.of(), List.of()));
        Path authorities = Files.writeString(directory.resolve("clients.crt"), Files.readString(alice.certificate()));
        Path data = postgres.data();
        for (Path place : List.of(directory, data)) {
            writeRules(place);
        }
        Files.copy(authorities, data.resolve("clients.crt"));
        readable(data);
        postgres.speakTls(server.certificate(), server.key());
        for (String sql : SETUP) {
            run(postgres.unix(), sql);
        }
        run(postgres.unix(), "ALTER SYSTEM SET ssl_ca_file = 'clients.crt'");
        run(postgres.unix(), "SELECT pg_reload_conf()");
        assertEquals(
                List.of(),
                query(postgres.unix(), "SELECT line_number, error FROM pg_hba_file_rules WHERE error IS NOT NULL"));
        sockets = keep(new TestDirectory());
        multimed = keep(RunningMultimed.startWithEndpoint(0, "unix_socket_dir = \"" + sockets.path() + "\"\n"));
        for (String sql : SETUP) {
            run(multimed.address(), sql);
        }
        assertEquals(
                List.of(),
                multimed.reload(multimed.configuration()
                                        .replace(
                                                "[endpoint]\n",
                                                "[endpoint]\nhba_file = \"%1$s/pg_hba.conf\"\nident_file = \"%1$s/pg_ident.conf\"\n"
                                                        .formatted(directory))
                                + "[endpoint.tls]\ncertificate = \"%s\"\nkey = \"%s\"\nclient_ca = \"%s\"\n"
                                        .formatted(server.certificate(), server.key(), authorities))
                        .problems());
        // PostgreSQL reads its files again at a moment of its own choice.
        RunningMultimed.await(
                () -> {
                    try {
                        return new Knock("127.0.0.1", null, "bob", "d_none", Map.of())
                                        .at(postgres.tcp())
                                        .startsWith("28000")
                                && new Knock("127.0.0.1", alice.clientContext(), "alice", "d_cert", Map.of())
                                        .at(postgres.tcp())
                                        .startsWith("3D000");
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                },
                "PostgreSQL with these rules");
    }

    private static <T extends AutoCloseable> T keep(T closeable) {
        made.addFirst(closeable);
        return closeable;
    }

    private static void writeRules(Path place) throws IOException {
        Files.writeString(place.resolve("pg_hba.conf"), RULES);
        Files.writeString(place.resolve("pg_ident.conf"), MAPS);
        Files.writeString(place.resolve("databases.txt"), "d_file\n");
        Files.writeString(place.resolve("users.txt"), "alice, # the first\n\"boss\"\n");
        Files.writeString(
                place.resolve("more.conf"), "host d_more all 127.0.0.3/32 reject\nhost d_more all all trust\n");
    }

    /** PostgreSQL may run as another user. */
    private static void readable(Path data) throws IOException {
        try (Stream<Path> files = Files.list(data)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.setOwner(file, Files.getOwner(data));
            }
        }
    }

    @AfterAll
    static void stop() throws Exception {
        for (AutoCloseable closeable : made) {
            closeable.close();
        }
    }

    private static void run(ServerAddress address, String sql) throws IOException {
        query(address, sql);
    }

    private static List<List<@Nullable String>> query(ServerAddress address, String sql) throws IOException {
        try (WireSession session = WireSession.open(address, "postgres", "postgres", PATIENCE)) {
            return session.rows(sql);
        }
    }

    /** Returns the Unix-domain socket of Multimed's endpoint. */
    private static ServerAddress unix() {
        return ServerAddress.of(sockets.path().toString(), multimed.address().port());
    }

    private static List<Knock> knocks() throws Exception {
        SSLContext anonymous = TlsClient.context();
        SSLContext named = alice.clientContext();
        List<Knock> all = new ArrayList<>();
        for (String database : DATABASES) {
            for (String user : List.of("alice", "bob", "boss", "nobody_at_all", "alfred")) {
                for (String from : List.of("127.0.0.1", "127.0.0.2", "127.0.0.3")) {
                    all.add(new Knock(from, null, user, database, Map.of()));
                    all.add(new Knock(from, anonymous, user, database, Map.of()));
                }
                all.add(new Knock("127.0.0.1", named, user, database, Map.of()));
                all.add(new Knock("", null, user, database, Map.of()));
            }
        }
        return all;
    }

    @Test
    void everyCombinationOfRuleRoleAddressAndEncryption() throws Exception {
        List<String> differences = new ArrayList<>();
        Map<String, Integer> answers = new TreeMap<>();
        for (Knock knock : knocks()) {
            boolean local = knock.from().isEmpty();
            String expected = knock.at(local ? postgres.unix() : postgres.tcp());
            String actual = knock.at(local ? unix() : multimed.address());
            answers.merge(expected.substring(0, 5), 1, Integer::sum);
            if (!expected.equals(actual)) {
                differences.add(knock + "\n  PostgreSQL: " + expected + "\n  Multimed:   " + actual);
            }
        }
        assertEquals("", String.join("\n", differences));
        // None of the databases exists, so whoever gets in is told that.
        assertTrue(answers.getOrDefault("3D000", 0) > 60, answers::toString);
        assertTrue(answers.getOrDefault("28000", 0) > 60, answers::toString);
        assertTrue(answers.getOrDefault("passw", 0) > 10, answers::toString);
    }

    @Test
    void membershipsCountAsSoonAsTheyAreGranted() throws Exception {
        Knock knock = new Knock("127.0.0.1", null, "bob", "d_group", Map.of());
        for (int i = 0; i < 5; i++) {
            assertEquals("28000", knock.at(multimed.address()).substring(0, 5));
            run(unix(), "GRANT leads TO bob");
            assertEquals("3D000", knock.at(multimed.address()).substring(0, 5));
            run(unix(), "REVOKE leads FROM bob");
        }
    }

    @Test
    void theCertificateOfAClientIsShown() throws Exception {
        run(postgres.unix(), "CREATE DATABASE d_cert");
        run(unix(), "CREATE DATABASE d_cert");
        try {
            String query =
                    "SELECT ssl, client_dn, client_serial, issuer_dn FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
            String expected = rowsOf(postgres.tcp(), query);
            assertTrue(expected.contains("CN=alice"), expected);
            assertEquals(expected, rowsOf(multimed.address(), query));
        } finally {
            run(postgres.unix(), "DROP DATABASE d_cert WITH (FORCE)");
            run(unix(), "DROP DATABASE d_cert WITH (FORCE)");
        }
    }

    /** Returns a query's result for a client that logs in with its certificate. */
    private static String rowsOf(ServerAddress server, String query) throws Exception {
        try (TlsClient client = TlsClient.asking(server, alice.clientContext())) {
            client.send(
                    FrontendBytes.startup(FrontendBytes.PROTOCOL_3_0, Map.of("user", "alice", "database", "d_cert")));
            client.send(FrontendBytes.query(query));
            for (Message message = client.read(); ; message = client.read()) {
                if (message.type() == 'D') {
                    return message.texts().toString();
                }
                if (message.type() == 'E') {
                    return message.fields().toString();
                }
            }
        }
    }

    @Test
    void theUnixDomainSocket() throws Exception {
        Path socket = sockets.path().resolve(".s.PGSQL." + multimed.address().port());
        assertEquals("rwxrwxrwx", PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)));
        assertEquals(
                Long.toString(ProcessHandle.current().pid()),
                Files.readAllLines(Path.of(socket + ".lock")).getFirst());
        try (WireSession session = WireSession.open(unix(), "postgres", "postgres", PATIENCE)) {
            assertEquals("1", session.value("SELECT 1"));
            assertEquals(
                    List.of(),
                    session.rows("SELECT client_addr, client_port FROM pg_stat_activity"
                            + " WHERE pid = pg_backend_pid() AND (client_addr IS NOT NULL OR client_port <> -1)"));
        }
        try (WireClient client = WireClient.connect(unix(), PATIENCE)) {
            client.send(FrontendBytes.request(FrontendBytes.SSL_REQUEST));
            assertEquals('N', client.readByte());
        }
        multimed.restart();
        assertTrue(Files.exists(
                socket.resolveSibling(".s.PGSQL." + multimed.address().port())));
        assertEquals(multimed.address().port() == port(socket), Files.exists(socket));
    }

    private static int port(Path socket) {
        String name = socket.getFileName().toString();
        return Integer.parseInt(name.substring(name.lastIndexOf('.') + 1));
    }

    @Test
    void aStrangersCertificateIsRefusedByBoth() throws Exception {
        try (TestCertificate stranger = TestCertificate.of("CN=alice", "-keyalg", "EC")) {
            Knock knock = new Knock("127.0.0.1", stranger.clientContext(), "alice", "d_tls", Map.of());
            assertEquals("connection refused", knock.at(postgres.tcp()));
            assertEquals("connection refused", knock.at(multimed.address()));
        }
    }

    @Test
    void aMistakeKeepsTheRules() throws Exception {
        Path rules = directory.resolve("pg_hba.conf");
        try {
            Files.writeString(rules, "host all all all trusts\n", StandardOpenOption.APPEND);
            List<String> problems = multimed.reload(multimed.configuration()).problems();
            assertEquals(1, problems.size(), problems::toString);
            assertTrue(
                    problems.getFirst()
                            .endsWith("pg_hba.conf, line " + (RULES.lines().count() + 1)
                                    + ": invalid authentication method \"trusts\""),
                    problems::toString);
            assertTrue(new Knock("127.0.0.1", null, "bob", "d_none", Map.of())
                    .at(multimed.address())
                    .startsWith("28000 no pg_hba.conf entry for host"));
            Files.writeString(rules, "host d_none all all trust\n" + RULES);
            assertEquals(
                    List.of("endpoint.hba_file: the rules have changed"),
                    multimed.reload(multimed.configuration()).changed());
            assertTrue(new Knock("127.0.0.1", null, "bob", "d_none", Map.of())
                    .at(multimed.address())
                    .startsWith("3D000"));
        } finally {
            writeRules(directory);
            multimed.reload(multimed.configuration());
        }
    }
}
