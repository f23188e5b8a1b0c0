package io.multimed.endpoint.pg;

import static io.multimed.testkit.wire.Message.types;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.endpoint.pg.config.EndpointLimits;
import io.multimed.endpoint.pg.services.Operations;
import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireClient;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands of administrators in the database {@code multimed}, in conversations with clients of other databases. */
@Tag("slow")
@Timeout(120)
class AdminCommandsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration MOMENT = Duration.ofMillis(200);

    @RegisterExtension
    private final EndpointOnOneEngine multimed =
            new EndpointOnOneEngine(options -> options.withAdminUsers(Set.of("boss"), Set.of("watcher"))
                    .withLimits(EndpointLimits.DEFAULT.withConnections(3, 3)));

    @SuppressWarnings("NullAway.Init")
    private WireSession admin;

    @BeforeEach
    void prepare() throws IOException {
        try (WireSession engine = multimed.openEngine()) {
            engine.rows("CREATE DATABASE other");
            engine.rows("CREATE TABLE t (x int)");
            for (String role : List.of("boss", "watcher", "somebody")) {
                engine.rows("CREATE ROLE " + role + " LOGIN");
            }
        }
        admin = open("multimed");
    }

    @AfterEach
    void close() throws IOException {
        admin.close();
    }

    private WireSession open(String database) throws IOException {
        return WireSession.open(multimed.address(), "postgres", database, PATIENCE);
    }

    private static void assertDone(String tag, List<Message> answer) {
        assertEquals("CZ", types(answer), () -> shown(answer));
        assertEquals(tag, tag(answer.getFirst()));
    }

    private static String tag(Message complete) {
        return new String(complete.body(), 0, complete.body().length - 1, StandardCharsets.UTF_8);
    }

    private static String shown(List<Message> answer) {
        return ComparedErrors.shown(answer.getFirst());
    }

    private static void assertRefused(String sqlState, String message, List<Message> answer) {
        assertEquals("EZ", types(answer));
        assertTrue(
                shown(answer).contains("C=" + sqlState + ", ") && shown(answer).contains("M=" + message),
                () -> shown(answer));
    }

    private void command(String tag, String command) throws IOException {
        assertDone(tag, admin.query(command));
    }

    private long engineSessions(String database) throws IOException {
        try (WireSession engine = multimed.openEngine()) {
            return Long.parseLong(engine.value("SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                    + " AND backend_type = 'client backend' AND datname = '" + database + "'"));
        }
    }

    private void assertNothingComes(WireSession session) throws IOException {
        assertNull(session.client().poll(MOMENT));
    }

    private void assertWaits(long count) throws SQLException {
        EndpointTest.await(() -> admin.rows("SHOW POOLS").stream()
                        .mapToLong(row -> Long.parseLong(Objects.requireNonNull(row.get(5))))
                        .sum()
                == count);
    }

    // --- PAUSE and RESUME

    @ParameterizedTest
    @ValueSource(strings = {"", " postgres", " \"postgres\""})
    void pauseClosesAllConnectionsAndClientsWaitUntilResume(String argument) throws Exception {
        try (WireSession client = multimed.open()) {
            client.value("SELECT 1");
            client.value("SELECT count(*) FROM t");
            assertTrue(engineSessions("postgres") > 0);
            command("PAUSE", "PAUSE" + argument);
            EndpointTest.await(() -> engineSessions("postgres") == 0);
            client.send(FrontendBytes.query("SELECT 2"));
            assertNothingComes(client);
            command("RESUME", "RESUME" + argument);
            assertEquals("TDCZ", types(client.ready()));
            assertEquals(
                    "INSERT 0 1", tag(client.query("INSERT INTO t VALUES (1)").getFirst()));
        }
    }

    @Test
    void pauseWaitsForTransactionsUnderWay() throws Exception {
        try (WireSession client = multimed.open()) {
            client.query("BEGIN");
            client.query("INSERT INTO t VALUES (1)");
            admin.send(FrontendBytes.query("PAUSE"));
            assertNothingComes(admin);
            assertEquals("CZ", types(client.query("INSERT INTO t VALUES (2)")));
            assertNothingComes(admin);
            assertEquals("CZ", types(client.query("COMMIT")));
            assertDone("PAUSE", admin.ready());
            client.send(FrontendBytes.query("SELECT count(*) FROM t"));
            assertNothingComes(client);
            command("RESUME", "RESUME");
            assertEquals("2", client.ready().get(1).texts().getFirst());
        }
    }

    @Test
    void pauseWaitsForASessionThatKeepsItsConnectionAndKillClientEndsIt() throws Exception {
        try (WireSession client = multimed.open()) {
            client.query("CREATE TEMPORARY TABLE kept (x int)");
            admin.send(FrontendBytes.query("PAUSE"));
            assertNothingComes(admin);
            // As in session pooling, such a session goes on.
            assertEquals("CZ", types(client.query("INSERT INTO kept VALUES (1)")));
            try (WireSession second = open("multimed")) {
                assertDone("KILL_CLIENT", second.query("KILL_CLIENT " + client.pid()));
            }
            assertEquals("57P01", client.client().readToEnd().getFirst().sqlState());
            assertDone("PAUSE", admin.ready());
        }
    }

    @Test
    void otherDatabasesGoOn() throws Exception {
        try (WireSession other = open("other");
                WireSession client = multimed.open()) {
            command("PAUSE", "PAUSE postgres");
            assertEquals("1", other.value("SELECT 1"));
            client.send(FrontendBytes.query("SELECT 1"));
            assertNothingComes(client);
            assertEquals("2", other.value("SELECT 2"));
            command("RESUME", "RESUME postgres");
            assertEquals("TDCZ", types(client.ready()));
        }
    }

    @Test
    void clientsThatWaitedForAConnectionWhenPauseCameWaitOn() throws Exception {
        try (WireSession first = multimed.open();
                WireSession second = multimed.open();
                WireSession third = multimed.open();
                WireSession waiting = multimed.open()) {
            for (WireSession holder : List.of(first, second, third)) {
                holder.query("BEGIN");
                holder.query("INSERT INTO t VALUES (1)");
            }
            waiting.send(FrontendBytes.query("INSERT INTO t VALUES (4)"));
            assertWaits(1);
            admin.send(FrontendBytes.query("PAUSE"));
            assertNothingComes(admin);
            for (WireSession holder : List.of(first, second, third)) {
                assertEquals("CZ", types(holder.query("COMMIT")));
            }
            assertDone("PAUSE", admin.ready());
            assertNothingComes(waiting);
            assertEquals(0, engineSessions("postgres"));
            command("RESUME", "RESUME");
            assertEquals("CZ", types(waiting.ready()));
        }
    }

    @Test
    void aClientThatWaitsHasItsTimeoutItsCancelRequestAndItsEnd() throws Exception {
        try (WireSession timed = multimed.open();
                WireSession cancelled = multimed.open()) {
            timed.query("SET statement_timeout = 300");
            command("PAUSE", "PAUSE");
            timed.send(FrontendBytes.query("INSERT INTO t VALUES (1)"));
            assertEquals("57014", timed.ready().getFirst().sqlState());
            cancelled.send(FrontendBytes.query("INSERT INTO t VALUES (2)"));
            assertWaits(1);
            cancelled.cancel();
            assertEquals("57014", cancelled.ready().getFirst().sqlState());
            try (WireSession gone = multimed.open()) {
                gone.send(FrontendBytes.query("INSERT INTO t VALUES (3)"));
                assertWaits(1);
            }
            assertWaits(0);
            command("RESUME", "RESUME");
            assertEquals("0", timed.value("SELECT count(*) FROM t"));
        }
    }

    @Test
    void clientsWaitLongerThanForAConnectionThatOthersHold() throws Exception {
        admin.close();
        multimed.restartEndpoint(
                options -> options.withTimeouts(options.timeouts().withConnection(Duration.ofMillis(1))));
        admin = open("multimed");
        try (WireSession client = multimed.open()) {
            command("PAUSE", "PAUSE");
            client.send(FrontendBytes.query("SELECT 1"));
            // The sweep that refuses comes once a second.
            assertNull(client.client().poll(Duration.ofMillis(2500)));
            command("RESUME", "RESUME");
            assertEquals("TDCZ", types(client.ready()));
        }
    }

    @Test
    void clientsWaitWhileTheMasterIsRestarted() throws Exception {
        try (WireSession client = multimed.open()) {
            client.value("SELECT count(*) FROM t");
            command("PAUSE", "PAUSE");
            client.send(FrontendBytes.query("INSERT INTO t VALUES (1)"));
            assertWaits(1);
            multimed.endpoint.nodeGone(multimed.master);
            multimed.endpoint.nodeGone(multimed.satellite);
            assertNothingComes(client);
            command("RESUME", "RESUME");
            assertEquals("CZ", types(client.ready()));
        }
    }

    @Test
    void twoAdministratorsPauseAtOnce() throws Exception {
        try (WireSession second = open("multimed");
                WireSession client = multimed.open()) {
            client.query("BEGIN");
            client.query("INSERT INTO t VALUES (1)");
            admin.send(FrontendBytes.query("PAUSE postgres"));
            assertNothingComes(admin);
            second.send(FrontendBytes.query("PAUSE postgres"));
            assertNothingComes(second);
            client.query("COMMIT");
            assertDone("PAUSE", admin.ready());
            assertDone("PAUSE", second.ready());
            command("PAUSE", "PAUSE");
            assertRefused("55000", "already suspended/paused", second.query("PAUSE"));
            assertRefused("55000", "already suspended/paused", second.query("PAUSE postgres"));
            command("RESUME", "RESUME");
            assertRefused("55000", "pooler is not paused/suspended", admin.query("RESUME"));
            command("RESUME", "RESUME postgres");
            assertRefused("55000", "database postgres is not paused", admin.query("RESUME postgres"));
            assertEquals("1", client.value("SELECT count(*) FROM t"));
        }
    }

    @Test
    void resumeEndsAPauseThatIsStillWaiting() throws Exception {
        try (WireSession client = multimed.open()) {
            client.query("BEGIN");
            client.query("INSERT INTO t VALUES (1)");
            admin.send(FrontendBytes.query("PAUSE; SHOW VERSION"));
            assertNothingComes(admin);
            try (WireSession second = open("multimed")) {
                assertDone("RESUME", second.query("RESUME"));
            }
            assertRefused("55000", "RESUME came before all connections had been released", admin.ready());
        }
    }

    @Test
    void thePauseOutlivesAnAdministratorWhoGoesMeanwhile() throws Exception {
        try (WireSession client = multimed.open();
                WireSession waiting = multimed.open()) {
            client.query("BEGIN");
            client.query("INSERT INTO t VALUES (1)");
            int clients = multimed.endpoint.clients();
            try (WireSession leaving = open("multimed")) {
                leaving.send(FrontendBytes.query("PAUSE"));
                assertNothingComes(leaving);
            }
            EndpointTest.await(() -> multimed.endpoint.clients() == clients);
            client.query("COMMIT");
            waiting.send(FrontendBytes.query("SELECT 1"));
            assertNothingComes(waiting);
            command("RESUME", "RESUME");
            assertEquals("TDCZ", types(waiting.ready()));
        }
    }

    @Test
    void aClientThatConnectsDuringThePauseWaits() throws Exception {
        command("PAUSE", "PAUSE other");
        try (WireClient client = WireClient.connect(multimed.address(), PATIENCE)) {
            client.send(
                    FrontendBytes.startup(FrontendBytes.PROTOCOL_3_0, Map.of("user", "postgres", "database", "other")));
            assertNull(client.poll(MOMENT));
            command("RESUME", "RESUME other");
            assertEquals('Z', client.readUntil("ZE").getLast().type());
        }
    }

    @Test
    void pauseAndResumeBesideClientsThatNeverStop() throws Exception {
        try (WireSession writer = multimed.open();
                WireSession reader = multimed.open()) {
            for (int i = 0; i < 50; i++) {
                writer.send(FrontendBytes.query("INSERT INTO t VALUES (1)"));
                reader.send(FrontendBytes.query("SELECT 1"));
                command("PAUSE", "PAUSE");
                command("RESUME", "RESUME");
                assertEquals("CZ", types(writer.ready()));
                assertEquals("TDCZ", types(reader.ready()));
            }
            assertEquals("50", reader.value("SELECT count(*) FROM t"));
        }
    }

    // --- KILL

    @Test
    void killEndsClientsInBlocksAndKeepsNewOnesWaiting() throws Exception {
        try (WireSession inBlock = multimed.open();
                WireSession running = multimed.open();
                WireSession other = open("other")) {
            inBlock.query("BEGIN");
            inBlock.query("INSERT INTO t VALUES (1)");
            running.send(FrontendBytes.query("SELECT pg_sleep(60) FROM (SELECT 1 FOR UPDATE) s"));
            EndpointTest.await(() -> admin.rows("SHOW SERVERS").stream().anyMatch(row -> "active".equals(row.get(6))));
            command("KILL", "KILL postgres");
            assertEquals("57P01", inBlock.client().readToEnd().getFirst().sqlState());
            assertEquals("57P01", running.client().readToEnd().getFirst().sqlState());
            EndpointTest.await(() -> engineSessions("postgres") == 0);
            assertEquals("1", other.value("SELECT 1"));
            try (WireSession late = multimed.open()) {
                late.send(FrontendBytes.query("SELECT count(*) FROM t"));
                assertNothingComes(late);
                command("RESUME", "RESUME postgres");
                assertEquals("0", late.ready().get(1).texts().getFirst());
            }
        }
    }

    @Test
    void killWithoutADatabaseEndsAllAndAPauseThatWaits() throws Exception {
        try (WireSession client = multimed.open();
                WireSession other = open("other");
                WireSession second = open("multimed")) {
            client.query("BEGIN");
            client.query("INSERT INTO t VALUES (1)");
            admin.send(FrontendBytes.query("PAUSE"));
            assertNothingComes(admin);
            assertDone("KILL", second.query("KILL"));
            assertDone("PAUSE", admin.ready());
            assertEquals("57P01", client.client().readToEnd().getFirst().sqlState());
            assertEquals("57P01", other.client().readToEnd().getFirst().sqlState());
            command("RESUME", "RESUME");
        }
    }

    @Test
    void killClientNamesAClientByItsNumber() throws Exception {
        try (WireSession client = multimed.open()) {
            command("KILL_CLIENT", "KILL_CLIENT " + client.pid());
            assertEquals("57P01", client.client().readToEnd().getFirst().sqlState());
        }
        assertRefused("42704", "client not found", admin.query("KILL_CLIENT 4711"));
        assertRefused("22023", "invalid client pointer supplied", admin.query("KILL_CLIENT x"));
    }

    // --- RECONNECT and WAIT_CLOSE

    @ParameterizedTest
    @ValueSource(strings = {"", " postgres"})
    void reconnectClosesEachConnectionOnceItIsReleased(String argument) throws Exception {
        try (WireSession client = multimed.open();
                WireSession busy = multimed.open()) {
            busy.query("BEGIN");
            busy.query("INSERT INTO t VALUES (1)");
            Set<String> before = Set.copyOf(processes());
            command("RECONNECT", "RECONNECT" + argument);
            admin.send(FrontendBytes.query("WAIT_CLOSE" + argument));
            assertNothingComes(admin);
            client.value("SELECT count(*) FROM t");
            busy.query("COMMIT");
            assertDone("WAIT_CLOSE", admin.ready());
            EndpointTest.await(() -> processes().stream().noneMatch(before::contains));
            busy.query("INSERT INTO t VALUES (2)");
        }
    }

    private List<String> processes() throws IOException {
        try (WireSession engine = multimed.openEngine()) {
            return engine
                    .rows(
                            "SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'")
                    .stream()
                    .map(row -> String.valueOf(row.getFirst()))
                    .toList();
        }
    }

    // --- DISABLE and ENABLE

    @Test
    void disableRefusesNewClientsOnly() throws Exception {
        try (WireSession client = multimed.open()) {
            command("DISABLE", "DISABLE postgres");
            assertEquals("1", client.value("SELECT 1"));
            try (WireClient refused = WireClient.connect(multimed.address(), PATIENCE)) {
                refused.send(FrontendBytes.startup(
                        FrontendBytes.PROTOCOL_3_0, Map.of("user", "postgres", "database", "postgres")));
                Message last = refused.readUntil("ZE").getLast();
                assertEquals("E{C=55000, M=database \"postgres\" is disabled, V=FATAL}", ComparedErrors.shown(last));
            }
            open("other").close();
            command("ENABLE", "ENABLE postgres");
            multimed.open().close();
            assertRefused("42601", "a database is required", admin.query("DISABLE"));
            assertRefused("42601", "a database is required", admin.query("ENABLE"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "PAUSE, pause",
        "KILL, kill",
        "RECONNECT, reconnect",
        "WAIT_CLOSE, wait in",
        "DISABLE, disable",
        "ENABLE, enable"
    })
    void aDatabaseMustExistAndIsNotTheAdminDatabase(String command, String verb) throws Exception {
        assertRefused("3D000", "no such database: nonsense", admin.query(command + " nonsense"));
        assertRefused("55000", "cannot " + verb + " admin db: multimed", admin.query(command + " multimed"));
        assertRefused("42601", "the multimed database does not know this command", admin.query(command + " a b"));
        multimed.databases = Optional.empty();
        // While the Master cannot be asked, the name is believed.
        command(command, command + " nonsense");
    }

    // --- RELOAD

    @Test
    void reloadTellsWhatHasChanged() throws Exception {
        multimed.reloadResult =
                new Operations.ReloadResult(List.of(), List.of("changed a: 1 -> 2", "changed b: 1 -> 2"));
        List<Message> answer = admin.query("RELOAD");
        assertEquals("NNCZ", types(answer));
        assertEquals("changed b: 1 -> 2", answer.get(1).fields().get('M'));
        multimed.reloadResult = new Operations.ReloadResult(List.of("a: wrong", "b: wrong"), List.of());
        answer = admin.query("RELOAD");
        assertRefused("F0000", "RELOAD failed, the configuration stays as it was", answer);
        assertEquals("a: wrong\nb: wrong", answer.getFirst().fields().get('D'));
        assertRefused("42601", "the multimed database does not know this command", admin.query("RELOAD postgres"));
    }

    // --- SHUTDOWN

    @Test
    void shutdownEndsTheInstance() throws Exception {
        admin.send(FrontendBytes.query("SHUTDOWN"));
        assertTrue(multimed.ended.await(20, TimeUnit.SECONDS));
    }

    @Test
    void shutdownWaitsForServers() throws Exception {
        try (WireSession client = multimed.open()) {
            client.query("BEGIN");
            client.query("INSERT INTO t VALUES (1)");
            command("SHUTDOWN", "SHUTDOWN WAIT_FOR_SERVERS");
            assertFalse(multimed.ended.await(200, TimeUnit.MILLISECONDS));
            assertRefused("55000", "pooler is shutting down", admin.query("RESUME"));
            assertNobodyCanConnect();
            client.query("COMMIT");
            assertTrue(multimed.ended.await(20, TimeUnit.SECONDS));
        }
    }

    @Test
    void shutdownWaitsForClients() throws Exception {
        try (WireSession client = multimed.open()) {
            command("SHUTDOWN", "SHUTDOWN WAIT_FOR_CLIENTS");
            assertEquals("1", client.value("SELECT 1"));
            assertFalse(multimed.ended.await(200, TimeUnit.MILLISECONDS));
            assertNobodyCanConnect();
        }
        assertTrue(multimed.ended.await(20, TimeUnit.SECONDS));
        assertRefused("42601", "the multimed database does not know this command", admin.query("SHUTDOWN NOW"));
    }

    private void assertNobodyCanConnect() throws SQLException {
        EndpointTest.await(() -> {
            try {
                WireClient.connect(multimed.address(), PATIENCE).close();
                return false;
            } catch (IOException refused) {
                return true;
            }
        });
    }

    // --- SHOW

    @Test
    void showsDatabasesUsersStateMemoryVersionAndConfiguration() throws Exception {
        try (WireSession client = multimed.open()) {
            client.value("SELECT count(*) FROM t");
            command("PAUSE", "PAUSE other");
            command("DISABLE", "DISABLE other");
            assertEquals(
                    List.of(
                            List.of("other", "other", "transaction", "0", "0", "1", "1"),
                            List.of("postgres", "postgres", "transaction", "2", "1", "0", "0")),
                    admin.rows("SHOW DATABASES"));
            assertEquals(List.of(List.of("postgres", "transaction", "2", "1")), admin.rows("SHOW USERS"));
            assertEquals("yes", valueOf("active", admin.rows("SHOW STATE")));
            command("PAUSE", "PAUSE");
            assertEquals("no", valueOf("active", admin.rows("SHOW STATE")));
            assertEquals("yes", valueOf("paused", admin.rows("SHOW STATE")));
            assertTrue(Long.parseLong(Objects.requireNonNull(valueOf("heap", admin.rows("SHOW MEM")))) > 0);
            assertEquals("Multimed 1.2", admin.value("SHOW VERSION"));
            assertEquals("5", valueOf("endpoint.max_clients", admin.rows("SHOW CONFIG")));
            List<Message> help = admin.query("SHOW HELP");
            assertEquals("NCZ", types(help));
            assertTrue(shown(help).contains("KILL_CLIENT <client_id>"), () -> shown(help));
        }
    }

    private static @Nullable String valueOf(String key, List<List<@Nullable String>> rows) {
        return rows.stream()
                .filter(row -> key.equals(row.getFirst()))
                .findFirst()
                .orElseThrow()
                .get(1);
    }

    // --- rights

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PAUSE",
                "RESUME",
                "KILL",
                "KILL postgres",
                "RELOAD",
                "RECONNECT",
                "WAIT_CLOSE",
                "DISABLE postgres",
                "ENABLE postgres",
                "KILL_CLIENT 1",
                "SHUTDOWN",
                "SHUTDOWN WAIT_FOR_CLIENTS",
                "SHUTDOWN WAIT_FOR_SERVERS"
            })
    void onlyAdministratorsMay(String command) throws Exception {
        for (String role : List.of("watcher", "somebody")) {
            try (WireSession session = WireSession.open(multimed.address(), role, "multimed", PATIENCE)) {
                List<Message> answer = session.query(command);
                assertRefused("42501", "permission denied to execute " + command.split(" ", 2)[0], answer);
                assertTrue(shown(session.query(command)).contains("endpoint.admin_users"), () -> shown(answer));
                session.send(
                        FrontendBytes.parse("", command),
                        FrontendBytes.bind("", ""),
                        FrontendBytes.execute("", 0),
                        FrontendBytes.sync());
                assertEquals("12EZ", types(session.ready()));
                session.rows("SHOW DATABASES");
            }
        }
        assertEquals("yes", valueOf("active", admin.rows("SHOW STATE")));
        assertFalse(multimed.ended.await(0, TimeUnit.SECONDS));
    }

    @ParameterizedTest
    @CsvSource({"boss, TDCZ", "watcher, TDCZ", "somebody, EZ"})
    void theConfigurationIsNotForEverybody(String role, String answer) throws Exception {
        try (WireSession session = WireSession.open(multimed.address(), role, "multimed", PATIENCE)) {
            assertEquals(answer, types(session.query("SHOW CONFIG")));
        }
    }

    @Test
    void rolesThatAreNamedMay() throws Exception {
        try (WireSession boss = WireSession.open(multimed.address(), "boss", "multimed", PATIENCE)) {
            assertDone("PAUSE", boss.query("PAUSE"));
            boss.send(
                    FrontendBytes.parse("", "RESUME"),
                    FrontendBytes.bind("", ""),
                    FrontendBytes.describe('P', ""),
                    FrontendBytes.execute("", 0),
                    FrontendBytes.sync());
            assertEquals("12nCZ", types(boss.ready()));
        }
    }
}
