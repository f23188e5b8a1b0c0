package io.multimed.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.bench.measure.Inside;
import io.multimed.bench.measure.Machine;
import io.multimed.bench.measure.MeasuredOperations;
import io.multimed.bench.measure.Used;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlacesTest {
    /** @param chosen names of parameters and their values */
    private static Run run(String benchmark, String system, String... chosen) {
        return of("0", benchmark, system, chosen);
    }

    private static Run of(String version, String benchmark, String system, String... chosen) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (int i = 0; i < chosen.length; i += 2) {
            parameters.put(chosen[i], chosen[i + 1]);
        }
        MeasuredOperations recording =
                new MeasuredOperations(List.of(new MeasuredOperations.Kind("A", "A", false, false, 100)), 0, 10);
        recording.openWindow(0);
        recording.completed(0, 0, 8_000_000);
        recording.closeWindow(1_000_000_000);
        return new Run(
                benchmark,
                system,
                "",
                1,
                "2026-01-31T00:00:00Z",
                version,
                new Machine("a processor", 2, 1L << 30, "6", "25"),
                parameters,
                Map.of(),
                recording.measured(new Used(Map.of(), Map.of(), Map.of()), Inside.NOTHING),
                List.of(),
                List.of(new Run.Check("rows are whole", "")),
                false,
                "");
    }

    @Test
    void placesOfABenchmarkStandInTheOrderOfTheirNumbersWheneverTheyWereMeasured() {
        List<Run> runs = List.of(
                run("tpcw shopping", "multimed", "clients", "400"),
                run("tpcw browsing", "multimed", "clients", "400"),
                run("tpcw shopping", "multimed", "clients", "64"),
                run("tpcw shopping", "multimed", "clients", "1000"));
        Places places = new Places(runs);
        assertEquals(
                List.of(
                        "tpcw shopping, 64 clients",
                        "tpcw shopping, 400 clients",
                        "tpcw shopping, 1000 clients",
                        "tpcw browsing, 400 clients"),
                Places.sorted(runs).stream().map(places::whole).toList());
    }

    @Test
    void noTwoPlacesHaveTheSameName() {
        List<Run> runs = List.of(
                run("freshness", "multimed", "clients", "4", "seconds", "15", "pool", "20"),
                run("freshness", "multimed", "clients", "4", "seconds", "20", "pool", "20"),
                run("freshness", "multimed", "clients", "4", "seconds", "20", "pool", "30"));
        Places places = new Places(runs);
        assertEquals(
                List.of(
                        "freshness, 4 clients, 15 s a run",
                        "freshness, 4 clients, 20 s a run, pool: 20",
                        "freshness, 4 clients, 20 s a run, pool: 30"),
                runs.stream().map(places::whole).toList());
    }

    @Test
    void runsOfTwoVersionsAreTwoPlaces() {
        List<Run> runs = List.of(
                of("0.1.0", "tpcw browsing", "multimed", "clients", "64"),
                of("0.2.0", "tpcw browsing", "multimed", "clients", "64"));
        assertEquals(2, Sweep.points(runs).size());
        Places places = new Places(runs);
        assertEquals(
                List.of("tpcw browsing, 64 clients, Multimed 0.1.0", "tpcw browsing, 64 clients, Multimed 0.2.0"),
                runs.stream().map(places::whole).toList());
    }

    @Test
    void whoSharesAllProcessorsWithItsClientsIsNotOnTheCurveOverProcessors() {
        List<Run> runs = List.of(
                run("tpcw browsing", "multimed", "cores", "0 for engines", "processors", "1"),
                run("tpcw browsing", "multimed", "cores", "0-1 for engines", "processors", "2"),
                run("tpcw browsing", "multimed", "cores", "all, shared by engines", "processors", "2"));
        assertEquals(List.of(runs.subList(0, 2)), Sweep.groups(runs));
    }

    @Test
    void thereIsACurveOverSatellitesAndOneOverTheSizeOfTheDatabase() throws Exception {
        List<Run> runs = List.of(
                run("tpcw browsing", "multimed", "clients", "64", "ebs", "10", "satellites", "1"),
                run("tpcw browsing", "multimed", "clients", "64", "ebs", "10", "satellites", "4"),
                run("tpcw browsing", "multimed", "clients", "64", "ebs", "100", "satellites", "1"));
        assertEquals(List.of(List.of(runs.get(0), runs.get(2)), List.of(runs.get(0), runs.get(1))), Sweep.groups(runs));
        String page = HtmlReport.of(runs).page();
        assertTrue(page.contains("TPC-W browsing: throughput by number of satellites"), page);
        assertTrue(page.contains("TPC-W browsing: throughput by number of ebs"), page);
    }

    @Test
    void copiesOfSeveralSizesAreOneCurve() {
        List<Run> runs = List.of(
                run("tpcw clone beside buying", "multimed", "ebs", "10", "estimated MB", "125"),
                run("tpcw clone beside buying", "multimed", "ebs", "100", "estimated MB", "575"));
        assertEquals(List.of(runs), Sweep.groups(runs));
        assertEquals("estimated MB", Sweep.axis(runs).name());
    }

    @Test
    void aCommandThatWasGivenTwiceMakesTwoPairsAndNotFour() {
        Run run = run("tpcw browsing", "multimed", "clients", "1");
        assertEquals(2, Statistics.ratios(List.of(run, run), List.of(run, run)).length);
        assertEquals(1, Statistics.ratios(List.of(run, run), List.of(run)).length);
    }

    @Test
    void replicasAreComparedWithTheEngineAlone() {
        List<Run> runs = new ArrayList<>();
        for (String system : List.of("h2", "multimed-h2-1", "multimed-h2-10")) {
            runs.add(run("tpcc 80-20", system, "clients", "4", "engine", "h2"));
        }
        Headline headline = new Headline(runs, new Places(runs));
        assertEquals(
                List.of("times", "", "1.00", "1.00"),
                headline.medians().rows().stream().map(row -> row.get(9)).toList());
        Headline.Comparison comparison = headline.comparisons().getFirst();
        assertEquals("Throughput, 4 clients, h2 inside a JVM", comparison.title());
        assertEquals(
                List.of("h2 alone", "1 engine, replicated", "10 engines, replicated"),
                comparison.benchmarks().getOrDefault("TPC-C 80-20", Map.of()).keySet().stream()
                        .map(comparison::name)
                        .toList());
    }

    @Test
    void benchmarksAtOnePlaceAreOneChartAndOnesOnACurveNone() {
        List<Run> runs = new ArrayList<>();
        for (String system : List.of("standalone", "multimed")) {
            runs.add(run("tpcw browsing", system, "clients", "64"));
            runs.add(run("tpcw shopping", system, "clients", "64"));
            runs.add(run("tpcw browsing", system, "clients", "400"));
        }
        List<Headline.Comparison> comparisons = new Headline(runs, new Places(runs)).comparisons();
        assertEquals(1, comparisons.size());
        assertEquals(
                List.of("TPC-W browsing", "TPC-W shopping"),
                List.copyOf(comparisons.getFirst().benchmarks().keySet()));
    }

    @Test
    void aCurveNamesTheEngineInsideTheJvm() throws Exception {
        List<Run> runs = new ArrayList<>();
        for (String engine : List.of("h2", "hsqldb")) {
            runs.add(run("tpcc 80-20", engine, "clients", "1", "engine", engine));
            runs.add(run("tpcc 80-20", engine, "clients", "8", "engine", engine));
        }
        String page = HtmlReport.of(runs).page();
        assertTrue(page.contains("TPC-C 80-20, h2, by number of clients"));
        assertTrue(page.contains("TPC-C 80-20, hsqldb, by number of clients"));
        assertFalse(page.contains("Settings of PostgreSQL"), "there is none");
    }

    @Test
    void whereNothingShortWasAskedForItsLatencyIsNotZero() {
        String row = RunTables.systems(List.of(run("tpcw clone beside buying", "multimed", "clients", "4")))
                .lines()
                .filter(line -> line.startsWith("multimed"))
                .findFirst()
                .orElseThrow();
        assertTrue(row.matches("multimed +1 +1.0 +\\(1.0-1.0\\) +1.00 +- +8.0 +8.0 +8.0 +- .*"), row);
    }

    @Test
    void aPlaceTellsTheCommandThatMeasuresItAgain() throws Exception {
        String command = "./multimed bench tpcw --mix shopping --clients 64";
        List<Run> runs = List.of(
                run("tpcw shopping", "standalone", "clients", "64", Run.COMMAND, command),
                run("tpcw shopping", "multimed", "clients", "64", Run.COMMAND, command + " --against standalone"));
        assertEquals(1, Sweep.points(runs).size(), "runs of two commands under the same conditions are comparable");
        String page = HtmlReport.of(runs).page();
        assertTrue(page.contains("<code>" + command + "</code>"), page);
        assertTrue(page.contains("<code>" + command + " --against standalone</code>"), page);
    }
}
