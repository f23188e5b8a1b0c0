package io.multimed.tests.server;

import static io.multimed.testkit.wire.Message.types;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.server.config.Reloaded;
import io.multimed.testkit.tls.TestCertificate;
import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireClient;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** A running instance reads its configuration again. */
@Tag("slow")
@Timeout(300)
@Isolated("counts connections, and its reads must not wait for others' commits")
class ReloadTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration MOMENT = Duration.ofMillis(300);
    private static final String RULE = """
            [[routes]]
            match = { tables = ["public.%s"] }
            to = "%s"
            """;

    private static RunningMultimed multimed;
    private static String standard;

    @BeforeAll
    static void start() throws Exception {
        multimed = RunningMultimed.start(1, RULE.formatted("ruled", "master"));
        standard = multimed.configuration();
        try (WireSession session = session("postgres")) {
            for (String sql : List.of(
                    "CREATE ROLE boss LOGIN",
                    "CREATE TABLE ruled (id int PRIMARY KEY)",
                    "CREATE TABLE free (id int PRIMARY KEY)",
                    "CREATE FUNCTION mine() RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN 1; END'")) {
                session.rows(sql);
            }
        }
    }

    @AfterAll
    static void stop() throws IOException {
        if (multimed != null) {
            multimed.close();
        }
    }

    @AfterEach
    void restore() throws Exception {
        assertEquals(List.of(), multimed.reload(standard).problems());
    }

    private static WireSession session(String role) throws IOException {
        return WireSession.open(multimed.address(), role, "postgres", PATIENCE);
    }

    private static WireSession admin(String role) throws IOException {
        return WireSession.open(multimed.address(), role, "multimed", PATIENCE);
    }

    /** Returns the standard configuration with keys added to [endpoint]. */
    private static String endpoint(String keys) {
        return standard.replace("[endpoint]\n", "[endpoint]\n" + keys + "\n");
    }

    private static void assertChanged(String text, String... changes) throws Exception {
        Reloaded result = multimed.reload(text);
        assertEquals(List.of(), result.problems());
        assertEquals(List.of(), result.unchanged());
        assertEquals(List.of(changes), result.changed());
    }

    private static @Nullable String shown(String key) throws IOException {
        try (WireSession admin = admin("postgres")) {
            return admin.rows("SHOW CONFIG").stream()
                    .filter(row -> key.equals(row.getFirst()))
                    .findFirst()
                    .orElseThrow()
                    .get(1);
        }
    }

    private static void assertNode(String node, WireSession session, String query) {
        RunningMultimed.await(
                () -> {
                    try {
                        assertEquals("TDCZ", types(session.query(query)));
                        return session.value("SHOW multimed.route").startsWith(node + ":");
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                },
                query + " on " + node);
    }

    @Test
    void nothingHasChanged() throws Exception {
        assertEquals(List.of("nothing has changed"), multimed.reload(standard).lines());
    }

    @Test
    void administrators() throws Exception {
        try (WireSession boss = admin("boss")) {
            assertEquals("42501", boss.query("RESUME").getFirst().sqlState());
        }
        assertChanged(endpoint("admin_users = [\"boss\"]"), "endpoint.admin_users: (none) -> boss");
        try (WireSession boss = admin("boss")) {
            assertEquals("55000", boss.query("RESUME").getFirst().sqlState());
        }
        assertChanged(
                endpoint("stats_users = [\"boss\"]"),
                "endpoint.admin_users: boss -> (none)",
                "endpoint.stats_users: (none) -> boss");
        try (WireSession boss = admin("boss");
                WireSession other = session("postgres")) {
            assertEquals("42501", boss.query("RESUME").getFirst().sqlState());
            String pid = Integer.toString(other.pid());
            assertTrue(boss.rows("SHOW CLIENTS").stream().anyMatch(row -> row.contains(pid)));
        }
    }

    @Test
    void theNumberOfClients() throws Exception {
        try (WireSession session = session("postgres")) {
            session.value("SELECT 1");
            assertChanged(endpoint("max_clients = 1"), "endpoint.max_clients: 10000 -> 1");
            try (WireClient refused = WireClient.connect(multimed.address(), PATIENCE)) {
                refused.send(FrontendBytes.startup(
                        FrontendBytes.PROTOCOL_3_0, Map.of("user", "postgres", "database", "postgres")));
                assertEquals("53300", refused.readUntil("ZE").getLast().sqlState());
            }
            assertEquals("1", session.value("SELECT 1"));
        }
    }

    @Test
    void theCertificate() throws Exception {
        try (TestCertificate first = TestCertificate.make("-keyalg", "EC");
                TestCertificate second = TestCertificate.make("-keyalg", "EC")) {
            String withTls = standard
                    + "[endpoint.tls]\ncertificate = \"%s\"\nkey = \"%s\"\n"
                            .formatted(first.certificate(), first.key());
            assertChanged(
                    withTls,
                    "endpoint.tls.certificate: (none) -> " + first.certificate(),
                    "endpoint.tls.key: (none) -> " + first.key(),
                    "endpoint.tls.required: (none) -> never");
            connectTo(first);
            assertThrows(SQLException.class, () -> connectTo(second));
            Files.copy(second.certificate(), first.certificate(), StandardCopyOption.REPLACE_EXISTING);
            Reloaded half = multimed.reload(withTls);
            assertTrue(half.problems().toString().contains("endpoint.tls"), half::toString);
            Files.copy(second.key(), first.key(), StandardCopyOption.REPLACE_EXISTING);
            assertChanged(withTls, "endpoint.tls: the files have other contents");
            connectTo(second);
        }
    }

    private static void connectTo(TestCertificate certificate) throws SQLException {
        DriverManager.getConnection(
                        "jdbc:postgresql://127.0.0.1:" + multimed.address().port()
                                + "/postgres?user=postgres&sslmode=verify-ca&sslrootcert=" + certificate.certificate())
                .close();
    }

    @Test
    void pools() throws Exception {
        String small = standard + "[pools]\nmaster = 1\nsatellite = 1\ntransactions = 1\n";
        Reloaded result = multimed.reload(small);
        assertEquals(List.of(), result.problems());
        assertEquals(List.of(), result.unchanged());
        // Each event loop has at least one connection, whatever the limits are.
        List<WireSession> sessions = new ArrayList<>();
        try {
            for (int i = 0; i < 40; i++) {
                sessions.add(session("postgres"));
                sessions.get(i).send(FrontendBytes.query("BEGIN; INSERT INTO free VALUES (" + i + ")"));
            }
            List<WireSession> waiting = new ArrayList<>();
            for (WireSession session : sessions) {
                Message first = session.client().poll(MOMENT);
                if (first == null) {
                    waiting.add(session);
                } else {
                    session.ready();
                }
            }
            assertTrue(waiting.size() >= 20, () -> waiting.size() + " wait");
            multimed.reload(standard);
            for (WireSession session : waiting) {
                assertEquals("CCZ", types(session.ready()));
            }
        } finally {
            for (WireSession session : sessions) {
                session.close();
            }
        }
        assertChanged(standard + "[pools]\nidle_in_transaction = \"7s\"\n", "pools.idle_in_transaction: 1min -> 7s");
    }

    @Test
    void poolsThatTheEnginesDoNotAdmit() throws Exception {
        Reloaded result = multimed.reload(standard + "[pools]\ntransactions = 5000\n");
        assertEquals(List.of("pools.transactions: 100 -> 5000"), result.unchanged());
        assertEquals(List.of(), result.changed());
        assertEquals("100", shown("pools.transactions"));
    }

    /** Only where reads are strong do those of a block run on Satellites that declares nothing. */
    @Test
    void freshnessAndPatience() throws Exception {
        try (WireSession before = session("postgres")) {
            assertBlock("satellite-1", before);
            assertChanged(
                    standard + "[reads]\nfreshness = \"session\"\npatience = \"7ms\"\n",
                    "reads.freshness: strong -> session",
                    "reads.patience: 100ms -> 7ms");
            try (WireSession after = session("postgres")) {
                assertBlock("master", after);
            }
            assertBlock("satellite-1", before);
        }
    }

    private static void assertBlock(String node, WireSession session) {
        RunningMultimed.await(
                () -> {
                    try {
                        session.query("BEGIN");
                        session.value("SELECT count(*) FROM free");
                        session.query("COMMIT");
                        return session.value("SHOW multimed.route").startsWith(node + ":");
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                },
                "a block on " + node);
    }

    @Test
    void safeFunctions() throws Exception {
        try (WireSession session = session("postgres")) {
            session.send(FrontendBytes.parse("s", "SELECT mine()"), FrontendBytes.sync());
            session.ready();
            assertNode("master", session, "SELECT mine()");
            assertChanged(standard + "[reads]\nsafe_functions = [\"mine\"]\n", "reads.safe_functions: (none) -> mine");
            assertNode("satellite-1", session, "SELECT mine()");
            session.send(FrontendBytes.bind("", "s"), FrontendBytes.execute("", 0), FrontendBytes.sync());
            assertEquals("2DCZ", types(session.ready()));
            assertTrue(session.value("SHOW multimed.route").startsWith("satellite-1:"));
            multimed.reload(standard);
            session.send(FrontendBytes.bind("", "s"), FrontendBytes.execute("", 0), FrontendBytes.sync());
            assertEquals("2DCZ", types(session.ready()));
            assertTrue(session.value("SHOW multimed.route").startsWith("master:"));
        }
    }

    /** The first rule's bit means something else after the reload. */
    @Test
    void rulesOfSessionsThatAreThere() throws Exception {
        String ruled = "SELECT count(*) FROM ruled";
        String free = "SELECT count(*) FROM free";
        try (WireSession session = session("postgres")) {
            session.send(FrontendBytes.parse("s", ruled), FrontendBytes.sync());
            session.ready();
            assertNode("master", session, ruled);
            assertNode("satellite-1", session, free);
            String others = standard.replace(
                    RULE.formatted("ruled", "master"),
                    RULE.formatted("free", "master") + RULE.formatted("nothing", "satellite-1"));
            Reloaded result = multimed.reload(others);
            assertEquals(2, result.changed().size(), result::toString);
            session.value(free);
            assertTrue(session.value("SHOW multimed.route").startsWith("master:"));
            session.send(FrontendBytes.bind("", "s"), FrontendBytes.execute("", 0), FrontendBytes.sync());
            session.ready();
            assertTrue(session.value("SHOW multimed.route").startsWith("satellite-1:"));
            try (WireSession admin = admin("postgres")) {
                assertEquals(
                        "tables public.free",
                        admin.rows("SHOW RULES").getFirst().get(1));
            }
            multimed.reload(standard.replace(RULE.formatted("ruled", "master"), ""));
            session.value(free);
            assertTrue(session.value("SHOW multimed.route").startsWith("satellite-1:"));
        }
    }

    @Test
    void theTimeToDrain() throws Exception {
        assertChanged(standard.replace("100ms", "150ms"), "shutdown.drain: 100ms -> 150ms");
        assertEquals("150ms", shown("shutdown.drain"));
    }

    @Test
    void whatNeedsARestartStaysAsItWas() throws Exception {
        Reloaded result = multimed.reload(
                endpoint("max_clients = 77").replace("count = 1", "count = 2").replace("4MB", "5MB"));
        assertEquals(List.of("endpoint.max_clients: 10000 -> 77"), result.changed());
        assertEquals(
                List.of(
                        "nodes.master.settings.work_mem: 4MB -> 5MB",
                        "nodes.satellite.settings.work_mem: 4MB -> 5MB",
                        "satellites.count: 1 -> 2"),
                result.unchanged());
        assertEquals("1", shown("satellites.count"));
        assertEquals("77", shown("endpoint.max_clients"));
    }

    @Test
    void aMistakeRefusesTheConfigurationAsAWhole() throws Exception {
        String wrong =
                endpoint("max_clients = 0\nadmin_users = [\"boss\"]\nnonsense = 1") + "[reads]\nfreshness = \"old\"\n";
        Reloaded result = multimed.reload(wrong);
        assertEquals(3, result.problems().size(), result::toString);
        assertEquals(List.of(), result.changed());
        assertEquals("10000", shown("endpoint.max_clients"));
        assertEquals("", shown("endpoint.admin_users"));
        try (WireSession admin = admin("postgres")) {
            List<Message> answer = admin.query("RELOAD");
            assertEquals("EZ", types(answer));
            assertEquals("F0000", answer.getFirst().sqlState());
            String detail = answer.getFirst().fields().get('D');
            assertTrue(detail != null && detail.contains("endpoint.max_clients"), () -> "" + detail);
            assertTrue(detail.contains("reads.freshness"), () -> detail);
            multimed.reload(standard);
            answer = admin.query("RELOAD");
            assertEquals("NCZ", types(answer));
            assertEquals("nothing has changed", answer.getFirst().fields().get('M'));
        }
    }

    @Test
    void aHundredReloadsUnderLoad() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        AtomicLong done = new AtomicLong();
        try (WireSession owner = session("postgres")) {
            owner.rows("CREATE TABLE account (id int PRIMARY KEY, balance int)");
            owner.rows("INSERT INTO account SELECT g, 0 FROM generate_series(1, 100) g");
        }
        List<CompletableFuture<?>> clients = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            int number = i;
            clients.add(CompletableFuture.runAsync(() -> work(number, over, done), task -> new Thread(task).start()));
        }
        String[] texts = {
            standard,
            endpoint("max_clients = 500").replace("\"master\"", "\"satellite-1\"")
                    + "[pools]\nmaster = 2\nsatellite = 2\ntransactions = 20\n[reads]\nsafe_functions = [\"mine\"]\n",
            standard.replace(RULE.formatted("ruled", "master"), RULE.formatted("account", "master"))
                    + "[reads]\nfreshness = \"session\"\ncoalesce = false\n"
        };
        for (int i = 1; i <= 100; i++) {
            long before = done.get();
            assertEquals(List.of(), multimed.reload(texts[i % texts.length]).problems());
            RunningMultimed.await(
                    () -> done.get() > before || clients.stream().anyMatch(CompletableFuture::isDone), "transactions");
        }
        over.set(true);
        for (CompletableFuture<?> client : clients) {
            client.get(60, TimeUnit.SECONDS);
        }
        try (WireSession owner = session("postgres")) {
            assertEquals(Long.toString(done.get()), owner.value("SELECT sum(balance) FROM account"));
        }
    }

    /** Like pgbench, with queries of all three protocols. */
    private static void work(int number, AtomicBoolean over, AtomicLong done) {
        try (WireSession session = session("postgres")) {
            session.send(FrontendBytes.parse("s", "SELECT balance FROM account WHERE id = 7"), FrontendBytes.sync());
            session.ready();
            for (int i = 0; !over.get(); i++) {
                assertEquals("CZ", types(session.query("BEGIN")));
                assertEquals(
                        "CZ",
                        types(session.query(
                                "UPDATE account SET balance = balance + 1 WHERE id = " + (number * 10 + i % 10 + 1))));
                assertEquals("CZ", types(session.query("COMMIT")));
                done.incrementAndGet();
                assertEquals("TDCZ", types(session.query("SELECT count(*) FROM account, ruled")));
                assertEquals("TDCZ", types(session.query("SELECT mine()")));
                session.send(FrontendBytes.bind("", "s"), FrontendBytes.execute("", 0), FrontendBytes.sync());
                assertEquals("2DCZ", types(session.ready()));
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
