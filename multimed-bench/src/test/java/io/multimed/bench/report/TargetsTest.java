package io.multimed.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.bench.measure.Inside;
import io.multimed.bench.measure.Machine;
import io.multimed.bench.measure.Recording;
import io.multimed.bench.measure.Used;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TargetsTest {
    private static final String ALL = "all, shared by engines, middleware and load generator";

    /** @param millis of each operation, of which there are so many in a second */
    private static Run run(
            String benchmark, String system, int number, Map<String, String> place, int perSecond, int millis) {
        Recording recording = new Recording(List.of(new Recording.Kind("A", "A", true, true, 100)), 0, 10);
        recording.openWindow(0);
        for (int i = 0; i < perSecond; i++) {
            recording.completed(0, 0, millis * 1_000_000L);
        }
        recording.closeWindow(1_000_000_000);
        Map<String, String> parameters = new HashMap<>(Map.of("processors", "2", "cores", ALL, "ebs", "100"));
        parameters.putAll(place);
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
                        new Used(Map.of(system, perSecond / 1e3, "load generator", 0.01), Map.of(), Map.of()),
                        Inside.NOTHING),
                List.of(),
                List.of(new Run.Check("rows are whole", "")),
                false,
                "");
    }

    private static List<Run> browsing(int... multimed) {
        List<Run> runs = new ArrayList<>();
        for (int number = 1; number <= multimed.length; number++) {
            runs.add(run("tpcw browsing", "standalone", number, Map.of("clients", "64"), 100, 8));
            runs.add(run("tpcw browsing", "multimed", number, Map.of("clients", "64"), multimed[number - 1], 8));
        }
        return runs;
    }

    private static Targets.Row first(List<Run> runs) {
        return Targets.of(runs).getFirst();
    }

    @Test
    void aTargetIsMetByFivePairsWhoseBoundIsNotFarBelowIt() {
        Targets.Row met = first(browsing(310, 320, 296, 330, 305));
        assertEquals("tpcw browsing, 64 clients, 100 EBs", met.load());
        assertEquals("standalone", met.against());
        assertEquals("3.00", met.target());
        assertTrue(met.measured().matches("3\\.10 \\(\\d\\.\\d\\d\\), 5 pairs"), met.measured());
        assertEquals("met", met.verdict());
        assertEquals("not sure", first(browsing(310, 320, 200, 210, 330)).verdict());
        assertEquals("0.50 short", first(browsing(250, 320, 200, 330, 240)).verdict());
    }

    @Test
    void whereATargetIsMissedTheTimeOfBothIsTold() {
        assertEquals(
                "multimed: multimed 1000, load generator 40 (0.26 cores);"
                        + " standalone: standalone 1000, load generator 100 (0.11 cores)",
                first(browsing(250, 250, 250, 250, 250)).time());
        assertEquals("", first(browsing(310, 320, 296, 330, 305)).time());
    }

    @Test
    void ofFewerPairsNothingCounts() {
        assertEquals("too few pairs", first(browsing(900)).verdict());
        assertEquals("9.00, 1 pair", first(browsing(900)).measured());
        assertEquals(
                "too few pairs, 1.00 short", first(browsing(200, 210, 190, 200)).verdict());
    }

    @Test
    void lessIsBetterOfLatencies() {
        Map<String, String> place = Map.of("clients", "16", "heavy clients", "4");
        List<Run> runs = List.of(
                run("tpcw load interaction", "standalone", 1, place, 10, 400),
                run("tpcw load interaction", "multimed", 1, place, 10, 100));
        Targets.Row row = Targets.of(runs).stream()
                .filter(one -> one.load().endsWith("4 heavy clients"))
                .findFirst()
                .orElseThrow();
        assertEquals("3.00", row.target());
        assertTrue(row.measured().matches("(3\\.9\\d|4\\.0\\d), 1 pair"), row.measured());
    }

    @Test
    void manyClientsAreComparedWithMultimedsOwnBest() {
        List<Run> runs = List.of(
                run("tpcw browsing", "multimed", 1, Map.of("clients", "1"), 100, 8),
                run("tpcw browsing", "multimed", 1, Map.of("clients", "16"), 400, 8),
                run("tpcw browsing", "multimed", 1, Map.of("clients", "1000"), 300, 8));
        Targets.Row row = Targets.of(runs).getLast();
        assertEquals("Multimed's own best", row.against());
        assertEquals("0.75, 1 pair", row.measured());
    }

    @Test
    void whatWasRunElsewhereIsNoTargetOfTheseProcessors() throws Exception {
        List<Run> elsewhere = browsing(310).stream()
                .map(run -> run(
                        run.benchmark(),
                        run.system(),
                        1,
                        Map.of("clients", "64", "cores", "0-1 for engines and middleware"),
                        100,
                        8))
                .toList();
        assertEquals(List.of(), Targets.of(elsewhere));
        assertTrue(HtmlReport.of(browsing(310)).tables().containsKey("targets.csv"));
        assertFalse(HtmlReport.of(elsewhere).tables().containsKey("targets.csv"));
    }
}
