package io.multimed.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.bench.measure.ContextSwitches;
import io.multimed.bench.measure.Inside;
import io.multimed.bench.measure.Machine;
import io.multimed.bench.measure.MeasuredOperations;
import io.multimed.bench.measure.Used;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PaperTableTest {
    /** Returns a valid run of a second. */
    private static Run run(String benchmark, String system, int clients, int processors, int perSecond) {
        return run(1, benchmark, system, clients, processors, perSecond);
    }

    private static Run run(int number, String benchmark, String system, int clients, int processors, int perSecond) {
        Map<String, String> parameters = Map.of(
                "clients",
                Integer.toString(clients),
                "processors",
                Integer.toString(processors),
                "mix",
                benchmark.substring(5));
        return run(number, benchmark, system, parameters, perSecond, List.of());
    }

    private static Run run(
            int number,
            String benchmark,
            String system,
            Map<String, String> parameters,
            int perSecond,
            List<Figure> figures) {
        MeasuredOperations recording =
                new MeasuredOperations(List.of(new MeasuredOperations.Kind("A", "A", true, true, 100)), 0, 10);
        recording.openWindow(0);
        for (int i = 0; i < perSecond; i++) {
            recording.completed(0, 0, 8_000_000);
            recording.committed(8_000_000);
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
                parameters,
                Map.of(),
                recording.measured(
                        new Used(
                                Map.of(),
                                Map.of("engines and clients", 1_000L * perSecond),
                                Map.of("postgresql", new ContextSwitches(1_000, 0))),
                        Inside.NOTHING),
                figures,
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
    void runsOfMariaDbStandBesideThoseOfMysqlAlone() {
        List<PaperTable.Row> rows = PaperTable.of(List.of(
                ofMariaDb("standalone", 2, 100), ofMariaDb("standalone", 4, 90), ofMariaDb("multimed", 4, 200)));
        assertEquals(
                List.of(
                        "one MariaDB, browsing, by cores: 0.90 (4 processors against 2, 8 clients)",
                        "browsing, Multimed against one MariaDB: 2.22 (8 clients, 4 processors)",
                        "browsing, Multimed on all processors against one MariaDB on as many as suit it best:"
                                + " 2.00 (4 processors against 2, 8 clients)"),
                rows.stream().map(row -> row.shows() + ": " + row.measured()).toList());
    }

    private static Run ofMariaDb(String system, int processors, int perSecond) {
        return run(
                1,
                "tpcw browsing",
                system,
                Map.of(
                        "engine",
                        "mariadb",
                        "clients",
                        "8",
                        "processors",
                        Integer.toString(processors),
                        "mix",
                        "browsing"),
                perSecond,
                List.of());
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
    void placesOfTheSameWordsAreAllTold() {
        List<Run> runs = new ArrayList<>();
        for (String ebs : List.of("10", "100", "1000")) {
            Map<String, String> parameters = Map.of("clients", "64", "processors", "2", "mix", "shopping", "ebs", ebs);
            runs.add(run(1, "tpcw shopping", "standalone", parameters, 100, List.of()));
            runs.add(run(1, "tpcw shopping", "multimed", parameters, ebs.equals("100") ? 300 : 150, List.of()));
        }
        // The one in the middle is neither the first nor the last that has these words.
        assertEquals(
                "1.50 to 3.00 (64 clients, 2 processors)", measured("shopping, Multimed against one PostgreSQL", runs));
    }

    @Test
    void memoryIsWhatLivesToo() {
        Map<String, String> parameters = Map.of("clients", "4", "processors", "2", "mix", "80-20");
        List<Run> runs = List.of(
                run(1, "tpcc 80-20", "h2", parameters, 100, List.of(new Figure(Figure.LIVE_HEAP, "MB", 200))),
                run(
                        1,
                        "tpcc 80-20",
                        "multimed-h2-3",
                        parameters,
                        110,
                        List.of(new Figure(Figure.LIVE_HEAP, "MB", 300))));
        assertEquals("1.50 (4 clients, 2 processors)", measured("live heap, 3 of h2 against it alone", runs));
        assertEquals(
                "1.10 (4 clients, 2 processors)", measured("memory of the process, 3 of h2 against it alone", runs));
    }

    @Test
    void shopsInsideAJvmStandBesideThePaperAndNotAmongThoseOnPostgresql() {
        Map<String, String> parameters = Map.of("clients", "8", "processors", "2", "mix", "browsing", "engine", "h2");
        List<Run> runs = List.of(
                run(1, "tpcw browsing", "h2", parameters, 100, List.of()),
                run(1, "tpcw browsing", "multimed-h2-3", parameters, 160, List.of()));
        assertEquals(
                List.of(new PaperTable.Row(
                        "MacroDB, figure 8",
                        "TPC-W browsing, 3 of h2 against it alone",
                        "1.75, from 261.6 to 458.4 interactions/s",
                        "1.60 (8 clients, 2 processors)")),
                PaperTable.of(runs));
    }

    @Test
    void aBaselineIsComparedWithOnAsManyProcessorsAsSuitItBest() {
        List<Run> runs = List.of(
                run("tpcw browsing", "standalone", 64, 1, 50),
                run("tpcw browsing", "standalone", 64, 2, 120),
                run("tpcw browsing", "standalone", 64, 4, 100),
                run("tpcw browsing", "multimed", 64, 1, 40),
                run("tpcw browsing", "multimed", 64, 4, 300));
        assertEquals(
                "2.50 (4 processors against 2, 64 clients)",
                measured(
                        "browsing, Multimed on all processors against one PostgreSQL on as many as suit it best",
                        runs));
    }

    @Test
    void whatBestSellersCostInContextSwitchesIsOfATransaction() {
        // As many in a second, of four times the transactions.
        List<Run> runs = List.of(
                run("tpcw browsing", "standalone", 200, 2, 100),
                run("tpcw browsing without BESS", "standalone", 200, 2, 400));
        assertEquals(
                "4.00 (200 clients, 2 processors)",
                measured(
                        "one PostgreSQL, context switches of a transaction, browsing against it without Best Sellers",
                        runs));
    }

    private static String measured(String shows, List<Run> runs) {
        return PaperTable.of(runs).stream()
                .filter(row -> row.shows().equals(shows))
                .map(PaperTable.Row::measured)
                .findFirst()
                .orElse("");
    }

    @Test
    void whatThePapersShowAndIsNotMeasuredIsNamed() throws Exception {
        List<Run> runs =
                List.of(run("tpcw ordering", "standalone", 8, 2, 100), run("tpcw ordering", "multimed", 8, 2, 90));
        List<PaperTable.Row> missing = PaperTable.missing(runs);
        String there = PaperTable.of(runs).getFirst().shows();
        assertTrue(missing.stream().noneMatch(row -> row.shows().equals(there)));
        assertEquals(
                PaperFigure.ALL.stream().filter(PaperFigure::possible).count() - 1,
                missing.stream()
                        .filter(row -> row.measured().equals("not run here"))
                        .count());
        HtmlReport report = HtmlReport.of(runs);
        for (String figure : List.of("Multimed, figure 1f", "MacroDB, figure 8")) {
            assertTrue(report.page().contains("<td>" + figure + "</td>"), figure);
        }
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
