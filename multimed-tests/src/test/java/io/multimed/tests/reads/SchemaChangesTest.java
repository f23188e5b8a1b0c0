package io.multimed.tests.reads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.RunningMultimed;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Reads beside changes of schemas: changes that cannot concern the reads, and changes that do. */
@Timeout(300)
@Isolated("a catalog that takes long to read on a busy machine sends reads to the Master")
class SchemaChangesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int STEPS = Integer.getInteger("multimed.schema-changes.steps", 120);
    private static final long SEED = Long.getLong("multimed.schema-changes.seed", 1);

    private final RunningMultimed multimed = RunningMultimed.shared();

    private WireSession session(String database) throws IOException {
        return WireSession.open(multimed.address(), "postgres", database, PATIENCE);
    }

    /** Executes random definitions until stopped, at most as many as there are permits. */
    private CompletableFuture<Integer> define(
            String database,
            AtomicBoolean stop,
            Semaphore permits,
            Random random,
            List<String> statements,
            String clean) {
        return CompletableFuture.supplyAsync(() -> {
            int defined = 0;
            try (WireSession session = session(database)) {
                while (true) {
                    permits.acquireUninterruptibly();
                    if (stop.get()) {
                        break;
                    }
                    boolean block = random.nextInt(3) == 0;
                    if (block) {
                        session.rows("BEGIN");
                    }
                    for (int i = random.nextInt(1, 4); i > 0; i--) {
                        session.rows(statements
                                .get(random.nextInt(statements.size()))
                                .replace("NAME", "n" + defined)
                                .replace("DROPPING", block && random.nextBoolean() ? "ON COMMIT DROP" : ""));
                        defined++;
                    }
                    if (block) {
                        session.rows(random.nextInt(5) == 0 ? "ROLLBACK" : "COMMIT");
                    }
                    if (random.nextInt(4) == 0) {
                        session.rows(clean);
                    }
                }
                session.rows(clean);
                return defined;
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** Returns the reasons for the routes of reads, all of which must have right answers. */
    private Map<String, Integer> routes(WireSession reader, Semaphore permits) throws IOException {
        Map<String, Integer> routes = new TreeMap<>();
        for (int i = 0; i < STEPS; i++) {
            // A new transaction begins at the same time as the read, and the last one may still be running.
            permits.release();
            assertEquals("1", reader.value("SELECT count(*) FROM steady"));
            String route = reader.value("SHOW multimed.route");
            routes.merge(route.substring(route.indexOf(':') + 2), 1, Integer::sum);
        }
        return routes;
    }

    /**
     * Asserts that most reads were recognised. On a busy machine a read may go to the Master since the catalog was not reread
     * in time.
     */
    private static void assertUnderstood(Map<String, Integer> routes) {
        assertTrue(routes.getOrDefault("read on a fresh satellite", 0) > 0, routes::toString);
        int understood = 0;
        for (Map.Entry<String, Integer> route : routes.entrySet()) {
            assertTrue(isUnderstood(route.getKey()) || isTooEarly(route.getKey()), routes::toString);
            understood += isUnderstood(route.getKey()) ? route.getValue() : 0;
        }
        assertTrue(understood * 4 > STEPS * 3, routes::toString);
    }

    private static boolean isTooEarly(String reason) {
        return reason.contains("catalog is not read yet");
    }

    /** Whether the statement was recognised as a read, even if a Satellite was behind for long. */
    private static boolean isUnderstood(String reason) {
        return reason.startsWith("read on a fresh satellite") || reason.startsWith("satellites ");
    }

    @Test
    void stayUnderstoodBesideTemporaryObjectsOfOtherSessions() throws Exception {
        besideDefinitions(
                "postgres",
                List.of(
                        "CREATE TEMP TABLE NAME (a int) DROPPING",
                        "CREATE TEMP TABLE NAME (a serial PRIMARY KEY, b text UNIQUE CHECK (b <> '')) DROPPING",
                        "CREATE TEMP TABLE NAME DROPPING AS SELECT * FROM steady",
                        "CREATE TEMP TABLE NAME (a int, b text) PARTITION BY LIST (a)",
                        "CREATE TEMP VIEW NAME AS SELECT 1 AS a",
                        "CREATE TEMP SEQUENCE NAME",
                        "CREATE TEMP TABLE NAME (LIKE steady INCLUDING ALL) DROPPING;"
                                + "CREATE INDEX ON NAME (a); ANALYZE NAME; ALTER TABLE NAME ADD other int DEFAULT 3"),
                "DISCARD TEMP");
    }

    @Test
    void stayUnderstoodBesideDefinitionsInAnotherDatabase() throws Exception {
        try (WireSession owner = session("postgres")) {
            owner.rows("CREATE DATABASE elsewhere");
            try {
                try (WireSession there = session("elsewhere")) {
                    there.rows("CREATE SCHEMA s; ALTER DATABASE elsewhere SET search_path = s");
                }
                besideDefinitions(
                        "elsewhere",
                        List.of(
                                "CREATE TABLE s.NAME (a int PRIMARY KEY)",
                                "CREATE VIEW s.NAME AS SELECT random() AS a",
                                "CREATE FUNCTION s.NAME() RETURNS int LANGUAGE sql AS 'SELECT 1'",
                                "CREATE TYPE s.NAME AS ENUM ('a')",
                                "CREATE DOMAIN s.NAME AS int CHECK (VALUE > 0)",
                                "CREATE UNLOGGED TABLE s.NAME (a int)"),
                        "DROP SCHEMA s CASCADE; CREATE SCHEMA s");
            } finally {
                owner.rows("DROP DATABASE elsewhere WITH (FORCE)");
            }
        }
    }

    private void besideDefinitions(String database, List<String> statements, String clean) throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        Semaphore permits = new Semaphore(0);
        try (WireSession reader = session("postgres")) {
            reader.rows("CREATE TABLE steady (a int); INSERT INTO steady VALUES (1)");
            try {
                CompletableFuture<Integer> definer =
                        define(database, stop, permits, new Random(SEED), statements, clean);
                Map<String, Integer> routes;
                try {
                    routes = routes(reader, permits);
                } finally {
                    stop.set(true);
                    permits.release();
                }
                assertTrue(definer.get() > 0);
                assertUnderstood(routes);
            } finally {
                reader.rows("DROP TABLE steady CASCADE");
            }
        }
    }

    @Test
    void stayUnderstoodWhateverExtensionTheDatabaseHas() throws Exception {
        try (WireSession owner = session("postgres")) {
            owner.rows("CREATE DATABASE extended");
            try (WireSession definer = session("extended");
                    WireSession reader = session("extended")) {
                definer.rows("CREATE TABLE steady (a int); INSERT INTO steady VALUES (1)");
                int extensions = 0;
                for (List<String> row : definer.rows("SELECT name FROM pg_available_extensions"
                        + " WHERE name !~ 'plperl|plpython|plpgsql' ORDER BY name")) {
                    definer.rows("CREATE EXTENSION \"" + row.getFirst() + "\" CASCADE");
                    String reason = reasonOfRead(reader);
                    for (int tries = 0; isTooEarly(reason) && tries < 100; tries++) {
                        reason = reasonOfRead(reader);
                    }
                    assertTrue(isUnderstood(reason), row + " " + reason);
                    definer.rows("DROP EXTENSION \"" + row.getFirst() + "\" CASCADE");
                    extensions++;
                }
                assertTrue(extensions > 30, "all of them");
            } finally {
                owner.rows("DROP DATABASE extended WITH (FORCE)");
            }
        }
    }

    private static String reasonOfRead(WireSession reader) throws IOException {
        assertEquals("1", reader.value("SELECT a FROM steady WHERE a = 1 AND a <> 2 ORDER BY a"));
        String route = reader.value("SHOW multimed.route");
        return route.substring(route.indexOf(':') + 2);
    }

    /** Changes the object behind a name: the next read, of any client, uses the new object with all its effects. */
    @Tag("slow")
    @Test
    void followEachDefinitionInTheirOwnDatabase() throws Exception {
        Random random = new Random(SEED);
        try (WireSession owner = session("postgres");
                WireSession beside = session("postgres");
                WireSession reader = session("postgres")) {
            owner.rows("CREATE SCHEMA first; CREATE TABLE log (v int);"
                    + "CREATE FUNCTION noting(n int) RETURNS int LANGUAGE plpgsql AS"
                    + " 'BEGIN INSERT INTO log VALUES (n); RETURN n; END';"
                    + "CREATE TABLE public.x (v int)");
            reader.rows("SET search_path = first, public");
            int noted = 0;
            int onSatellites = 0;
            List<String> steps = new ArrayList<>();
            try {
                for (int i = 0; i < STEPS; i++) {
                    String schema = random.nextBoolean() ? "first" : "public";
                    boolean notes = false;
                    String definition;
                    switch (random.nextInt(6)) {
                        case 0 -> definition = "CREATE TABLE %s.x AS SELECT %d AS v";
                        case 1 -> definition = "CREATE VIEW %s.x AS SELECT %d AS v";
                        case 2 -> {
                            definition = "CREATE VIEW %s.x AS SELECT noting(%d) AS v";
                            notes = true;
                        }
                        case 3 -> definition = "CREATE UNLOGGED TABLE %s.x AS SELECT %d AS v";
                        case 4 -> definition = "CREATE MATERIALIZED VIEW %s.x AS SELECT %d AS v";
                        default -> {
                            definition = "CREATE TABLE %s.x (v int); ALTER TABLE first.x ENABLE ROW LEVEL SECURITY;"
                                    + "INSERT INTO first.x VALUES (%d)";
                            schema = "first";
                        }
                    }
                    // Temporary objects of another session at the same time have no effect on this one.
                    beside.rows(random.nextBoolean() ? "CREATE TEMP TABLE x" + i + " (v int)" : "DISCARD TEMP");
                    String step = drop(owner, "first") + drop(owner, "public") + definition.formatted(schema, i);
                    steps.add(step);
                    owner.rows(step);
                    assertEquals(Integer.toString(i), reader.value("SELECT v FROM x"), () -> steps.toString());
                    onSatellites += reader.value("SHOW multimed.route").startsWith("satellite") ? 1 : 0;
                    noted += notes ? 1 : 0;
                    assertEquals(
                            Integer.toString(noted), reader.value("SELECT count(*) FROM log"), () -> steps.toString());
                }
                assertTrue(onSatellites > 0, "all reads were the Master's");
            } finally {
                owner.rows(drop(owner, "public"));
                owner.rows("DROP SCHEMA first CASCADE; DROP FUNCTION noting CASCADE; DROP TABLE log");
            }
        }
    }

    /** A text that other sessions have prepared refers to the permanent table, which this session's own temporary one hides. */
    @Test
    void followTheSessionsOwnTemporaryTables() throws Exception {
        ServerAddress.Tcp address = (ServerAddress.Tcp) multimed.address();
        String url = "jdbc:postgresql://127.0.0.1:" + address.port() + "/postgres?user=postgres&prepareThreshold=-1";
        try (Connection other = DriverManager.getConnection(url);
                Connection own = DriverManager.getConnection(url);
                Statement others = other.createStatement();
                Statement owns = own.createStatement()) {
            try {
                for (int i = 0; i < 3; i++) {
                    String insert = "INSERT INTO hidden" + i + " VALUES (?)";
                    others.execute("CREATE TABLE hidden" + i + " (a int)");
                    insert(other, insert + " RETURNING a");
                    insert(own, insert);
                    owns.execute("CREATE TEMP TABLE hidden" + i + " (a int)");
                    try (PreparedStatement again = own.prepareStatement(insert + " RETURNING a")) {
                        again.setInt(1, 2);
                        again.execute();
                    }
                    insert(other, insert);
                    try (ResultSet row = others.executeQuery("SELECT count(*) FROM hidden" + i)) {
                        row.next();
                        assertEquals(3, row.getInt(1), "table " + i);
                    }
                    try (ResultSet row = owns.executeQuery("SELECT count(*) FROM hidden" + i)) {
                        row.next();
                        assertEquals(1, row.getInt(1), "temporary table " + i);
                    }
                }
            } finally {
                owns.execute("DISCARD TEMP");
                others.execute("DROP TABLE IF EXISTS hidden0, hidden1, hidden2");
            }
        }
    }

    private static void insert(Connection connection, String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setInt(1, 1);
            statement.execute();
        }
    }

    private static String drop(WireSession owner, String schema) throws IOException {
        List<List<String>> kinds =
                owner.rows("SELECT relkind FROM pg_class WHERE oid = to_regclass('" + schema + ".x')");
        if (kinds.isEmpty()) {
            return "";
        }
        String kind = switch (kinds.getFirst().getFirst()) {
            case "v" -> "VIEW";
            case "m" -> "MATERIALIZED VIEW";
            default -> "TABLE";
        };
        return "DROP " + kind + " " + schema + ".x;";
    }
}
