package io.multimed.engine.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.model.Role;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.h2.engine.Database;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the comparison in the background finds every difference, whatever its cause, and reports nothing else. */
@Tag("slow")
class ComparisonTest {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(240);
    private static final long BETWEEN_DEFINITIONS_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long ROWS_DURING_WRITES = 60_000;
    private static final int CHECKPOINTS = 300;

    @TempDir
    Path directory;

    private static Replicas replicas(String url) throws SQLException {
        Replicas replicas = new Replicas(url, 3);
        replicas.ddl(
                "CREATE TABLE t(id INT PRIMARY KEY, v VARCHAR(100))",
                "CREATE TABLE nokey(a INT, v VARCHAR(100))",
                "CREATE TABLE lobs(id INT PRIMARY KEY, c CLOB, b BLOB)",
                "CREATE TABLE nokeylobs(a INT, c CLOB, b BLOB)");
        return replicas;
    }

    private static void fill(Replicas replicas, int rows) throws SQLException {
        replicas.writer.autoCommit(false);
        for (int i = 1; i <= rows; i++) {
            replicas.update("INSERT INTO t VALUES(?, ?)", i, "v" + i);
            replicas.update("INSERT INTO nokey VALUES(?, ?)", i % 7, "v" + i % 100);
            if (i % 50 == 0) {
                replicas.update("INSERT INTO lobs VALUES(?, ?, ?)", i, "text " + i, ("bytes " + i).getBytes(UTF_8));
                replicas.update("INSERT INTO nokeylobs VALUES(?, ?, ?)", i % 7, "text " + i % 9, null);
            }
        }
        replicas.writer.commit();
        replicas.writer.autoCommit(true);
    }

    /** Changes a Satellite through a connection of the engine's own, without the runtime's knowledge. */
    private static void changeBehindItsBack(EmbeddedSession reader, String engine, String sql) throws SQLException {
        Replica replica = reader.beginRead(true);
        try {
            Connection connection = replica.connection();
            if (engine.equals("h2")) {
                Database database = ((SessionLocal) ((JdbcConnection) connection).getSession()).getDatabase();
                database.setReadOnly(false);
                try (Statement statement = connection.createStatement()) {
                    statement.execute(sql);
                } finally {
                    database.setReadOnly(true);
                }
            } else {
                try (Connection direct = DriverManager.getConnection(
                                connection.getMetaData().getURL(), "SA", "");
                        Statement statement = direct.createStatement()) {
                    statement.execute(sql);
                }
            }
        } finally {
            replica.endRead();
        }
    }

    private static void shutDown(Replicas replicas) throws SQLException {
        EmbeddedSession writer = replicas.writer;
        writer.shutDown(() -> {
            try (Statement statement = writer.master().createStatement()) {
                return statement.execute("SHUTDOWN");
            }
        });
    }

