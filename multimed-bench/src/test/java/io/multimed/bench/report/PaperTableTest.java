package io.multimed.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.bench.measure.Inside;
import io.multimed.bench.measure.Machine;
import io.multimed.bench.measure.Recording;
import io.multimed.bench.measure.Used;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PaperTableTest {
    /** A valid one of a second. */
    private static Run run(String benchmark, String system, int clients, int processors, int perSecond) {
        return run(1, benchmark, system, clients, processors, perSecond);
    }

    private static Run run(int number, String benchmark, String system, int clients, int processors, int perSecond) {
        Recording recording = new Recording(List.of(new Recording.Kind("A", "A", true, true, 100)), 0, 10);
        recording.openWindow(0);
        for (int i = 0; i < perSecond; i++) {
            recording.completed(0, 0, 8_000_000);
        }
        recording.closeWindow(1_000_000_000);
        return new Run(
                benchmark,
                system,
                "",
                number,
                "2026-01-31T00:00:00Z",
                "0",
                new Machine("a processor", 2, 1L << 30, "6", "25"),
                Map.of(
                        "clients",
                        Integer.toString(clients),
                        "processors",
                        Integer.toString(processors),
                        "mix",
                        benchmark.substring(5)),
                Map.of(),
                recording.measured(
                        new Used(Map.of(), Map.of("engines and clients", 1_000L * perSecond), Map.of()),
                        Inside.NOTHING),
                List.of(),
                List.of(new Run.Check("rows are whole", "")),
                false,
                "");
    }

    @Test
    void aRatioStandsBesideThePapersWhereverBothSidesRan() {
        List<PaperTable.Row> rows = PaperTable.of(List.of(
                run("tpcc 80-20", "hsqldb", 1, 2, 100),
                run("tpcc 80-20", "multimed-hsqldb-3", 1, 2, 90),
                run("tpcc 80-20", "hsqldb", 8, 2, 100),
                run("tpcc 80-20", "multimed-hsqldb-3", 8, 2, 150),
                run("tpcc 80-20", "multimed-hsqldb-3", 9, 2, 700)));
        assertEquals(
                List.of(
                        new PaperTable.Row(
                                "MacroDB, figure 5a",
                                "TPC-C 80-20, 3 of hsqldb against it alone",
                                "up to 1.93",
                                "0.90 to 1.50 (8 clients, 2 processors)"),
                        new PaperTable.Row(
                                "MacroDB, figure 7",
                                "memory of the process, 3 of hsqldb against it alone",
                                "2.29",
                                "0.90 to 1.50 (8 clients, 2 processors)")),
                rows);
    }

    @Test
    void oneRatioIsToldWherePlacesDoNotDiffer() {
        List<PaperTable.Row> rows = PaperTable.of(List.of(
                run("tpcc 80-20", "hsqldb", 1, 2, 100),
                run("tpcc 80-20", "multimed-hsqldb-3", 1, 2, 90),
                run("tpcc 80-20", "hsqldb", 8, 2, 200),
                run("tpcc 80-20", "multimed-hsqldb-3", 8, 2, 180)));
        assertEquals("0.90 (1 client, 2 processors)", rows.getFirst().measured());
    }

    @Test
    void ofSeveralPairsTheLowerBoundIsToldToo() {
        List<PaperTable.Row> rows = PaperTable.of(List.of(
                run(1, "tpcw ordering", "standalone", 8, 2, 100),
                run(1, "tpcw ordering", "multimed", 8, 2, 90),
                run(2, "tpcw ordering", "standalone", 8, 2, 100),
                run(2, "tpcw ordering", "multimed", 8, 2, 110)));
        assertEquals("1.00 [0.90] (8 clients, 2 processors)", rows.getFirst().measured());
    }

    @Test
    void mixesAreComparedWithEachOtherWhereThePaperDoes() {
        List<PaperTable.Row> rows = PaperTable.of(List.of(
                run("tpcw browsing", "standalone", 200, 2, 100),
                run("tpcw browsing without BESS", "standalone", 200, 2, 420)));
        assertEquals(1, rows.size());
        assertEquals("almost 5", rows.getFirst().stated());
        assertEquals("4.20 (200 clients, 2 processors)", rows.getFirst().measured());
    }

    @Test
    void whatThePaperShowsByCoresIsTheMostAgainstTheFewest() {
        List<PaperTable.Row> rows = PaperTable.of(List.of(
                run("tpcw browsing", "multimed", 64, 1, 100),
                run("tpcw browsing", "multimed", 64, 2, 150),
                run("tpcw browsing", "multimed", 64, 4, 370)));
        assertTrue(
                rows.stream()
                        .anyMatch(row -> row.figure().endsWith("figure 3a")
                                && row.measured().equals("3.70 (4 processors against 1, 64 clients)")),
                rows.toString());
        assertTrue(rows.stream().anyMatch(row -> row.measured().contains("8.0 ms")), rows.toString());
    }

    @Test
    void thePageShowsThemOnlyIfSomeWereRun() throws Exception {
        List<Run> runs = List.of(run("tpcc 80-20", "h2", 1, 2, 100));
        assertFalse(HtmlReport.of(runs).page().contains("The papers' figures"));
        List<Run> both = List.of(runs.getFirst(), run("tpcc 80-20", "multimed-h2-3", 1, 2, 200));
        String page = HtmlReport.of(both).page();
        assertTrue(page.contains("<td>up to 2.65</td><td>2.00 (1 client, 2 processors)</td>"), page);
        assertFalse(page.contains("http"), "it needs nothing else");
    }
}
