package io.multimed.tests.reads;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.RunningMultimed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Reads that keep a processor busy for long yield to short ones: the engines' processes that execute them have a lower
 * priority.
 */
class LongReadsYieldTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String LONG = "SELECT count(*) AS takes_long FROM generate_series(1, 100000)";
    private static final String SHORT = "SELECT count(*) AS is_short FROM generate_series(1, 10)";

    private final RunningMultimed multimed = RunningMultimed.shared();
    private final long usual = niceness(ProcessHandle.current().pid());

    LongReadsYieldTest() throws IOException {}

    @Test
    void processesThatExecuteLongReadsHaveALowerPriority() throws Exception {
        try (WireSession client = WireSession.open(multimed.address(), "postgres", "postgres", PATIENCE)) {
            RunningMultimed.await(
                    () -> {
                        read(client, LONG);
                        return nicenessOf("takes_long").contains(Math.min(19, usual + 5));
                    },
                    "a long read on a process that yields");
        }
    }

    @Test
    void processThatExecutesAVeryLongReadIsGivenALowerPriorityMeanwhile() throws Exception {
        try (WireSession client = WireSession.open(multimed.address(), "postgres", "postgres", PATIENCE)) {
            read(client, "SELECT count(*) AS comes_once FROM generate_series(1, 4000) a, generate_series(1, 4000) b");
            assertEquals(Set.of(Math.min(19, usual + 5)), nicenessOf("comes_once"));
        }
    }

    @Test
    void processesThatExecuteShortReadsHaveTheUsualOne() throws Exception {
        try (WireSession client = WireSession.open(multimed.address(), "postgres", "postgres", PATIENCE)) {
            for (int i = 0; i < 20; i++) {
                read(client, SHORT);
                assertEquals(Set.of(usual), nicenessOf("is_short"));
            }
        }
    }

    private static void read(WireSession client, String sql) {
        try {
            client.rows(sql);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns the niceness of the Satellites' processes that executed such a read last, and are still there. */
    private Set<Long> nicenessOf(String name) {
        Set<Long> found = new HashSet<>();
        try {
            for (int i = 0; i < multimed.satellitesServing(); i++) {
                try (WireSession satellite =
                        WireSession.open(multimed.satellite(i), "postgres", "postgres", PATIENCE)) {
                    for (List<String> row : satellite.rows("SELECT pid FROM pg_stat_activity WHERE query LIKE '%AS "
                            + name + "%' AND pid <> pg_backend_pid()")) {
                        try {
                            found.add(niceness(Long.parseLong(row.getFirst())));
                        } catch (NoSuchFileException e) {
                            // The process's connection was closed meanwhile.
                        }
                    }
                }
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return found;
    }

    /** Returns the nineteenth field of proc_pid_stat(5). */
    private static long niceness(long process) throws IOException {
        String stat = Files.readString(Path.of("/proc/" + process + "/stat"));
        return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[16]);
    }
}
