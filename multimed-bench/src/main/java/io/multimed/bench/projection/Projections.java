package io.multimed.bench.projection;

import io.multimed.bench.BenchException;
import io.multimed.bench.report.CurvePage;
import io.multimed.bench.report.Report;
import io.multimed.bench.report.Run;
import java.util.ArrayList;
import java.util.List;

/** All projections that a directory's runs allow. */
public final class Projections {
    /** Numbers of cores of larger machines. */
    public static final List<Integer> STANDARD_CORES = List.of(16, 32, 64, 128, 256);

    /** The page's name, without its ending. */
    public static final String PAGE = "projection";

    /** The projection as text for a shell, and as a page that needs no other file. */
    public record Told(String text, Report page) {}

    private Projections() {}

    /** Whether any of the runs differ in their number of cores alone. */
    public static boolean possible(List<Run> runs) {
        return !CoreRuns.among(runs).isEmpty();
    }

    /**
     * Makes the projections.
     *
     * @throws IllegalArgumentException for a number of cores that cannot be projected to; one sentence
     * @throws BenchException if no runs differ in their number of cores alone
     */
    public static Told of(List<Run> runs, List<Integer> cores) throws BenchException {
        for (int number : cores) {
            if (number < Projection.FEWEST_CORES || number > Projection.MOST_CORES) {
                throw new IllegalArgumentException("must be from " + Projection.FEWEST_CORES + " to "
                        + Projection.MOST_CORES + ", not " + number + ": what is fewer is better measured");
            }
        }
        List<CoreRuns> groups = CoreRuns.among(runs);
        if (groups.isEmpty()) {
            throw new BenchException(
                    "there are no valid runs there that differ in their number of cores alone, of which two"
                            + " at least are needed; measure them with: multimed bench cores");
        }
        StringBuilder text = new StringBuilder();
        CurvePage page = new CurvePage("Multimed: projections, not measurements");
        page.paragraph(
                "Nothing on this page was measured but where it says so. Curves come in pairs, least and most: what lies"
                        + " between them fits what was measured on few cores.");
        for (CoreRuns group : groups) {
            Projection projection = new Projection(group, cores);
            List<Projection.Curve> byLaw = projection.byLaw();
            List<Projection.Curve> bySimulation = projection.bySimulation();
            String told = ProjectionText.of(projection, byLaw, bySimulation);
            text.append(text.isEmpty() ? "" : "\n").append(told);
            String unit = group.some().operations() + "/s";
            String what = group.some().benchmark() + ", " + group.clients() + " clients";
            page.heading(what);
            page.chart(
                    "PROJECTION by the Universal Scalability Law, not measured: " + what,
                    "cores (projected)",
                    unit,
                    ranges(byLaw));
            if (!bySimulation.isEmpty()) {
                page.chart(
                        "PROJECTION by simulation, not measured: " + what,
                        "cores (projected)",
                        unit,
                        ranges(bySimulation));
            }
            page.text(told);
        }
        return new Told(text.toString(), page.report());
    }

    private static List<CurvePage.Range> ranges(List<Projection.Curve> curves) {
        List<CurvePage.Range> ranges = new ArrayList<>();
        for (Projection.Curve curve : curves) {
            ranges.add(new CurvePage.Range(
                    curve.name(),
                    List.copyOf(curve.bands().keySet()),
                    curve.bands().values().stream().map(Band::least).toList(),
                    curve.bands().values().stream().map(Band::most).toList()));
        }
        return ranges;
    }
}
