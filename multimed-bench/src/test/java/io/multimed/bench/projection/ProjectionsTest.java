package io.multimed.bench.projection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.bench.BenchException;
import io.multimed.bench.measure.Inside;
import io.multimed.bench.measure.Latency;
import io.multimed.bench.measure.Machine;
import io.multimed.bench.measure.Measured;
import io.multimed.bench.measure.Operation;
import io.multimed.bench.report.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProjectionsTest {
    private static final int CLIENTS = 20;
    private static final double SECONDS = 10;
    private static final Inside.Engine IDLE = new Inside.Engine(40, Map.of(), 0, 0, 0);
    /** Nine short reads, three times as long a read, and an update in twenty operations; in one engine 10 ms on the average. */
    private static final List<String> KINDS = List.of("short", "long", "update");

    private static final double[] SHARES = {0.9, 0.05, 0.05};
    private static final double[] MILLIS = {8, 24, 32};

    /** Returns a run on cores that are all used, none of them by clients. */
    private static Run run(
            String system, int number, int cores, double perSecond, Map<String, Double> cpu, Inside inside) {
        List<Operation> operations = new ArrayList<>();
        for (int i = 0; i < KINDS.size(); i++) {
            long count = Math.round(perSecond * SECONDS * SHARES[i]);
            double millis = MILLIS[i] * CLIENTS / cores;
            operations.add(new Operation(
                    KINDS.get(i),
                    "",
                    i < 2,
                    count,
                    100 * SHARES[i],
                    100 * SHARES[i],
                    new Latency(millis, millis, millis, millis, millis, millis),
                    0,
                    0));
        }
        Latency none = new Latency(0, 0, 0, 0, 0, 0);
        Measured measured = new Measured(
                SECONDS,
                Math.round(perSecond * SECONDS),
                perSecond,
                perSecond,
                95,
                none,
                none,
                operations,
                0,
                0,
                Map.of(),
                0,
                List.of(),
                cpu,
                Map.of(),
                Map.of(),
                inside);
        return new Run(
                "tpcw browsing",
                system,
                "",
                number,
                "2026-01-31T00:00:0" + number + "Z",
                "0",
                new Machine("a processor", 4, 1L << 30, "6", "25"),
                Map.of("clients", Integer.toString(CLIENTS), "processors", Integer.toString(cores)),
                Map.of(),
                measured,
                List.of(),
                List.of(new Run.Check("rows are whole", "")),
                false,
                "");
    }

    private static Run standalone(int number, int cores, double perSecond) {
        return run(
                "standalone",
                number,
                cores,
                perSecond,
                Map.of("postgresql", cores * SECONDS),
                new Inside("postgresql", Map.of("postgresql", IDLE), Inside.Waits.NONE, 0));
    }

    /** Returns a run in which the middleware takes half of the time, and the Master the updates' share of the rest. */
    private static Run multimed(int number, int cores, double perSecond) {
        double master = cores * SECONDS * 0.5 * 0.16;
        return run(
                "multimed",
                number,
                cores,
                perSecond,
                Map.of(
                        "middleware",
                        cores * SECONDS * 0.5,
                        "master",
                        master,
                        "satellite-1",
                        cores * SECONDS * 0.5 - master,
                        "satellite-1 replay",
                        0.0),
                new Inside("master", Map.of("master", IDLE, "satellite-1", IDLE), Inside.Waits.NONE, 0));
    }

    private static List<Run> linear() {
        List<Run> runs = new ArrayList<>();
        for (int cores : new int[] {1, 2}) {
            for (int number = 1; number <= 3; number++) {
                runs.add(standalone(number, cores, 100.0 * cores));
                runs.add(multimed(number, cores, 50.0 * cores));
            }
        }
        return runs;
    }

    private static Projection projection(List<Run> runs, Integer... cores) {
        return new Projection(CoreRuns.among(runs).getFirst(), List.of(cores));
    }

    @Test
    void demandsAddUpToTheProcessorTimeAndGoByLatency() {
        Demands alone = Demands.of(List.of(standalone(1, 1, 100).measured()));
        assertEquals(0.01, alone.engine(true) + alone.engine(false), 1e-9);
        Demands.OfKind few = alone.kinds().getFirst();
        assertEquals(3, alone.kinds().get(1).engine() / few.engine(), 1e-9);
        Demands several = Demands.of(List.of(multimed(1, 2, 100).measured()));
        assertEquals(0.01, several.middleware(), 1e-9);
        assertEquals(0.01 * 0.16, several.engine(false), 1e-9);
        assertEquals(0.01 * 0.84, several.engine(true), 1e-9);
        assertEquals(1, several.satellites());
    }

    @Test
    void whatWaitsForTheLogIsHeldUpAsLongAsLittlesLawSays() {
        Run run = run(
                "standalone",
                1,
                1,
                100,
                Map.of("postgresql", SECONDS),
                new Inside(
                        "postgresql",
                        Map.of("postgresql", new Inside.Engine(40, Map.of("running", 1.0, "IO:WalSync", 0.5), 0, 0, 0)),
                        Inside.Waits.NONE,
                        0));
        Demands demands = Demands.of(List.of(run.measured()));
        // Half a session waits, and five updates end in a second.
        assertEquals(0.1, demands.kinds().getLast().waiting(), 1e-9);
        assertEquals(0, demands.kinds().getFirst().waiting());
    }

    @Test
    void whatIsMeasuredIsPredicted() {
        List<Projection.Validation> validations = projection(linear(), 16).validations();
        assertEquals(4, validations.size(), validations.toString());
        for (Projection.Validation one : validations) {
            assertEquals(0, one.error(), 0.02, one.toString());
        }
    }

    @Test
    void whatLosesNothingByContentionGrowsWithItsCores() {
        Projection projection = projection(linear(), 16, 64);
        for (Projection.Curve curve : projection.byLaw()) {
            double each = curve.name().equals("standalone") ? 100 : 50;
            assertEquals(
                    new Band(16 * each, 16 * each).toString(),
                    String.valueOf(curve.bands().get(16)));
        }
        List<Projection.Curve> simulated = projection.bySimulation();
        assertEquals(3, simulated.size());
        assertEquals(1, middle(simulated.getFirst(), 64) / 6_400, 0.03, "one engine");
        // Half of the cores are the middleware's, of which a plan gives it few.
        assertTrue(middle(simulated.get(1), 64) < middle(simulated.get(2), 64), simulated.toString());
        assertTrue(middle(simulated.get(2), 64) > 0.7 * 3_200, simulated.toString());
        assertTrue(
                String.valueOf(simulated.get(1).remarks().get(64)).contains("busiest: middleware"),
                simulated.toString());
    }

    @Test
    void whatEnginesLoseOnTheCoresThatTheyWereMeasuredOnIsNotLostTwice() {
        Usl law = new Usl(100, 0.1, 0);
        List<Run> runs = new ArrayList<>();
        for (int cores : new int[] {2, 4, 8}) {
            runs.add(standalone(1, cores, law.throughput(cores)));
        }
        Projection.Curve simulated = projection(runs, 16).bySimulation().getFirst();
        assertEquals(1, middle(simulated, 16) / law.throughput(16), 0.04, simulated.toString());
    }

    @Test
    void whatMayUseButOneCoreIsNotSimulated() {
        List<Run> runs = new ArrayList<>(linear());
        for (int cores : new int[] {1, 2}) {
            runs.add(run(
                    "pgbouncer",
                    1,
                    cores,
                    100.0 * cores,
                    Map.of("postgresql", cores * SECONDS * 0.8, "pgbouncer", cores * SECONDS * 0.2),
                    new Inside("postgresql", Map.of("postgresql", IDLE), Inside.Waits.NONE, 0)));
        }
        Projection projection = projection(runs, 16);
        assertEquals(List.of("standalone", "multimed"), projection.simulated());
        assertEquals(3, projection.byLaw().size(), "the law knows nothing of parts");
    }

    private static double middle(Projection.Curve curve, int cores) {
        Band band = curve.bands().getOrDefault(cores, new Band(0, 0));
        return (band.least() + band.most()) / 2;
    }

    @Test
    void twoNumbersOfCoresAreToldToDetermineLittleAndAllIsMarked() throws Exception {
        List<Run> runs = new ArrayList<>(List.of(standalone(1, 1, 100), standalone(1, 2, 150)));
        Projections.Told told = Projections.of(runs, List.of(16));
        assertTrue(told.text().contains("two numbers of cores do not determine the law"), told.text());
        assertTrue(told.text().contains("There is but one run"), told.text());
        // 1 / (1 + contention) = 0.75: a third, or a sixth of coherence.
        assertTrue(told.text().matches("(?s).*contention 0.3333 and coherence 0\n.*coherence 0.166667.*"), told.text());
        assertTrue(told.text().matches("(?s).*\n16 cores +39-267\n.*"), told.text());
        assertEquals(
                2,
                told.text()
                        .lines()
                        .filter(line -> line.startsWith("PROJECTION, not measured: "))
                        .count());
        assertTrue(
                told.page()
                        .page()
                        .contains("aria-label=\"PROJECTION by simulation, not measured: tpcw browsing, 20 clients\""),
                "no chart");
        assertFalse(told.page().page().contains("http"), "it needs nothing else");
        Projections.Told again = Projections.of(runs, List.of(16));
        assertEquals(told.text(), again.text(), "the same runs give the same");
        assertEquals(told.page().page(), again.page().page(), "the same runs give the same");
    }

    @Test
    void whatCannotBeProjectedIsRefused() {
        assertThrows(BenchException.class, () -> Projections.of(List.of(standalone(1, 1, 100)), List.of(16)));
        assertThrows(IllegalArgumentException.class, () -> Projections.of(linear(), List.of(4)));
    }
}
