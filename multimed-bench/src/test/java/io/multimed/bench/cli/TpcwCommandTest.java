package io.multimed.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.process.Await;
import io.multimed.testkit.process.ProgramProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** {@code bench tpcw} as a user runs it, at the least scale. */
class TpcwCommandTest extends CommandTest {
    TpcwCommandTest() {
        super("tpcw");
    }

    @Test
    void badInputIsToldBeforeAnythingIsLoaded() throws Exception {
        assertRefused(2, "did you mean \"browsing\"?", "--mix", "browsng");
        assertRefused(2, "did you mean \"shopping\"?", "--mix", "browsing,shoping");
        assertRefused(2, "did you mean \"pgbouncer\"?", "--against", "pgbouncr");
        assertRefused(2, "--items: must be one of 1000, 10000", "--items", "12");
        assertRefused(2, "--ebs: must be from 1", "--ebs", "0");
        assertRefused(2, "--clients: must be from 1", "--clients", "0");
        assertRefused(2, "--without: there is no interaction 'bes'", "--without", "bes");
        assertRefused(2, "--only: BUYC needs what others leave", "--only", "buyc");
        assertRefused(2, "neither --mix nor --without", "--only", "bess", "--mix", "shopping");
        assertRefused(2, "--updates: must be one number from 1 to 99", "--updates", "0");
        assertRefused(2, "or one for each of 1 mixes", "--updates", "10,20");
        assertRefused(2, "--updates: a share of 99 % cannot be had", "--updates", "99");
        assertRefused(2, "--updates: goes with whole mixes", "--updates", "10", "--only", "bess");
        assertRefused(2, "--satellites: must be from 0 to 64, not 65", "--satellites", "1,65");
        assertRefused(1, "--cores: there are ", "--cores", "4096", "--ebs", "1", "--items", "1000");
        // The second size is too big, so the first one is not begun.
        assertRefused(1, "needs about", "--ebs", "1,100000", "--items", "1000");
        assertRefused(1, "more than the", "--ebs", "1", "--items", "1000", "--clients", "20000");
        assertRefused(2, "--engine: there is no engine 'h3'", "--engine", "h3");
        assertRefused(2, "--replicas: means nothing with --engine postgresql", "--replicas", "1");
        assertRefused(2, "--against: means nothing with --engine h2", "--engine", "h2", "--against", "standalone");
        assertRefused(2, "--satellites: means nothing with --engine h2", "--engine", "h2", "--satellites", "1-2");
        assertRefused(2, "--pool: means nothing with --engine hsqldb", "--engine", "hsqldb", "--pool", "8");
        assertRefused(2, "--pool: means nothing with --engine mariadb", "--engine", "mariadb", "--pool", "8");
        assertRefused(2, "there is no system 'pgbouncer'", "--engine", "mariadb", "--against", "standalone,pgbouncer");
        assertRefused(2, "--replicas: must be from 1 to 64, not 0", "--engine", "h2", "--replicas", "0");
        assertRefused(
                1,
                "3 engines with --ebs 100000, --items 1000",
                "--engine",
                "h2",
                "--ebs",
                "1,100000",
                "--items",
                "1000");
    }

    @Test
    void comparesAnEngineInsideTheJvmWithItsReplicasInEachMix() throws Exception {
        try (ProgramProcess command = startLeast("--engine", "h2", "--replicas", "3", "--mix", "browsing,shopping")) {
            assertEquals(0, command.awaitExit(), command.errors());
        }
        List<String> results = validResults(4);
        for (String result : results) {
            assertTrue(result.contains("\"engine\" : \"h2\""), result);
            assertTrue(result.contains("stock is what was sold and replenished"), result);
        }
        assertEquals(
                2,
                results.stream()
                        .filter(result -> result.contains("satellite-2 holds the Master's rows"))
                        .count());
        BENCH.run(0, "bench", "report", "--results", out.toString());
        String page = Files.readString(out.resolve("report.html"));
        assertTrue(page.contains("TPC-W shopping, 3 of h2 against it alone"), page);
        assertTrue(page.contains("./multimed bench tpcw --engine h2 --replicas 3 --mix browsing,shopping --"), page);
    }

