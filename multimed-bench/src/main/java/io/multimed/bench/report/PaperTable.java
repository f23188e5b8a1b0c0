package io.multimed.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The papers' figures that were run, with the papers' own values. */
final class PaperTable {
    /** Where the papers measured, which no other machine can be compared with number by number. */
    static final String MACHINES =
            "The papers' machines: Multimed had 48 cores, 128 GB and PostgreSQL 8.3.7; MacroDB had 16 cores,"
                    + " 32 GB, H2 1.3.169 and HSQLDB 2.2.9. Ratios are medians of pairs; where several places were run, the least and"
                    + " the most of them stand there, and where the most was.";

    /** What has to be the same on both sides. */
    private static final List<String> PLACE =
            List.of("clients", "processors", "ebs", "items", "warehouses", "shrink", "satellites", "cores", "seconds");

    private static final String PROCESSORS = "processors";

    private PaperTable() {}

    /** One figure here: what the paper says, what is measured, and where. */
    record Row(String figure, String shows, String stated, String measured) {}

    static List<Row> of(List<Run> runs) {
        List<Row> rows = new ArrayList<>();
        for (PaperFigure figure : PaperFigure.ALL) {
            Map<String, Double> places = places(figure, runs);
            if (!places.isEmpty()) {
                rows.add(new Row(figure.figure(), figure.shows(), figure.stated(), told(figure, places)));
            }
        }
        return rows;
    }

    private static Map<String, Double> places(PaperFigure figure, List<Run> runs) {
        List<Run> ours = runs.stream().filter(figure.ours()::has).toList();
        List<Run> against = runs.stream().filter(figure.against()::has).toList();
        return switch (figure.comparison()) {
            case SAME_PLACE -> samePlace(figure, ours, against);
            case ALONG_PROCESSORS -> alongProcessors(figure, ours);
            case MILLIS -> {
                Map<String, Double> places = new LinkedHashMap<>();
                by(ours, PLACE)
                        .forEach((place, same) ->
                                places.put(said(same.getFirst()), TextTable.medianOf(same, figure.value())));
                yield places;
            }
        };
    }

    private static Map<String, Double> samePlace(PaperFigure figure, List<Run> ours, List<Run> against) {
        Map<String, Double> places = new LinkedHashMap<>();
        List<String> alike = new ArrayList<>(PLACE);
        if (figure.ours().benchmark().equals(figure.against().benchmark())) {
            alike.add("mix");
        }
        Map<String, List<Run>> others = by(against, alike);
        by(ours, alike).forEach((place, same) -> {
            double ratio =
                    Statistics.median(Statistics.ratios(same, others.getOrDefault(place, List.of()), figure.value()));
            if (Double.isFinite(ratio)) {
                places.put(said(same.getFirst()), ratio);
            }
        });
        return places;
    }

    private static Map<String, Double> alongProcessors(PaperFigure figure, List<Run> runs) {
        Map<String, Double> places = new LinkedHashMap<>();
        List<String> others = PLACE.stream()
                .filter(name -> !name.equals(PROCESSORS) && !name.equals("cores"))
                .toList();
        by(runs, others).forEach((place, curve) -> {
            TreeMap<Integer, List<Run>> counts = new TreeMap<>();
            curve.forEach(run -> counts.computeIfAbsent(
                            Integer.valueOf(run.parameters().getOrDefault(PROCESSORS, "0")), any -> new ArrayList<>())
                    .add(run));
            if (counts.size() > 1) {
                double ratio = Statistics.median(Statistics.ratios(
                        counts.lastEntry().getValue(), counts.firstEntry().getValue(), figure.value()));
                places.put(
                        counts.lastKey() + " processors against " + counts.firstKey() + ", "
                                + curve.getFirst().parameters().get("clients") + " clients",
                        ratio);
            }
        });
        return places;
    }

    private static Map<String, List<Run>> by(List<Run> runs, List<String> parameters) {
        Map<String, List<Run>> places = new LinkedHashMap<>();
        for (Run run : runs) {
            StringBuilder place = new StringBuilder(run.machine().toString());
            parameters.forEach(
                    name -> place.append('\n').append(run.parameters().get(name)));
            places.computeIfAbsent(place.toString(), any -> new ArrayList<>()).add(run);
        }
        return places;
    }

    private static String said(Run run) {
        String processors = run.parameters().get(PROCESSORS);
        return run.parameters().get("clients") + " clients"
                + (processors == null ? "" : ", " + processors + " processors");
    }

    private static String told(PaperFigure figure, Map<String, Double> places) {
        Map.Entry<String, Double> most =
                places.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow();
        double least =
                places.values().stream().mapToDouble(Double::doubleValue).min().orElseThrow();
        boolean millis = figure.comparison() == PaperFigure.Comparison.MILLIS;
        String form = millis ? "%.1f" : "%.2f";
        return (places.size() == 1 ? "" : TextTable.format(form + " to ", least))
                + TextTable.format(form, most.getValue())
                + (millis ? " ms" : "") + " (" + most.getKey() + ")";
    }
}