    private static void awaitMadeAnew(Replicas replicas) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (replicas.writer.database().nodes().stream()
                .noneMatch(node -> node.engines() > 1 && node.state().equals("serving"))) {
            assertTrue(
                    System.nanoTime() - deadline < 0,
                    () -> replicas.writer.database().nodes() + " "
                            + replicas.writer.database().comparisons());
            Thread.onSpinWait();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            h2     | UPDATE t SET v = 'wrong' WHERE id = 1
            h2     | UPDATE t SET v = 'V2999' WHERE id = 2999
            h2     | DELETE FROM t WHERE id = 1500
            h2     | INSERT INTO t VALUES(-1, 'wrong')
            h2     | INSERT INTO t VALUES(5000, 'wrong')
            h2     | DELETE FROM nokey WHERE a = 3
            h2     | UPDATE nokey SET a = 7 WHERE a = 3
            h2     | INSERT INTO nokey VALUES(1, 'v1')
            h2     | TRUNCATE TABLE nokey
            h2     | DROP TABLE nokey
            hsqldb | UPDATE t SET v = 'wrong' WHERE id = 1
            hsqldb | UPDATE t SET v = 'V2999' WHERE id = 2999
            hsqldb | DELETE FROM t WHERE id = 1500
            hsqldb | INSERT INTO t VALUES(-1, 'wrong')
            hsqldb | INSERT INTO t VALUES(5000, 'wrong')
            hsqldb | DELETE FROM nokey WHERE a = 3
            hsqldb | UPDATE nokey SET a = 7 WHERE a = 3
            hsqldb | INSERT INTO nokey VALUES(1, 'v1')
            h2     | UPDATE lobs SET c = 'texT 1500' WHERE id = 1500
            h2     | UPDATE lobs SET b = X'00' WHERE id = 3000
            h2     | UPDATE nokeylobs SET c = 'texT 4' WHERE c LIKE 'text 4'
            hsqldb | UPDATE lobs SET c = 'texT 1500' WHERE id = 1500
            hsqldb | UPDATE lobs SET c = 'longer 1500' WHERE id = 1500
            hsqldb | UPDATE lobs SET c = NULL WHERE id = 1500
            hsqldb | UPDATE lobs SET b = X'627974657320313500' WHERE id = 150
            hsqldb | UPDATE lobs SET c = '' WHERE id = 50
            hsqldb | UPDATE nokeylobs SET c = 'texT 4' WHERE CAST(c AS VARCHAR(20)) = 'text 4'
            hsqldb | UPDATE nokeylobs SET b = X'00' WHERE a = 3
            """)
    void whatWasChangedBehindTheRuntimesBackIsFoundAndMadeAnew(String engine, String sql) throws SQLException {
        try (Replicas replicas = replicas("jdbc:" + engine + ":mem:" + UUID.randomUUID())) {
            fill(replicas, 3000);
            changeBehindItsBack(replicas.readers.get(1), engine, sql);
            awaitMadeAnew(replicas);
            assertEquals(1, replicas.writer.database().comparisons().differences());
            String detail = replicas.writer.database().nodes().stream()
                    .map(EmbeddedNodeStatus::detail)
                    .reduce("", String::concat);
            assertTrue(detail.contains("differed from the master"), detail);
            for (int i = 0; i < 100; i++) {
                replicas.update("UPDATE t SET v = v || '+' WHERE id = " + (i + 1));
                replicas.assertIdentical("t", "nokey");
            }
            replicas.assertIdentical("lobs", "nokeylobs");
            if (engine.equals("hsqldb")) {
                shutDown(replicas);
            }
        }
    }

    /** No H2 transaction shows the change, and no undo log has its rows. */
    @Test
    void tablesThatARoutineTruncatesAreFound() throws SQLException {
        try (Replicas replicas = replicas("jdbc:h2:mem:" + UUID.randomUUID())) {
            fill(replicas, 3000);
            replicas.ddl("CREATE ALIAS clear AS 'void f(java.sql.Connection c) throws java.sql.SQLException {"
                    + " c.createStatement().execute(\"TRUNCATE TABLE nokey\"); }'");
            replicas.update("CALL clear()");
            long deadline = System.nanoTime() + PATIENCE_NANOS;
            while (replicas.writer.database().nodes().stream()
                    .anyMatch(node -> node.role() == Role.SATELLITE
                            && (node.engines() == 1 || !node.state().equals("serving")))) {
                assertTrue(System.nanoTime() - deadline < 0, "found in time");
                Thread.onSpinWait();
            }
            replicas.assertIdentical("t", "nokey");
        }
    }

    /** HSQLDB removes LOBs while it holds its log, for which a look at the Master may wait while it keeps others from committing. */
    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void lobsThatHsqldbRemovesMeetNoLook() throws SQLException {
        String url = "jdbc:hsqldb:mem:" + UUID.randomUUID();
        try (Replicas replicas = replicas(url);
                Connection beside = DriverManager.getConnection(url, "SA", "");
                Statement statement = beside.createStatement()) {
            for (int i = 0; i < CHECKPOINTS; i++) {
                replicas.update("INSERT INTO lobs VALUES(?, ?, ?)", i, "text " + i, new byte[10]);
                replicas.update("DELETE FROM lobs");
                statement.execute("CHECKPOINT");
            }
            replicas.assertFoundEqual();
            replicas.assertNoneMadeAnew();
            shutDown(replicas);
        }
    }

    private static final List<String> CHANGES = List.of(
            "INSERT INTO t SELECT %1$d, 'new' FROM (VALUES(0)) AS one(x) WHERE NOT EXISTS (SELECT 1 FROM t WHERE id = %1$d)",
            "UPDATE t SET v = 'changed %1$d' WHERE id = %2$d",
            "DELETE FROM t WHERE id = %2$d",
            "UPDATE t SET id = -id WHERE id BETWEEN %2$d AND %2$d + 20",
            "INSERT INTO nokey VALUES(%2$d, 'x')",
            "UPDATE nokey SET v = 'y' WHERE a = %2$d",
            "DELETE FROM nokey WHERE a = %2$d");

    /** Rare, since HSQLDB keeps 32 KB for each LOB, and those that are gone for a while. */
    private static final List<String> CHANGES_OF_LOBS = List.of(
            "UPDATE lobs SET c = 'changed %1$d', b = X'00' WHERE id = %2$d",
            "UPDATE lobs SET c = c || '+' WHERE id BETWEEN %2$d AND %2$d + 200",
            "DELETE FROM lobs WHERE id = %2$d",
            "INSERT INTO nokeylobs VALUES(%2$d, 'y %1$d', X'01')",
            "DELETE FROM nokeylobs WHERE a BETWEEN %2$d AND %2$d + 50");

    private static void write(Replicas replicas, int seed, AtomicBoolean stop, List<SQLException> unexpected)
            throws SQLException {
        Random random = new Random(seed);
        try (EmbeddedSession session = replicas.session()) {
            while (!stop.get()) {
                boolean transaction = random.nextBoolean();
                session.autoCommit(!transaction);
                try {
                    for (int i = random.nextInt(1, 4); i > 0; i--) {
                        List<String> of = random.nextInt(50) == 0 ? CHANGES_OF_LOBS : CHANGES;
                        String sql = of.get(random.nextInt(of.size()));
                        Replicas.update(session, sql.formatted(random.nextInt(100_000), random.nextInt(6000)));
                    }
                    if (random.nextInt(5) == 0) {
                        session.rollback();
                    } else {
                        session.commit();
                    }
                } catch (SQLException e) {
                    session.rollback();
                    // Locks, or rows that another writer has inserted meanwhile.
                    if (!e.getSQLState().matches("40.*|23.*|HY.*|90131")) {
                        synchronized (unexpected) {
                            unexpected.add(e);
                        }
                    }
                }
            }
        }
    }

    private static void define(Replicas replicas, int seed) throws SQLException {
        String name = "d" + seed;
        replicas.ddl("CREATE TABLE " + name + "(a INT PRIMARY KEY, b INT)");
        replicas.update("INSERT INTO " + name + " VALUES(1, 1), (2, 2)");
        replicas.ddl(
                "ALTER TABLE " + name + " ADD COLUMN c INT DEFAULT 5", "CREATE INDEX i" + name + " ON " + name + "(b)");
        replicas.update("DELETE FROM " + name + " WHERE a = 1");
        replicas.ddl("DROP TABLE " + name);
    }

    private void campaign(String url, boolean shutsDown) throws Exception {
        ExecutorService writers = Executors.newFixedThreadPool(3);
        AtomicBoolean stop = new AtomicBoolean();
        List<SQLException> unexpected = new ArrayList<>();
        try (Replicas replicas = replicas(url)) {
            fill(replicas, 5000);
            List<Future<?>> written = new ArrayList<>();
            for (int seed = 0; seed < 3; seed++) {
                int own = seed;
                written.add(writers.submit(() -> {
                    write(replicas, own, stop, unexpected);
                    return null;
                }));
            }
            long deadline = System.nanoTime() + PATIENCE_NANOS;
            int definitions = 0;
            while (replicas.writer.database().comparisons().rows() < ROWS_DURING_WRITES
                    && System.nanoTime() - deadline < 0) {
                define(replicas, definitions++);
                // Nothing is compared while the catalog changes.
                LockSupport.parkNanos(BETWEEN_DEFINITIONS_NANOS);
            }
            stop.set(true);
            for (Future<?> writer : written) {
                writer.get(PATIENCE_NANOS, TimeUnit.NANOSECONDS);
            }
            assertEquals(List.of(), unexpected);
            ComparisonStatus compared = replicas.writer.database().comparisons();
            assertTrue(compared.rows() >= ROWS_DURING_WRITES, compared::toString);
            assertEquals(0, compared.differences());
            replicas.assertServing();
            replicas.assertNoneMadeAnew();
            replicas.assertFoundEqual();
            replicas.assertIdentical("t", "nokey", "lobs", "nokeylobs");
            if (shutsDown) {
                shutDown(replicas);
            }
        } finally {
            stop.set(true);
            writers.shutdownNow();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2:mem:", "h2:file:", "hsqldb:mem:", "hsqldb:mem:;hsqldb.tx=mvcc", "hsqldb:file:"})
    void writesAndDefinitionsMeanwhileAreNoDifferences(String kind) throws Exception {
        String name = UUID.randomUUID().toString();
        String where = kind.contains("file") ? directory.resolve(name).toString() : name;
        int options = kind.indexOf(';');
        String url = options < 0 ? kind + where : kind.substring(0, options) + where + kind.substring(options);
        campaign("jdbc:" + url, kind.startsWith("hsqldb"));
    }
}
