package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.sql.DatabaseCatalog;
import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries about server processes, and signals to them, use the process numbers that clients received. */
@Timeout(120)
@Tag("slow")
class ProcessNumbersTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final List<String> ROLES = List.of("low", "member", "signaller", "chief");

    private static int names;

    @RegisterExtension
    private static final EndpointOnOneEngine multimed = new EndpointOnOneEngine(options -> options.withLoops(2));

    @BeforeAll
    static void createRoles() throws IOException {
        try (WireSession engine = multimed.openEngine()) {
            engine.rows("CREATE ROLE low LOGIN");
            engine.rows("CREATE ROLE member LOGIN IN ROLE low");
            engine.rows("CREATE ROLE signaller LOGIN IN ROLE pg_signal_backend");
            engine.rows("CREATE ROLE chief LOGIN SUPERUSER");
        }
    }

    @AfterAll
    static void dropRoles() throws IOException {
        try (WireSession engine = multimed.openEngine()) {
            engine.rows("DROP VIEW IF EXISTS long");
            for (String role : ROLES) {
                engine.rows("DROP ROLE " + role);
            }
        }
    }

    private static WireSession open(ServerAddress address, String user, String application) throws IOException {
        return WireSession.open(
                address, Map.of("user", user, "database", "postgres", "application_name", application), null, PATIENCE);
    }

    @Test
    void noProcessOfTheKernelCanHaveSuchANumber() throws IOException {
        long most = Long.parseLong(
                Files.readString(Path.of("/proc/sys/kernel/pid_max")).strip());
        try (WireSession session = multimed.open()) {
            assertTrue(session.pid() > Math.max(most, 4_194_304), "" + session.pid());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT pg_backend_pid()",
                "select pg_catalog.pg_backend_pid ( )",
                "SELECT PG_BACKEND_PID() AS pid",
                "BEGIN; SELECT pg_backend_pid(); COMMIT",
                "SELECT pid FROM pg_stat_activity WHERE pid = pg_backend_pid()",
                "SELECT a.pid FROM pg_catalog.pg_stat_activity AS a WHERE a.application_name = '%s'",
                "SELECT pg_stat_activity.pid FROM pg_stat_activity WHERE application_name = '%s'",
                "WITH a AS (SELECT * FROM pg_stat_activity) SELECT pid FROM a WHERE pid IN (SELECT pg_backend_pid())",
                "SELECT l.pid FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE l.relation = 'pg_locks'::regclass",
                "SELECT pid FROM pg_stat_ssl WHERE pid = pg_backend_pid()",
                "SELECT max(pid) FROM (SELECT pg_backend_pid() AS pid) AS x",
                "COPY (SELECT pg_backend_pid()) TO STDOUT",
                "BEGIN READ ONLY; SELECT pg_backend_pid(); COMMIT",
                "BEGIN; DECLARE c CURSOR FOR SELECT pg_backend_pid(); FETCH c; COMMIT",
                "BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY DEFERRABLE; SELECT pg_backend_pid(); COMMIT",
            })
    void aSessionHasTheNumberThatItsClientWasTold(String sql) throws IOException {
        for (Function<String, byte[][]> form : List.<Function<String, byte[][]>>of(
                query -> new byte[][] {FrontendBytes.query(query)}, ProcessNumbersTest::messages)) {
            if (form.apply(sql).length > 1 && sql.contains(";")) {
                continue;
            }
            String name = uniqueName();
            List<String> answer;
            try (WireSession session = open(multimed.address(), "low", name);
                    WireSession other = open(multimed.address(), "low", "other")) {
                other.rows("SELECT 1");
                session.send(form.apply(sql.replace("%s", name)));
                answer = shown(session.ready(), session);
            }
            String another = uniqueName();
            try (WireSession engine = open(multimed.engine.unix(), "low", another)) {
                engine.send(form.apply(sql.replace("%s", another)));
                assertEquals(shown(engine.ready(), engine), answer);
            }
        }
    }

    /** Returns a new name, because engine sessions keep the names of clients that they have served. */
    private static String uniqueName() {
        return "name " + ++names;
    }

    private static List<String> shown(List<Message> answer, WireSession session) {
        return answer.stream()
                // The origin of a column may differ.
                .map(message -> message.toString().replaceAll("table=\\S+", ""))
                .map(message -> message.replace("" + session.pid(), "NUMBER"))
                .toList();
    }

    private static byte[][] messages(String sql) {
        return new byte[][] {
            FrontendBytes.parse("s", sql),
            FrontendBytes.describe('S', "s"),
            FrontendBytes.bind("", "s"),
            FrontendBytes.execute("", 0),
            FrontendBytes.sync()
        };
    }

    /** The Master executes any statement, so it does not wait for the classification. */
    @Test
    void aStatementThatNobodyHasUnderstoodYetKnowsItToo() throws IOException {
        try (WireSession session = multimed.open()) {
            session.rows("BEGIN; SELECT txid_current()");
            assertEquals("" + session.pid(), session.value("SELECT pg_backend_pid() AS never_seen"));
            session.send(messages("SELECT a.pid AS never_seen FROM pg_stat_activity a WHERE pid = pg_backend_pid()"));
            assertEquals(
                    List.of(List.of("" + session.pid())),
                    session.ready().stream()
                            .filter(message -> message.type() == 'D')
                            .map(Message::texts)
                            .toList());
        }
    }

    @Test
    void aStatementKnowsItWhileTheCatalogIsBeingRead() throws IOException {
        try (WireSession session = multimed.open()) {
            multimed.catalog = DatabaseCatalog.UNKNOWN;
            session.rows("BEGIN");
            assertEquals("" + session.pid(), session.value("SELECT pg_backend_pid() AS not_seen_either"));
        } finally {
            multimed.catalog = DatabaseCatalog.EMPTY;
        }
    }

    /** The client has sent a Flush before its query, or a Query behind messages without a Sync; with every form of query. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT pg_backend_pid()                                      | NUMBER",
                "SELECT pid FROM pg_stat_activity WHERE pid = pg_backend_pid() | NUMBER",
                "SELECT count(*) FROM pg_prepared_statements                  | 1",
            })
    void aSessionIsKnownAmidMessagesThatNoSyncHasFollowed(String sql, String expected) throws IOException {
        try (WireSession first = multimed.open();
                WireSession second = multimed.open();
                WireSession plain = multimed.openEngine()) {
            List<WireSession> sessions = List.of(plain, first, second);
            for (WireSession session : sessions) {
                // Only one statement is held, because statements of the same pipeline are not shown.
                session.send(FrontendBytes.parse("own", sql), FrontendBytes.sync());
                session.ready();
            }
            for (int round = 0; round < 2; round++) {
                for (boolean inBlock : List.of(false, true)) {
                    for (byte[][] ahead : ahead(sql)) {
                        for (byte[][] asking : asking(sql)) {
                            List<List<String>> answers = new ArrayList<>();
                            for (WireSession session : sessions) {
                                if (inBlock) {
                                    session.rows("BEGIN");
                                }
                                session.send(ahead);
                                session.client().readUntil("1");
                                session.send(asking);
                                answers.add(shown(session.ready(), session));
                                session.rows("ROLLBACK");
                            }
                            assertTrue(
                                    answers.getFirst().stream().anyMatch(message -> message.contains(expected)), sql);
                            assertEquals(List.of(answers.getFirst(), answers.getFirst()), answers.subList(1, 3));
                        }
                    }
                }
            }
        }
    }

    private static List<byte[][]> ahead(String sql) {
        return List.of(
                new byte[][] {FrontendBytes.parse("", sql), FrontendBytes.describe('S', ""), FrontendBytes.flush()},
                new byte[][] {
                    FrontendBytes.parse("", "SELECT 1"), FrontendBytes.describe('S', ""), FrontendBytes.flush()
                },
                new byte[][] {
                    FrontendBytes.parse("", "SELECT 1"),
                    FrontendBytes.bind("", ""),
                    FrontendBytes.execute("", 0),
                    FrontendBytes.flush()
                });
    }

    private static List<byte[][]> asking(String sql) {
        return List.of(
                new byte[][] {
                    FrontendBytes.parse("", sql),
                    FrontendBytes.bind("", ""),
                    FrontendBytes.execute("", 0),
                    FrontendBytes.sync()
                },
                new byte[][] {FrontendBytes.bind("", "own"), FrontendBytes.execute("", 0), FrontendBytes.sync()},
                new byte[][] {
                    FrontendBytes.parse("", sql),
                    FrontendBytes.bind("p", ""),
                    FrontendBytes.execute("p", 1),
                    FrontendBytes.flush(),
                    FrontendBytes.execute("p", 0),
                    FrontendBytes.sync()
                },
                new byte[][] {FrontendBytes.query(sql)});
    }

    @Test
    void aNamedStatementKnowsWhoseItIsOnWhateverConnection() throws IOException {
        try (WireSession first = multimed.open();
                WireSession second = multimed.open()) {
            for (WireSession session : List.of(first, second)) {
                session.send(FrontendBytes.parse("own", "SELECT pg_backend_pid()"), FrontendBytes.sync());
                session.ready();
            }
            for (int round = 0; round < 5; round++) {
                for (WireSession session : List.of(first, second)) {
                    session.send(FrontendBytes.bind("", "own"), FrontendBytes.execute("", 0), FrontendBytes.sync());
                    assertEquals(
                            "" + session.pid(), session.ready().get(1).texts().getFirst());
                }
            }
        }
    }

    /** asyncpg prepares like this. */
    @Test
    void whatIsPreparedUpToAFlushKnowsItToo() throws IOException {
        try (WireSession session = multimed.open()) {
            session.send(
                    FrontendBytes.parse("own", "SELECT pg_backend_pid()"),
                    FrontendBytes.describe('S', "own"),
                    FrontendBytes.flush());
            session.client().readUntil("T");
            session.send(FrontendBytes.bind("", "own"), FrontendBytes.execute("", 0), FrontendBytes.sync());
            assertEquals("" + session.pid(), session.ready().get(1).texts().getFirst());
        }
    }

    /** @param sql SQL in which {@code %d} stands for the number of the other session, {@code %s} for its application name */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT pg_terminate_backend(%d)",
                "SELECT pg_catalog.pg_terminate_backend(%d, 1000)",
                "SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '%s'",
                "select count(*) from (select pg_terminate_backend(pid) from pg_stat_activity"
                        + " where application_name = '%s' and pid <> pg_backend_pid()) as ended",
                "WITH victim AS (SELECT %d AS n) SELECT pg_terminate_backend(n) FROM victim",
                "SELECT 1 WHERE pg_terminate_backend(%d)",
                "BEGIN; SELECT pg_terminate_backend(%d); ROLLBACK",
                "SELECT pg_terminate_backend(max(pid)) FROM pg_stat_activity WHERE application_name = '%s'",
            })
    void anotherIsTerminatedIdleOrBusy(String sql) throws IOException {
        for (String busy : List.of("", "BEGIN; SELECT txid_current()", "SELECT count(*) FROM pg_class")) {
            List<String> expected = terminated(multimed.engine.unix(), sql, busy);
            assertEquals(expected, terminated(multimed.address(), sql, busy));
        }
    }

    private static List<String> terminated(ServerAddress address, String sql, String busy) throws IOException {
        String name = uniqueName();
        try (WireSession session = open(address, "chief", "own");
                WireSession other = open(address, "low", name)) {
            if (!busy.isEmpty()) {
                other.rows(busy);
            }
            String sent = sql.replace("%d", "" + other.pid()).replace("%s", name);
            List<Message> answer = session.query(sent);
            List<Message> last = other.client().readToEnd();
            return List.of(
                    shown(answer, other.pid()),
                    ComparedErrors.shown(last.getLast()),
                    session.value("SELECT 'still there'"));
        }
    }

    private static String shown(List<Message> answer, int number) {
        StringBuilder shown = new StringBuilder();
        for (Message message : answer) {
            shown.append(message.type() == 'D' ? message.texts() : ComparedErrors.shown(message));
        }
        return shown.toString().replace("" + number, "NUMBER");
    }

    @ParameterizedTest
    @ValueSource(strings = {"pg_terminate_backend", "pg_cancel_backend"})
    void aParameterIsAnIntegerAsInTheEngine(String function) throws IOException {
        assertEquals(byParameter(multimed.engine.unix(), function), byParameter(multimed.address(), function));
    }

    private static List<String> byParameter(ServerAddress address, String function) throws IOException {
        try (WireSession session = open(address, "chief", "own");
                WireSession other = open(address, "low", "other")) {
            session.send(
                    FrontendBytes.parse("", "SELECT " + function + "($1)"),
                    FrontendBytes.describe('S', ""),
                    FrontendBytes.sync());
            String described = session.ready().get(1).toString();
            session.send(
                    FrontendBytes.bind("", "", "" + other.pid()), FrontendBytes.execute("", 0), FrontendBytes.sync());
            return List.of(described, shown(session.ready(), other.pid()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"SELECT pg_sleep(30)", "DO 'BEGIN PERFORM pg_sleep(30); END'", "SELECT count(*) FROM long"})
    void whatAnotherExecutesIsCancelled(String sql) throws Exception {
        try (WireSession session = open(multimed.address(), "chief", "own");
                WireSession other = open(multimed.address(), "low", "other");
                WireSession engine = multimed.openEngine()) {
            engine.rows(
                    "CREATE OR REPLACE VIEW long AS SELECT FROM generate_series(1, 100000) a, generate_series(1, 100000) b");
            engine.rows("GRANT SELECT ON long TO low");
            other.send(FrontendBytes.query(sql));
            String find = "SELECT pid FROM pg_stat_activity WHERE state = 'active' AND query = '"
                    + sql.replace("'", "''") + "'";
            EndpointTest.await(() -> session.rows(find).equals(List.of(List.of("" + other.pid()))));
            assertEquals("t", session.value("SELECT pg_cancel_backend(" + other.pid() + ")"));
            List<Message> answer = other.ready();
            assertEquals(
                    "57014",
                    answer.stream()
                            .filter(m -> m.type() == 'E')
                            .findFirst()
                            .orElseThrow()
                            .sqlState());
            assertEquals("1", other.value("SELECT 1"));
        }
    }

    @Test
    void whatTheTerminatedExecutesEnds() throws Exception {
        try (WireSession session = open(multimed.address(), "chief", "own");
                WireSession other = open(multimed.address(), "low", "other");
                WireSession engine = multimed.openEngine()) {
            other.send(FrontendBytes.query("SELECT pg_sleep(600)"));
            String running =
                    "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep(600)%' AND state = 'active'";
            EndpointTest.await(() -> engine.value(running).equals("1"));
            assertEquals("t", session.value("SELECT pg_terminate_backend(" + other.pid() + ")"));
            assertEquals("57P01", other.client().readToEnd().getLast().sqlState());
            EndpointTest.await(() -> engine.value(running).equals("0"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "low, low, true",
        "low, member, false",
        "member, low, true",
        "signaller, low, true",
        "signaller, chief, false",
        "low, chief, false",
        "chief, low, true",
        "chief, chief, true",
        "low, signaller, false",
    })
    void onlyThoseWithTheRightMaySignal(String who, String whom, boolean may) throws IOException {
        for (String function : List.of("pg_cancel_backend", "pg_terminate_backend")) {
            String expected = signal(multimed.engine.unix(), function, who, whom);
            assertEquals(expected, signal(multimed.address(), function, who, whom));
            assertEquals(may, expected.contains("[t]"), expected);
        }
    }

    private static String signal(ServerAddress address, String function, String who, String whom) throws IOException {
        try (WireSession session = open(address, who, "own");
                WireSession other = open(address, whom, "other")) {
            return shown(session.query("SELECT " + function + "(" + other.pid() + ")"), other.pid());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT pg_terminate_backend(0)",
                "SELECT pg_cancel_backend(2000000000)",
                "SELECT pg_terminate_backend(NULL)",
                "SELECT pg_terminate_backend(1999999999, 100)",
                "SELECT pg_terminate_backend(1, -1)",
                "SELECT pg_cancel_backend('no number')",
                "SELECT pg_blocking_pids(pg_backend_pid())",
                "SELECT pg_backend_pid() IS NULL, nonsense",
            })
    void itselfAndNobodyAsInTheEngine(String sql) throws IOException {
        try (WireSession session = open(multimed.address(), "low", "own");
                WireSession engine = open(multimed.engine.unix(), "low", "own")) {
            session.send(FrontendBytes.query(sql));
            engine.send(FrontendBytes.query(sql));
            assertEquals(
                    shown(engine.client().readUntil("ZE"), engine.pid()),
                    shown(session.client().readUntil("ZE"), session.pid()));
        }
    }

    /** The engine may send the row before it checks for signals. */
    @ParameterizedTest
    @CsvSource({"pg_cancel_backend, 57014", "pg_terminate_backend, 57P01"})
    void itselfIsSignalledAsInTheEngine(String function, String sqlState) throws IOException {
        try (WireSession session = open(multimed.address(), "low", "own")) {
            session.send(FrontendBytes.query("SELECT " + function + "(pg_backend_pid())"));
            assertEquals(sqlState, session.client().readUntil("ZE").getLast().sqlState());
        }
    }

    @Test
    void whoWaitsForALockSeesByWhom() throws Exception {
        try (WireSession holder = multimed.open();
                WireSession waiter = multimed.open();
                WireSession watcher = multimed.open()) {
            holder.rows("BEGIN; SELECT pg_advisory_xact_lock(77)");
            waiter.send(FrontendBytes.query("SELECT pg_advisory_xact_lock(77)"));
            EndpointTest.await(() -> watcher.rows("SELECT pid, pg_blocking_pids(pid) FROM pg_stat_activity"
                            + " WHERE wait_event_type = 'Lock'")
                    .equals(List.of(List.of("" + waiter.pid(), "{" + holder.pid() + "}"))));
            assertEquals(
                    List.of(List.of("" + holder.pid())),
                    watcher.rows("SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted"));
            holder.rows("COMMIT");
            waiter.ready();
        }
    }

    @Test
    void everyClientIsThereOnceAndNothingElse() throws IOException {
        try (WireSession idle = open(multimed.address(), "low", "idle one");
                WireSession inBlock = open(multimed.address(), "member", "in block");
                WireSession watcher = open(multimed.address(), "chief", "watcher")) {
            idle.rows("SELECT count(*) FROM pg_class");
            inBlock.rows("BEGIN; SELECT txid_current()");
            List<List<@Nullable String>> rows = watcher.rows(
                    // The engine shows only the beginning of a long statement.
                    "SELECT pid, usename, datname, application_name, state, client_addr, query FROM pg_stat_activity"
                            + " WHERE backend_type = 'client backend' ORDER BY pid");
            assertEquals(
                    List.of(
                            List.of("" + idle.pid(), "low", "postgres", "idle one", "idle", "127.0.0.1", ""),
                            List.of(
                                    "" + inBlock.pid(),
                                    "member",
                                    "postgres",
                                    "in block",
                                    "idle in transaction",
                                    "127.0.0.1",
                                    "BEGIN; SELECT txid_current()"),
                            List.of(
                                    "" + watcher.pid(),
                                    "chief",
                                    "postgres",
                                    "watcher",
                                    "active",
                                    "127.0.0.1",
                                    "SELECT pid, usename, datname, application_name, state, client_addr, query"
                                            + " FROM pg_stat_activity")),
                    rows.stream().filter(row -> !"postgres".equals(row.get(1))).toList());
        }
    }

    @Test
    void whoMayNotSeeOthersSeesThatTheyAreThere() throws IOException {
        try (WireSession other = open(multimed.address(), "chief", "secret work");
                WireSession session = open(multimed.address(), "low", "own")) {
            other.rows("SELECT 1");
            String sql =
                    "SELECT usename, application_name, client_addr, state, query FROM pg_stat_activity WHERE pid = ";
            List<@Nullable String> row = session.rows(sql + other.pid()).getFirst();
            assertEquals("[chief, secret work, null, null, <insufficient privilege>]", row.toString());
        }
    }
}
