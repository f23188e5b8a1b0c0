package io.multimed.jdbc.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.jdbc.replay.RepeatedDatabase;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests writers and readers through Multimed, inside the process, some of them while secondaries or the Master fail. Every update
 * increments one row and writes its number under some keys. So the data alone shows the order of commits, and the result of a read
 * can be compared with the prefix it must be. Both declared read-only transactions and single statements must have run on
 * secondaries.
 */
@Tag("slow")
class EmbeddedHistoryTest {
    private static final int UPDATES_PER_WRITER = 1_500;
    private static final int REPLICAS = 3;
    private static final int WRITERS = 2;
    private static final int READERS = 3;
    private static final int REPEATED_UPDATES = 40;

    @TempDir
    Path directory;

    /** The engine that ends again and again while the others work. */
    enum Fault {
        NONE,
        SATELLITES,
        MASTER
    }

    @ParameterizedTest
    @CsvSource({
        "h2, NONE, strong",
        "h2, SATELLITES, strong",
        "h2, SATELLITES, session",
        "h2, MASTER, strong",
        "hsqldb, NONE, strong",
        "hsqldb, SATELLITES, strong",
        "hsqldb, SATELLITES, session",
        "hsqldb, MASTER, strong",
        "hsqldb-mvcc, SATELLITES, strong",
        "hsqldb-mvcc, MASTER, session"
    })
    void everyReadIsAPrefixAsFreshAsWasAskedForAndNoSessionGoesBack(String mode, Fault fault, String freshness)
            throws Exception {
        String engine = mode.split("-", 2)[0];
        String url = "jdbc:multimed:" + engine + ":mem:"
                + UUID.randomUUID().toString().replace("-", "") + ";replicas=" + REPLICAS
                + ";policy=round-robin;freshness="
                + freshness
                + (engine.equals("h2") ? ";LOCK_TIMEOUT=1000" : "")
                + (mode.endsWith("mvcc") ? ";hsqldb.tx=mvcc" : "");
        run(url + ";user=SA;password=", fault, new History(freshness.equals("strong")), UPDATES_PER_WRITER, history -> {
            if (fault == Fault.SATELLITES) {
                history.killSecondaries(url + ";user=SA;password=", engine);
            } else {
                history.killMasters(url + ";user=SA;password=");
            }
        });
        if (engine.equals("hsqldb")) {
            try (Connection last = DriverManager.getConnection(url, "SA", "");
                    Statement statement = last.createStatement()) {
                statement.execute("SHUTDOWN");
            }
        }
    }

    /**
     * Tests replicas that execute statements again; one that diverges from the Master is rebuilt. With SQLite one replica at a time
     * is damaged: otherwise reads run on the Master as well, where a writer waits seconds for each of them.
     */
    @ParameterizedTest
    @CsvSource({
        "DERBY, NONE, strong",
        "DERBY, SATELLITES, session",
        "SQLITE, NONE, strong",
        "SQLITE, SATELLITES, strong",
        "DUCKDB, NONE, strong",
        "DUCKDB, SATELLITES, strong",
        "DUCKDB, SATELLITES, session"
    })
    void everyReadIsAPrefixWhereStatementsAreRepeated(RepeatedDatabase engine, Fault fault, String freshness)
            throws Exception {
        String mark = "M" + UUID.randomUUID().toString().replace("-", "");
        String url = engine.url(directory, REPLICAS) + ";policy=round-robin;freshness=" + freshness;
        History history = new History(freshness.equals("strong"), mark);
        int atOnce = engine == RepeatedDatabase.SQLITE ? 1 : REPLICAS;
        run(url, fault, history, REPEATED_UPDATES, of -> of.damageReplicas(url, engine, atOnce));
    }

    @FunctionalInterface
    private interface Faults {
        void cause(History history) throws SQLException, InterruptedException;
    }

    private static void run(String url, Fault fault, History history, int updates, Faults faults) throws Exception {
        BooleanSupplier enough = () -> history.readsOnSecondaries() > 50
                && history.transactionsOnSecondaries() > 50
                && (fault == Fault.NONE || history.kills() > 2);
        try (Connection owner = DriverManager.getConnection(url)) {
            history.createTables(owner);
            readOnAll(url);
            List<Thread> writers = new ArrayList<>();
            List<Thread> readers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                int seed = i;
                writers.add(start(history, () -> history.write(url, seed, updates, enough)));
            }
            for (int i = 0; i < READERS; i++) {
                boolean declared = i % 2 == 0;
                readers.add(start(history, () -> history.read(url, declared)));
            }
            if (fault != Fault.NONE) {
                readers.add(start(history, () -> faults.cause(history)));
            }
            join(writers);
            history.stop();
            join(readers);
            assertEquals(List.of(), history.violations());
            assertEquals(history.updates(), history.committed(owner));
        }
    }

    /** Reads on all nodes. A session with session freshness may otherwise see a prefix without the tables. */
    private static void readOnAll(String url) throws SQLException {
        String strong = url.replace("freshness=session", "freshness=strong");
        try (Connection connection = DriverManager.getConnection(strong);
                Statement statement = connection.createStatement()) {
            for (int i = 1; i < REPLICAS; i++) {
                statement.executeQuery("SELECT N FROM COUNTER").close();
            }
        }
    }

    @Test
    void theCheckFindsWhatIsStaleTornOrGoesBack() {
        History history = new History(true);
        history.wrote(1, 0b11);
        history.wrote(2, 0b10);
        history.check(2, new int[] {1, 2, 0, 0, 0, 0, 0, 0}, 2, 1);
        assertEquals(List.of(), history.violations());
        history.check(1, new int[] {1, 1, 0, 0, 0, 0, 0, 0}, 2, 0);
        assertTrue(history.violations().get(0).startsWith("stale"));
        history.check(1, new int[] {1, 1, 0, 0, 0, 0, 0, 0}, 0, 2);
        assertTrue(history.violations().get(1).startsWith("went back"));
        history.check(2, new int[] {1, 1, 0, 0, 0, 0, 0, 0}, 0, 0);
        assertTrue(history.violations().get(2).startsWith("no prefix"));
        history.check(1, new int[] {1, 2, 0, 0, 0, 0, 0, 0}, 0, 0);
        assertTrue(history.violations().get(3).startsWith("no prefix"));
        history.wrote(2, 0b01);
        history.check(2, new int[] {1, 2, 0, 0, 0, 0, 0, 0}, 0, 0);
        history.check(2, new int[] {2, 1, 0, 0, 0, 0, 0, 0}, 0, 0);
        assertEquals(4, history.violations().size(), "either may have committed");
        history.check(2, new int[] {2, 2, 0, 0, 0, 0, 0, 0}, 0, 0);
        assertTrue(history.violations().get(4).startsWith("no prefix"));
    }

    @FunctionalInterface
    private interface Role {
        void run() throws SQLException, InterruptedException;
    }

    private static Thread start(History history, Role role) {
        Thread thread = new Thread(() -> {
            try {
                role.run();
            } catch (SQLException | InterruptedException | RuntimeException e) {
                StringWriter trace = new StringWriter();
                e.printStackTrace(new PrintWriter(trace));
                history.violation("a session ended: " + trace);
            }
        });
        thread.start();
        return thread;
    }

    private static void join(List<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join(120_000);
            assertTrue(!thread.isAlive(), "still running");
        }
    }
}
