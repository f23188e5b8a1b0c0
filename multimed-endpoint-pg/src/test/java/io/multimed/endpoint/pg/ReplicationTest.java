package io.multimed.endpoint.pg;

import static io.multimed.testkit.wire.Message.types;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.multimed.testkit.process.TestDirectory;
import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.WireClient;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.PGConnection;
import org.postgresql.replication.PGReplicationStream;

/** Replication clients: they get a connection of their own to the Master. */
@Tag("slow")
@Timeout(120)
class ReplicationTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Path PROGRAMS = Path.of("/usr/lib/postgresql/15/bin");
    private static final String[] REPLICATION = {"preferQueryMode=simple", "assumeMinServerVersion=15"};

    @RegisterExtension
    private final EndpointOnOneEngine multimed = new EndpointOnOneEngine();

    @BeforeEach
    void createRoles() throws IOException {
        try (WireSession engine = multimed.openEngine()) {
            engine.rows("CREATE ROLE copier LOGIN REPLICATION");
            engine.rows("CREATE ROLE somebody LOGIN");
            engine.rows("CREATE TABLE t (i int)");
        }
    }

    private static Map<String, String> parameters(String user, String replication) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("user", user);
        parameters.put("database", "postgres");
        parameters.put("replication", replication);
        return parameters;
    }

    private WireSession replication(String mode) throws IOException {
        return WireSession.open(multimed.address(), parameters("copier", mode), null, PATIENCE);
    }

    /** Returns the last message of the answer to a start. */
    private static String answer(ServerAddress server, Map<String, String> parameters) throws IOException {
        try (WireClient client = WireClient.connect(server, PATIENCE)) {
            client.send(FrontendBytes.startup(FrontendBytes.PROTOCOL_3_0, parameters));
            return ComparedErrors.shown(client.readUntil("ZE").getLast());
        }
    }

    private static Connection connection(EndpointOnOneEngine multimed, String mode) throws Exception {
        List<String> options = new ArrayList<>(List.of(REPLICATION));
        options.add("replication=" + mode);
        return multimed.connect(options.toArray(String[]::new));
    }

    // --- who may

    @ParameterizedTest
    @CsvSource({
        "copier, true",
        "copier, YES",
        "copier, t",
        "copier, on",
        "copier, 1",
        "copier, database",
        "copier, DATABASE",
        "copier, o",
        "copier, of",
        "copier, F",
        "copier, n",
        "copier, 2",
        "copier, ''",
        "somebody, true",
        "somebody, database",
        "somebody, off",
        "nobody, true"
    })
    void theStartIsAnsweredAsByPostgresql(String user, String value) throws IOException {
        Map<String, String> parameters = parameters(user, value);
        assertEquals(answer(multimed.engine.tcp(), parameters), answer(multimed.address(), parameters));
    }

    @Test
    void anUnknownDatabaseIsRefusedForDecodingAlone() throws IOException {
        for (String mode : List.of("database", "true")) {
            Map<String, String> parameters = parameters("copier", mode);
            parameters.put("database", "missing");
            assertEquals(answer(multimed.engine.tcp(), parameters), answer(multimed.address(), parameters));
        }
    }

    @ParameterizedTest
    @CsvSource({"multimed_relay, true", "Multimed_Relay, database"})
    void namesOfMultimedsOwnAreRefused(String name, String mode) throws IOException {
        Map<String, String> parameters = parameters("copier", mode);
        parameters.put("application_name", name);
        assertTrue(answer(multimed.address(), parameters).contains("C=22023"));
    }

    @Test
    void theRelaysNameCannotComeFromTheSettingsOfTheRole() throws IOException {
        try (WireSession engine = multimed.openEngine()) {
            engine.rows("ALTER ROLE copier SET application_name = 'multimed_relay'");
            try (WireSession copier = replication("true")) {
                assertEquals("1", copier.value("IDENTIFY_SYSTEM").isEmpty() ? "0" : "1");
                assertEquals(
                        "0",
                        engine.value(
                                "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'multimed_relay'"));
            }
        }
    }

    @Test
    void theLastSendersOfLogAreLeftToTheRelay() throws Exception {
        List<WireSession> copiers = new ArrayList<>();
        try {
            for (int i = 0; i < 8; i++) {
                copiers.add(replication("true"));
            }
            assertTrue(answer(multimed.address(), parameters("copier", "true")).contains("C=53300"));
            copiers.removeLast().close();
            EndpointTest.await(() ->
                    answer(multimed.address(), parameters("copier", "true")).equals("Z"));
        } finally {
            for (WireSession copier : copiers) {
                copier.close();
            }
        }
    }

    // --- streams

    @Test
    void theLogIsStreamed() throws Exception {
        String message = "find me in the log";
        try (Connection connection = connection(multimed, "true")) {
            PGReplicationStream stream = connection
                    .unwrap(PGConnection.class)
                    .getReplicationAPI()
                    .replicationStream()
                    .physical()
                    .withStartPosition(org.postgresql.replication.LogSequenceNumber.valueOf(position()))
                    .withStatusInterval(100, TimeUnit.MILLISECONDS)
                    .start();
            try (WireSession session = multimed.open()) {
                session.rows("SELECT pg_logical_emit_message(false, 'test', '" + message + "')");
            }
            StringBuilder received = new StringBuilder();
            while (!received.toString().contains(message)) {
                ByteBuffer part = stream.read();
                received.append(StandardCharsets.ISO_8859_1.decode(part));
            }
            stream.close();
        }
    }

    private String position() throws IOException {
        try (WireSession engine = multimed.openEngine()) {
            return engine.value("SELECT pg_current_wal_flush_lsn()");
        }
    }

    @Test
    void changesAreDecodedAndConfirmed() throws Exception {
        try (Connection connection = connection(multimed, "database")) {
            PGConnection replication = connection.unwrap(PGConnection.class);
            replication
                    .getReplicationAPI()
                    .createReplicationSlot()
                    .logical()
                    .withSlotName("decoded")
                    .withOutputPlugin("test_decoding")
                    .make();
            PGReplicationStream stream = replication
                    .getReplicationAPI()
                    .replicationStream()
                    .logical()
                    .withSlotName("decoded")
                    .withStatusInterval(20, TimeUnit.MILLISECONDS)
                    .start();
            try (WireSession session = multimed.open();
                    WireSession engine = multimed.openEngine()) {
                session.rows("INSERT INTO t SELECT generate_series(1, 20000)");
                String last = "";
                int rows = 0;
                while (!last.startsWith("COMMIT")) {
                    last = StandardCharsets.UTF_8.decode(stream.read()).toString();
                    rows += last.contains("INSERT") ? 1 : 0;
                }
                assertEquals(20_000, rows);
                stream.setFlushedLSN(stream.getLastReceiveLSN());
                stream.forceUpdateStatus();
                String confirmed = stream.getLastReceiveLSN().asString();
                EndpointTest.await(() -> engine.value("SELECT confirmed_flush_lsn >= '" + confirmed
                                + "' FROM pg_replication_slots WHERE slot_name = 'decoded'")
                        .equals("t"));
                // SQL is executed between two streams, too.
                stream.close();
                assertEquals("20000", EndpointOnOneEngine.ask(connection, "SELECT count(*) FROM t"));
            }
        }
    }

    @Test
    void aBackupIsComplete() throws Exception {
        assumeTrue(Files.isExecutable(PROGRAMS.resolve("pg_basebackup")), "pg_basebackup is not installed");
        try (WireSession session = multimed.open();
                TestDirectory directory = new TestDirectory()) {
            session.rows("INSERT INTO t SELECT generate_series(1, 300000)");
            Path backup = directory.resolve("backup");
            run(
                    "pg_basebackup",
                    List.of("--pgdata=" + backup, "--checkpoint=fast", "--wal-method=stream", "--no-sync"));
            run("pg_verifybackup", List.of(backup.toString()));
            try (Stream<Path> log = Files.list(backup.resolve("pg_wal"))) {
                assertTrue(log.anyMatch(file -> file.getFileName().toString().matches("[0-9A-F]{24}")));
            }
        }
    }

    @Test
    void anArchiveReceivesTheLogAsItIsWritten() throws Exception {
        assumeTrue(Files.isExecutable(PROGRAMS.resolve("pg_receivewal")), "pg_receivewal is not installed");
        try (WireSession session = multimed.open();
                TestDirectory directory = new TestDirectory()) {
            session.rows("INSERT INTO t VALUES (1)");
            String segment = session.value("SELECT pg_walfile_name(pg_current_wal_lsn())");
            Process receiver = start("pg_receivewal", List.of("--directory=" + directory.path(), "--no-loop"));
            try {
                EndpointTest.await(() -> Files.exists(directory.resolve(segment + ".partial")));
                session.rows("SELECT pg_switch_wal()");
                EndpointTest.await(() -> Files.exists(directory.resolve(segment)));
            } finally {
                receiver.destroy();
                receiver.waitFor();
            }
        }
    }

    private Process start(String program, List<String> options) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(PROGRAMS.resolve(program).toString());
        if (!program.equals("pg_verifybackup")) {
            command.addAll(List.of(
                    "--host=127.0.0.1",
                    "--port=" + multimed.endpoint.address().getPort(),
                    "--username=copier",
                    "--no-password"));
        }
        command.addAll(options);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("PG"));
        return builder.start();
    }

    private void run(String program, List<String> options) throws IOException, InterruptedException {
        Process process = start(program, options);
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), said);
    }

    // --- administration

    private List<@Nullable String> shownClient(WireSession admin) throws IOException {
        return admin.rows("SHOW CLIENTS").stream()
                .filter(row -> "copier".equals(row.getFirst()))
                .findFirst()
                .orElseThrow();
    }

    private WireSession admin() throws IOException {
        return WireSession.open(multimed.address(), "postgres", "multimed", PATIENCE);
    }

    private static void assertEnded(WireSession session) throws IOException {
        assertEquals("57P01", session.client().readToEnd().getLast().sqlState());
    }

    @Test
    void administratorsSeeAndEndReplicationClients() throws Exception {
        try (WireSession admin = admin();
                WireSession physical = replication("true")) {
            List<@Nullable String> row = shownClient(admin);
            assertEquals(List.of("copier", "", "replication", "master", "master: replication"), row.subList(0, 5));
            assertEquals("" + physical.pid(), row.get(5));
            assertFalse(admin.rows("SHOW DATABASES").stream().anyMatch(database -> "".equals(database.getFirst())));
            admin.query("KILL_CLIENT " + physical.pid());
            assertEnded(physical);
        }
        try (WireSession admin = admin();
                WireSession physical = replication("true");
                WireSession logical = replication("database")) {
            assertEquals("postgres", logical.value("SELECT current_database()"));
            admin.query("KILL postgres");
            admin.query("RESUME postgres");
            assertEnded(logical);
            assertEquals("TDCZ", types(physical.query("IDENTIFY_SYSTEM")));
            admin.query("KILL");
            admin.query("RESUME");
            assertEnded(physical);
        }
    }

    @Test
    void noneBeginsWhileAllDatabasesArePaused() throws Exception {
        try (WireSession admin = admin();
                WireSession earlier = replication("true");
                WireClient client = WireClient.connect(multimed.address(), PATIENCE)) {
            admin.query("PAUSE");
            client.send(FrontendBytes.startup(FrontendBytes.PROTOCOL_3_0, parameters("copier", "true")));
            assertEquals(null, client.poll(Duration.ofMillis(300)));
            assertEquals("TDCZ", types(earlier.query("IDENTIFY_SYSTEM")));
            admin.query("RESUME");
            assertEquals('Z', client.readUntil("ZE").getLast().type());
        }
    }

    @Test
    void aShutdownDoesNotWaitForStreams() throws Exception {
        try (WireSession streaming = replication("true");
                WireSession idle = replication("database")) {
            streaming.send(FrontendBytes.query("START_REPLICATION PHYSICAL " + position()));
            assertEquals('W', streaming.client().read().type());
            multimed.endpoint.drain(Duration.ofSeconds(100));
            assertEnded(streaming);
            assertEnded(idle);
        }
        try (WireSession engine = multimed.openEngine()) {
            EndpointTest.await(() ->
                    engine.value("SELECT count(*) FROM pg_stat_replication").equals("0"));
        }
    }

    @Test
    void theConnectionToTheMasterEndsWithItsClient() throws Exception {
        WireClient gone = WireClient.connect(multimed.address(), PATIENCE);
        gone.send(FrontendBytes.startup(FrontendBytes.PROTOCOL_3_0, parameters("copier", "true")));
        gone.readUntil("Z");
        gone.close();
        try (WireSession engine = multimed.openEngine()) {
            EndpointTest.await(() -> engine.value("SELECT count(*) FROM pg_stat_activity WHERE usename = 'copier'")
                    .equals("0"));
        }
    }

    @Test
    void activityShowsTheNumberThatTheClientKnows() throws Exception {
        try (WireSession session = multimed.open();
                WireSession logical = replication("database")) {
            String known = Integer.toString(logical.pid());
            assertNotEquals(known, logical.value("SELECT pg_backend_pid()"));
            assertEquals(
                    known,
                    Objects.requireNonNull(
                            session.value(
                                    "SELECT pid FROM pg_stat_activity WHERE usename = 'copier' AND backend_type = 'walsender'")));
            assertEquals("t", session.value("SELECT pg_terminate_backend(" + known + ")"));
            assertEnded(logical);
        }
    }

    @Test
    void aStatementIsCancelled() throws Exception {
        try (WireSession logical = replication("database");
                WireSession engine = multimed.openEngine()) {
            logical.send(FrontendBytes.query("SELECT pg_sleep(100)"));
            EndpointTest.await(() -> engine.value(
                            "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND state = 'active'")
                    .equals("1"));
            logical.cancel();
            List<Message> answer = logical.ready();
            assertEquals(
                    "57014",
                    answer.stream()
                            .filter(message -> message.type() == 'E')
                            .findFirst()
                            .orElseThrow()
                            .sqlState());
        }
    }
}
