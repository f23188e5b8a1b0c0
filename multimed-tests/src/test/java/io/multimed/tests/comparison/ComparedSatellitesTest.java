package io.multimed.tests.comparison;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.multimed.testkit.random.Seed;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.RunningMultimed;
import io.multimed.tests.server.TestBinaries;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Full Satellites are compared with the Master in the background: one whose data was changed is copied anew, and none is that is only ahead
 * of or behind what was read on the Master.
 */
@Tag("slow")
@Timeout(300)
class ComparedSatellitesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long SEED = Seed.of("multimed.comparison.seed");
    private static final int STATEMENTS = Integer.getInteger("multimed.comparison.statements", 300);
    private static final int CLIENTS = 4;
    private static final String MARK = "kept on the Satellite";
    private static final String CHANGED = "lost on the Satellite";
    private static final String EVICT = "SELECT buffers_evicted FROM pg_buffercache_evict_relation('marked')";
    /** The first release whose buffers can be emptied. */
    private static final int EVICTS = 18;

    /** Statements that change rows, places of rows, or the meaning of rows. */
    private static final List<String> CHANGES = List.of(
            "INSERT INTO compared SELECT i, 'x' FROM generate_series(1, 50) AS i",
            "UPDATE compared SET v = v || 'y' WHERE id % 3 = 0",
            "DELETE FROM compared WHERE id % 5 = 0",
            "INSERT INTO queue VALUES (1, 'job')",
            "DELETE FROM queue",
            "BEGIN; INSERT INTO queue VALUES (2, 'job'); SAVEPOINT s; DELETE FROM queue; ROLLBACK TO s; COMMIT",
            "BEGIN; INSERT INTO compared VALUES (0, 'undone'); ROLLBACK",
            "VACUUM compared",
            "VACUUM FULL queue",
            "VACUUM (FREEZE) compared",
            "TRUNCATE queue",
            "ALTER TABLE compared ADD COLUMN IF NOT EXISTS more int DEFAULT 7",
            "ALTER TABLE compared DROP COLUMN IF EXISTS more",
            "ALTER TYPE mood RENAME VALUE 'good' TO 'well'",
            "ALTER TYPE mood RENAME VALUE 'well' TO 'good'",
            "CREATE TABLE IF NOT EXISTS passing AS SELECT * FROM compared",
            "DROP TABLE IF EXISTS passing");

    private static RunningMultimed start(String satelliteSettings) throws Exception {
        return RunningMultimed.start(
                1,
                text -> text.replace("[satellites]\n", "[satellites]\ncomparison = 100\n")
                        .replace("[nodes.satellite.settings]\n", "[nodes.satellite.settings]\n" + satelliteSettings));
    }

    private static WireSession open(RunningMultimed multimed) throws IOException {
        return WireSession.open(multimed.address(), "postgres", "postgres", PATIENCE);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void oneWhoseDataWasChangedIsCopiedAnew(boolean checksums) throws Exception {
        assumeTrue(TestBinaries.get().major() >= EVICTS, "the buffers of the Satellite are emptied");
        try (RunningMultimed multimed = start(checksums ? "" : "ignore_checksum_failure = true\n");
                WireSession client = open(multimed)) {
            client.rows("CREATE EXTENSION pg_buffercache; CREATE TABLE marked AS SELECT i, '" + MARK
                    + "' AS v FROM generate_series(1, 1000) AS i");
            multimed.awaitSatellites("postgres");
            RunningMultimed.await(() -> multimed.compared().rows() > 0, "rows compared");
            long before = multimed.satellitePid(0);
            assertEquals(0, multimed.compared().differences());
            change(multimed);
            RunningMultimed.await(
                    () -> {
                        // A page that is being read stays in its buffer.
                        evict(multimed);
                        return multimed.compared().differences() > 0;
                    },
                    "the difference found");
            multimed.awaitOtherEngine("satellite-1", before);
            assertEquals("0", ofSatellite(multimed, "SELECT count(*) FROM marked WHERE v <> '" + MARK + "'"));
        }
    }

    /** Changes a row in the Satellite's file. */
    private static void change(RunningMultimed multimed) throws IOException {
        Path file = Path.of(
                ofSatellite(multimed, "SHOW data_directory"),
                ofSatellite(multimed, "SELECT pg_relation_filepath('marked')"));
        // What is in a buffer alone is written first.
        ofSatellite(multimed, EVICT);
        int at = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).indexOf(MARK);
        assertNotEquals(-1, at, "the row is not in the file yet");
        try (RandomAccessFile writable = new RandomAccessFile(file.toFile(), "rw")) {
            writable.seek(at);
            writable.write(CHANGED.getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    private static void evict(RunningMultimed multimed) {
        try {
            ofSatellite(multimed, EVICT);
        } catch (IOException e) {
            // It has been found, and ends.
            System.out.println("not evicted: " + e.getMessage());
        }
    }

    private static String ofSatellite(RunningMultimed multimed, String sql) throws IOException {
        try (WireSession satellite = WireSession.open(multimed.satellite(0), "postgres", "postgres", PATIENCE)) {
            return satellite.value(sql);
        }
    }

    @Test
    void changesOnTheMasterAreNoDifferences() throws Exception {
        try (RunningMultimed multimed = start("")) {
            try (WireSession owner = open(multimed)) {
                owner.rows("CREATE TYPE mood AS ENUM ('good', 'bad'); CREATE TABLE moods AS SELECT 'good'::mood AS m"
                        + " FROM generate_series(1, 500); CREATE TABLE compared (id int, v text);"
                        + " CREATE TABLE queue (id int, v text)");
            }
            multimed.awaitSatellites("postgres");
            long pid = multimed.satellitePid(0);
            long before = multimed.compared().rows();
            AtomicBoolean stop = new AtomicBoolean();
            try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
                List<Future<?>> clients = new ArrayList<>();
                for (int i = 0; i < CLIENTS; i++) {
                    Random random = new Random(SEED + i);
                    clients.add(threads.submit(() -> {
                        try (WireSession client = open(multimed)) {
                            // On a busy machine all statements may be over before the first look at a table.
                            for (int j = 0;
                                    !stop.get()
                                            && (j < STATEMENTS
                                                    || multimed.compared().rows() == before);
                                    j++) {
                                // Statements of several clients may fail by each other.
                                client.query(CHANGES.get(random.nextInt(CHANGES.size())));
                                client.query("ROLLBACK");
                            }
                        }
                        return null;
                    }));
                }
                for (Future<?> client : clients) {
                    client.get();
                }
            } finally {
                stop.set(true);
            }
            long compared = multimed.compared().rows();
            RunningMultimed.await(() -> multimed.compared().rows() > compared + 1000, "further rows compared");
            System.out.println(multimed.compared() + " beside " + CLIENTS * STATEMENTS + " statements or more");
            assertTrue(compared > before, "nothing was compared meanwhile");
            assertEquals(0, multimed.compared().differences());
            assertEquals(pid, multimed.satellitePid(0));
        }
    }
}
