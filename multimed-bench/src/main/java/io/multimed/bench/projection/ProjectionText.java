package io.multimed.bench.projection;

import io.multimed.bench.measure.Measured;
import io.multimed.bench.report.Run;
import io.multimed.bench.report.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Collectors;

/** The text of a projection for people. */
final class ProjectionText {
    private static final String MARK = "PROJECTION, not measured: ";

    private ProjectionText() {}

    static String of(Projection projection, List<Projection.Curve> byLaw, List<Projection.Curve> bySimulation) {
        Run some = projection.runs().some();
        String what = some.benchmark() + ", " + some.operations() + "/s by number of cores";
        StringBuilder text = new StringBuilder();
        text.append(measured(projection)).append('\n');
        text.append(validations(projection.validations())).append('\n');
        text.append(MARK).append(what).append(", by the Universal Scalability Law\n");
        projection.runs().systems().keySet().forEach(system -> text.append(fit(system, projection)));
        text.append(table(byLaw)).append('\n');
        if (bySimulation.isEmpty()) {
            return text
                    + "no simulation: the runs are of before engines were looked into; measure again with bench cores\n";
        }
        text.append(MARK).append(what).append(", simulated, 4 clients a core on a machine of their own\n");
        text.append(table(bySimulation));
        for (Projection.Curve curve : bySimulation) {
            curve.remarks()
                    .forEach((cores, remark) ->
                            text.append(String.format(Locale.ROOT, "%s, %d cores: %s\n", curve.name(), cores, remark)));
        }
        return text + assumptions(projection);
    }

    private static String measured(Projection projection) {
        CoreRuns runs = projection.runs();
        StringBuilder text = new StringBuilder("measured: " + runs.some().benchmark() + ", " + runs.clients()
                + " clients, on " + runs.some().machine().processor() + ", " + runs.machine() + " cores\n");
        runs.systems().forEach((system, counts) -> {
            text.append("  ").append(system).append(": ");
            text.append(counts.entrySet().stream()
                    .map(count -> String.format(
                            Locale.ROOT,
                            "%.1f/s on %d (%d %s)",
                            CoreRuns.median(count.getValue()),
                            count.getKey(),
                            count.getValue().size(),
                            count.getValue().size() == 1 ? "run" : "runs"))
                    .collect(Collectors.joining(", ")));
            text.append(generator(runs, counts)).append('\n');
        });
        return text.toString();
    }

    /** Returns a remark on clients that share the cores: a law fitted there counts the clients' use as contention. */
    private static String generator(CoreRuns runs, SortedMap<Integer, List<Measured>> counts) {
        if (counts.lastKey() < runs.machine()) {
            return "";
        }
        double cores = counts.lastEntry().getValue().stream()
                .mapToDouble(run -> run.cpuSeconds().getOrDefault(Measured.LOAD_GENERATOR, 0.0) / run.seconds())
                .average()
                .orElse(0);
        return String.format(
                Locale.ROOT,
                "; on all %d the clients took %.2f of them, which the law takes for contention",
                counts.lastKey(),
                cores);
    }

    private static String validations(List<Projection.Validation> validations) {
        List<String[]> rows = new ArrayList<>();
        rows.add(new String[] {"predicted against measured", "cores", "predicted", "measured", "error"});
        validations.forEach(one -> rows.add(new String[] {
            one.system() + ", " + one.by(),
            Integer.toString(one.cores()),
            String.format(Locale.ROOT, "%.1f", one.predicted()),
            String.format(Locale.ROOT, "%.1f", one.measured()),
            String.format(Locale.ROOT, "%+.1f %%", 100 * one.error())
        }));
        return TextTable.aligned(rows)
                + "simulation: from what was measured on the fewest cores, without contention; law without it: fitted to the\n"
                + "other numbers of cores. A law through two points meets both and is no prediction of either.\n";
    }

    private static String fit(String system, Projection projection) {
        UslFit fit = projection.fit(system);
        if (fit.determined()) {
            Usl usl = fit.fits().getFirst();
            return String.format(
                    Locale.ROOT,
                    "  %s: %.1f/s on one core, contention %.4f, coherence %.6f\n",
                    system,
                    usl.one(),
                    usl.contention(),
                    usl.coherence());
        }
        Usl contention = fit.fits().getFirst();
        Usl coherence = fit.fits().getLast();
        return String.format(Locale.ROOT, """
                  %s: two numbers of cores do not determine the law: anything fits from contention %.4f and coherence 0
                    to contention 0 and coherence %.6f; the range below spans both, and says little beyond that
                """, system, contention.contention(), coherence.coherence());
    }

    private static String table(List<Projection.Curve> curves) {
        List<String[]> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("projected on"));
        curves.forEach(curve -> head.add(curve.name()));
        rows.add(head.toArray(String[]::new));
        for (Map.Entry<Integer, Band> first : curves.getFirst().bands().entrySet()) {
            List<String> row = new ArrayList<>(List.of(first.getKey() + " cores"));
            curves.forEach(curve -> row.add(String.valueOf(curve.bands().get(first.getKey()))));
            rows.add(row.toArray(String[]::new));
        }
        return TextTable.aligned(rows);
    }

    private static String assumptions(Projection projection) {
        boolean single = projection.runs().systems().values().stream()
                .flatMap(counts -> counts.values().stream())
                .anyMatch(runs -> runs.size() == 1);
        return projection
                        .alone()
                        .map(alone -> "An engine loses on its cores what the law says of " + alone + " on so many;\n")
                        .orElse("What engines lose by contention is not known, none having been run alone;\n")
                + "the middleware loses nothing. Service times are exponential, the waits for log and freshness stay what they\n"
                + "were, disk and memory are no limit. Ranges: from one end to the other of what fits, and nine tenths of what\n"
                + "comes out when runs are drawn anew.\n"
                + (single
                        ? "There is but one run at a number of cores: how much runs differ is not known there.\n"
                        : "");
    }
}
