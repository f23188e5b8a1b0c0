package io.multimed.bench.projection;

import io.multimed.bench.BenchException;
import io.multimed.bench.chart.Labels;
import io.multimed.bench.chart.LineChart;
import io.multimed.bench.report.Colours;
import io.multimed.bench.report.Page;
import io.multimed.bench.report.ReportFiles;
import io.multimed.bench.report.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** All projections that a directory's runs allow. */
public final class Projections {
    /** Numbers of cores of larger machines. */
    public static final List<Integer> STANDARD_CORES = List.of(16, 32, 64, 128, 256);

    /** The page's name, without its ending. */
    public static final String PAGE = "projection";

    /** The projection as text for a shell, and as a page that needs no other file. */
    public record Told(String text, ReportFiles page) {}

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
        Page page = new Page("Multimed: projections, not measurements");
        page.paragraph(
                "Nothing on this page was measured but where it says so. What lies within an area fits what was measured on"
                        + " few cores; the line is in the middle of it.");
        for (CoreRuns group : groups) {
            Projection projection = new Projection(group, cores);
            List<Projection.Curve> byLaw = projection.byLaw();
            List<Projection.Curve> bySimulation = projection.bySimulation();
            String told = ProjectionText.of(projection, byLaw, bySimulation);
            text.append(text.isEmpty() ? "" : "\n").append(told);
            String what = group.some().benchmark() + ", " + group.clients() + " clients";
            page.heading(what);
            draw(page, "PROJECTION by the Universal Scalability Law, not measured: " + what, group.some(), byLaw);
            if (!bySimulation.isEmpty()) {
                draw(page, "PROJECTION by simulation, not measured: " + what, group.some(), bySimulation);
            }
            page.text(told);
        }
        return new Told(text.toString(), page.report(Map.of()));
    }

    private static void draw(Page page, String title, Run some, List<Projection.Curve> curves) {
        List<LineChart.Line> lines = new ArrayList<>();
        for (Projection.Curve curve : curves) {
            List<LineChart.Point> points = new ArrayList<>();
            curve.bands()
                    .forEach((cores, band) -> points.add(
                            new LineChart.Point(cores, (band.least() + band.most()) / 2, band.least(), band.most())));
            lines.add(new LineChart.Line(curve.name(), Colours.any(lines.size()), true, points));
        }
        String machine = "from runs on " + some.machine().processor() + ", "
                + some.machine().cores() + " cores";
        page.chart(
                title,
                LineChart.of(new Labels(title, machine, "cores (projected)", some.operations() + " a second"), lines));
    }
}