    @Test
    void comparesMariaDbAloneWithMultimed() throws Exception {
        try (ProgramProcess command =
                startLeast("--engine", "mariadb", "--mix", "ordering", "--against", "standalone-binlog")) {
            assertEquals(0, command.awaitExit(), command.errors());
        }
        List<String> results = validResults(2);
        for (String result : results) {
            assertTrue(result.contains("\"engine\" : \"mariadb\""), result);
            assertTrue(result.contains("its binary log with sync_binlog = 1"), result);
        }
        assertEquals(
                1,
                results.stream()
                        .filter(result -> result.contains("satellite-1 holds the Master's rows"))
                        .count());
    }

    @Test
    void severalSizesAndClientsInsideAJvmAreCurves() throws Exception {
        try (ProgramProcess command = startBriefly(
                "--engine", "hsqldb", "--replicas", "2", "--only", "sres", "--ebs", "1,2", "--items", "1000")) {
            assertEquals(0, command.awaitExit(), command.errors());
            assertTrue(command.printed().contains("by number of ebs"), command.printed());
        }
        validResults(4);
        assertDrawn("TPC-W only SRES, hsqldb: throughput by number of ebs");
    }

    @Test
    @EnabledIf("pgpoolIsInstalled")
    void pgpoolServesAndItsEnginesHoldTheSameAtTheEnd() throws Exception {
        try (ProgramProcess command = start(
                "--mix",
                "ordering",
                "--against",
                "pgpool,pgpool-si",
                "--ebs",
                "1",
                "--items",
                "1000",
                "--clients",
                "4",
                "--warmup",
                "0",
                "--time",
                "1",
                "--runs",
                "1")) {
            assertEquals(0, command.awaitExit(), command.errors());
            String table = command.printed();
            assertTrue(table.lines().anyMatch(line -> line.startsWith("pgpool copy-1 ")), table);
            assertTrue(table.lines().anyMatch(line -> line.startsWith("pgpool-si copy-1 ")), table);
        }
        assertEquals(List.of(), left(work));
        assertEquals(0, engines().count(), "processes that are left");
        for (String result : results()) {
            assertTrue(result.contains("\"valid\" : true"), result);
        }
    }

    static boolean pgpoolIsInstalled() {
        return Stream.of((System.getenv("PATH") + ":/usr/sbin").split(":"))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, "pgpool")));
    }

    @Test
    void anInterruptLeavesNoEngineAndWritesWhatWasMeasured() throws Exception {
        try (ProgramProcess command = start(
                "--ebs", "1", "--items", "1000", "--clients", "4", "--warmup", "0", "--time", "600", "--runs", "1")) {
            Await.until("clients at work", () -> backends(command).count() >= 4);
            command.terminate();
            assertEquals(130, command.awaitExit(), command.errors());
            assertEquals(0, engines().count(), "engines that are left");
        }
        assertEquals(List.of(), left(work));
        List<String> results = results();
        assertEquals(1, results.size(), () -> String.join("\n", results));
        assertTrue(results.getFirst().contains("\"interrupted\" : true"), results.getFirst());
        assertTrue(results.getFirst().contains("\"valid\" : false"), results.getFirst());
    }

    @Test
    void aRunWithAPartialSatelliteCountsIfBestSellersRanThere() throws Exception {
        try (ProgramProcess command = startLeast("--only", "bess", "--against", "multimed-c2", "--warmup", "1")) {
            int status = command.awaitExit();
            String result = results().stream()
                    .filter(one -> one.contains("\"system\" : \"multimed-c2\""))
                    .findFirst()
                    .orElseThrow();
            assertTrue(result.contains("bestsellers holds the Master's rows"), result);
            boolean there = Double.parseDouble(result.replaceFirst(
                            "(?s).*\"Best Sellers on bestsellers, of those asked\",[^}]*\"value\" : ([\\d.]+).*", "$1"))
                    >= 50;
            assertEquals(there, result.contains("\"valid\" : true"), result);
            assertEquals(there ? 0 : 1, status, command.errors());
            assertEquals(
                    !there,
                    command.errors().contains("not so: Best Sellers runs mostly on bestsellers: "),
                    command.errors());
        }
        assertEquals(List.of(), left(work));
    }

    @Test
    void severalNumbersOfSatellitesAreACurve() throws Exception {
        try (ProgramProcess command = startLeast("--satellites", "0,1", "--against", "multimed")) {
            assertEquals(0, command.awaitExit(), command.errors());
            assertTrue(command.printed().contains("by number of satellites"), command.printed());
        }
        validResults(2);
        assertDrawn("TPC-W browsing: throughput by number of satellites");
    }
}
