package io.multimed.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.multimed.bench.measure.ContextSwitches;
import io.multimed.bench.measure.Inside;
import io.multimed.bench.measure.Machine;
import io.multimed.bench.measure.MeasuredOperations;
import io.multimed.bench.measure.Used;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
    private static final Run.Check HOLDS = new Run.Check("rows are whole", "");

    private static final Used USED = new Used(
            Map.of("master", 1.5, "satellite-1", 0.25, "load generator", 1.0),
            Map.of("master", 40_000_000L, "satellite-1", 20_000_000L),
            Map.of("master", new ContextSwitches(300, 100), "satellite-1", new ContextSwitches(50, 0)));
    private static final Inside INSIDE = new Inside(
            "master",
            Map.of(
                    "master",
                    new Inside.Engine(4, Map.of("running", 1.5, "IPC:SyncRep", 2.25, "IO:WalSync", 0.001), 0, 0, 0),
                    "satellite-1",
                    new Inside.Engine(4, Map.of(), 3.5, 12, 100_000_000)),
            new Inside.Waits(10, 0.02, 5),
            250_000);

    /** @param perSecond operations of one second, the only one */
    private static Run run(String system, int number, int perSecond, Run.Check check) {
        MeasuredOperations recording =
                new MeasuredOperations(List.of(new MeasuredOperations.Kind("HOME", "Home", true, true, 100)), 0, 10);
        recording.openWindow(0);
        for (int i = 0; i < perSecond; i++) {
            recording.completed(0, 0, 5_000_000);
            recording.committed(5_000_000);
        }
        recording.closeWindow(1_000_000_000);
        return new Run(
                "tpcw browsing",
                system,
                "a <system>",
                number,
                "2026-01-31T00:00:00Z",
                "0",
                new Machine("a processor", 2, 1L << 30, "6", "25"),
                Map.of("clients", "1"),
                Map.of("master", Map.of("fsync", "on")),
                recording.measured(USED, INSIDE),
                List.of(new Figure("a wait", "ms", perSecond)),
                List.of(check),
                false,
                "");
    }

    private static List<Run> runs() {
        return List.of(
                run("standalone", 1, 100, HOLDS),
                run("multimed", 1, 200, HOLDS),
                run("multimed", 2, 450, HOLDS),
                run("standalone", 2, 150, HOLDS),
                run("multimed", 3, 9, new Run.Check("rows are whole", "item 3 is missing")),
                run("standalone", 3, 120, HOLDS));
    }

    @Test
    void ratiosAreThoseOfPairsAndVoidRunsDoNotCount() {
        String row = RunTables.systems(runs())
                .lines()
                .filter(line -> line.startsWith("multimed"))
                .findFirst()
                .orElseThrow();
        // 200/100 and 450/150; the third pair's run is void.
        assertTrue(row.matches("multimed +2 of 3 +325.0 +\\(200.0-450.0\\) +2.50 +\\(2.00\\).*"), row);
    }

    @Test
    void whatWentOnInsideIsToldForATransaction() {
        List<String> lines = RunTables.inside(List.of(run("multimed", 1, 100, HOLDS)))
                .lines()
                .map(line -> line.replaceAll(" +", " "))
                .toList();
        assertEquals("multimed master 1.50 40 4.0 (1.0) 2.50 2.25 IPC:SyncRep, 1.50 running", lines.get(1));
        assertEquals("multimed satellite-1 0.25 120 0.5 (0.0) 3.5 (12.0)", lines.get(2));
        assertTrue(lines.get(3).startsWith("multimed load generator"), lines.get(3));
        assertEquals(
                "multimed: of 1000 transactions 100.0 waited for a fresh Satellite, 2.00 ms on the average; 50.0 until the"
                        + " Master showed what a Satellite had shown",
                lines.getLast());
    }

    @Test
    void aResultOfBeforeSwitchesWereCountedIsRead(@TempDir Path directory) throws Exception {
        RunFiles.write(directory, "20260131", runs().get(1));
        Path file = RunFiles.write(directory, "20260131", runs().getFirst());
        ObjectNode tree = (ObjectNode) new ObjectMapper().readTree(file.toFile());
        ((ObjectNode) tree.required("measured")).remove(List.of("contextSwitches", "inside"));
        new ObjectMapper().writeValue(file.toFile(), tree);
        List<Run> old = RunFiles.read(directory);
        assertTrue(old.stream().anyMatch(run -> run.measured().inside().equals(Inside.NOTHING)));
        assertTrue(RunTables.inside(old).contains("standalone master"), "what there is is told");
        assertTrue(HtmlReport.of(old).page().contains("standalone master"), "and on the page");
    }

    @Test
    void aRunReadFromItsFileIsTheOneThatWasWritten(@TempDir Path directory) throws Exception {
        Run written = runs().get(4);
        RunFiles.write(directory, "20260131", written);
        assertEquals(List.of(written), RunFiles.read(directory));
        assertFalse(written.valid());
    }

    @Test
    void aRunStandsBesideOneOfTheSameName(@TempDir Path directory) throws Exception {
        Path first = RunFiles.write(directory, "20260131", runs().getFirst());
        Path second = RunFiles.write(directory, "20260131", run("standalone", 1, 50, HOLDS));
        assertFalse(first.equals(second), second.toString());
        assertEquals(2, RunFiles.read(directory).size());
    }

    @Test
    void runsThatDifferInTheNumberOfClientsFormACurve() throws Exception {
        List<Run> runs = new java.util.ArrayList<>();
        for (int clients : new int[] {8, 1}) {
            runs.add(with(clients, run("standalone", 1, 100, HOLDS)));
            runs.add(with(clients, run("multimed", 1, 100 + 10 * clients, HOLDS)));
        }
        assertEquals(2, Sweep.points(runs).size());
        List<List<Run>> sweeps = Sweep.groups(runs);
        assertEquals(1, sweeps.size());
        // A single pair has no bound.
        String[] rows = Sweep.text(sweeps.getFirst()).split("\n");
        assertTrue(rows[2].matches("1 +100.0 +1.00 +- +5.0 +110.0 +1.10 +- +5.0"), rows[2]);
        assertTrue(rows[3].matches("8 +100.0 +1.00 +- +5.0 +180.0 +1.80 +- +5.0"), rows[3]);
        assertTrue(HtmlReport.of(runs).page().contains("by number of clients"));
        assertEquals(List.of(), Sweep.groups(runs.subList(0, 2)), "one number is no curve");
    }

    private static Run with(int clients, Run run) {
        return new Run(
                run.benchmark(),
                run.system(),
                run.description(),
                run.number(),
                run.started(),
                run.version(),
                run.machine(),
                Map.of("clients", Integer.toString(clients)),
                run.settings(),
                run.measured(),
                run.figures(),
                run.checks(),
                run.interrupted(),
                run.failure());
    }

    @Test
    void whatAnExperimentFoundOutStandsBesideThatOfOthers() throws Exception {
        String[] rows = RunTables.figures(runs()).split("\n");
        // Medians of the valid runs.
        assertTrue(rows[1].matches("a wait +ms +120.000 +325.000 \\(x 2.50\\)"), rows[1]);
        assertTrue(HtmlReport.of(runs()).page().contains("aria-label=\"TPC-W browsing, 1 client\""));
    }

    @Test
    void aPageHoldsItsPicturesAndSaysWhatIsVoid() throws Exception {
        String page = HtmlReport.of(runs()).page();
        assertTrue(page.contains("aria-label=\"Throughput, 1 client\""), page);
        assertTrue(page.contains("Void: multimed, run 3: rows are whole: item 3 is missing"));
        assertTrue(page.contains("a &lt;system&gt;"));
        assertFalse(page.contains("http"), "it needs nothing else");
    }

    @Test
    void mediansStandInAFileBesideThePage(@TempDir Path directory) throws Exception {
        Path page = HtmlReport.of(runs()).write(directory);
        assertEquals(directory.resolve("report.html"), page);
        assertEquals(HtmlReport.of(runs()).page(), Files.readString(page));
        assertEquals("""
                machine,benchmark,place,system,runs,median,least,most,unit,times,bound
                "a processor, 2 cores",tpcw browsing,1 client,standalone,3,120,100,150,interactions/s,2.50,2.00
                "a processor, 2 cores",tpcw browsing,1 client,multimed,2 of 3,325,200,450,interactions/s,,
                """, Files.readString(directory.resolve("medians.csv")));
    }

    @Test
    void multimedStandsBesideEachOtherSystemWithWhatIsVoidNamed() {
        List<Run> runs = new java.util.ArrayList<>(runs());
        runs.add(run("pgbouncer", 1, 100, HOLDS));
        runs.add(run("standalone-tuned", 1, 100, new Run.Check("rows are whole", "no")));
        assertEquals(
                """
                a processor, 2 cores|tpcw browsing|1 client|standalone|3|120|100|150|interactions/s|2.50|2.00
                a processor, 2 cores|tpcw browsing|1 client|pgbouncer|1|100|100|100|interactions/s|2.00|
                a processor, 2 cores|tpcw browsing|1 client|standalone-tuned|0 of 1|-|-|-|interactions/s||
                a processor, 2 cores|tpcw browsing|1 client|multimed|2 of 3|325|200|450|interactions/s||""",
                new Headline(runs, new Places(runs))
                        .medians().rows().stream()
                                .skip(1)
                                .map(row -> String.join("|", row))
                                .collect(Collectors.joining("\n")));
    }

    @Test
    void aFieldWithACommaIsQuoted() {
        assertEquals("a,\"b, \"\"c\"\"\"\n", new ReportTable(List.of(List.of("a", "b, \"c\""))).csv());
    }

    @Test
    void theMiddleOfAnEvenNumberIsBetweenTheTwo() {
        assertEquals(2.5, Statistics.median(4, 1, 2, 3));
        assertEquals(2, Statistics.median(9, 1, 2));
        assertEquals(1, Statistics.lowerBound(1));
    }
}
