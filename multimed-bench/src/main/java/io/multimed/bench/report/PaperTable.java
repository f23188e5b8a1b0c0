package io.multimed.bench.report;

import java.util.ArrayList;
import java.util.Comparator;
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
                    + " the most of them stand there, and where the most was;"
                    + " in brackets the lower 95 % bound of that median, where there is more than one pair.";

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
            Map<String, Found> places = places(figure, runs);
            if (!places.isEmpty()) {
                rows.add(new Row(figure.figure(), figure.shows(), figure.stated(), told(figure, places)));
            }
        }
        return rows;
    }

    /**
     * What was measured somewhere.
     *
     * @param bound the lower one of 95 %; NaN of a single pair, and of what is no ratio
     */
    private record Found(double value, double bound) {
        static Found of(double[] ratios) {
            return new Found(Statistics.median(ratios), ratios.length > 1 ? Statistics.lowerBound(ratios) : Double.NaN);
        }

        String told(String form) {
            return TextTable.format(form, value)
                    + (Double.isNaN(bound) ? "" : TextTable.format(" [" + form + "]", bound));
        }
    }

    private static Map<String, Found> places(PaperFigure figure, List<Run> runs) {
        List<Run> ours = runs.stream().filter(figure.ours()::has).toList();
        List<Run> against = runs.stream().filter(figure.against()::has).toList();
        return switch (figure.comparison()) {
            case SAME_PLACE -> samePlace(figure, ours, against);
            case ALONG_PROCESSORS -> alongProcessors(figure, ours);
            case MILLIS -> {
                Map<String, Found> places = new LinkedHashMap<>();
                by(ours, PLACE)
                        .forEach((place, same) -> places.put(
                                said(same.getFirst()),
                                new Found(TextTable.medianOf(same, figure.value()), Double.NaN)));
                yield places;
            }
        };
    }

    private static Map<String, Found> samePlace(PaperFigure figure, List<Run> ours, List<Run> against) {
        Map<String, Found> places = new LinkedHashMap<>();
        List<String> alike = new ArrayList<>(PLACE);
        if (figure.ours().benchmark().equals(figure.against().benchmark())) {
            alike.add("mix");
        }
        Map<String, List<Run>> others = by(against, alike);
        by(ours, alike).forEach((place, same) -> {
            Found ratio = Found.of(Statistics.ratios(same, others.getOrDefault(place, List.of()), figure.value()));
            if (Double.isFinite(ratio.value())) {
                places.put(said(same.getFirst()), ratio);
            }
        });
        return places;
    }

    private static Map<String, Found> alongProcessors(PaperFigure figure, List<Run> runs) {
        Map<String, Found> places = new LinkedHashMap<>();
        List<String> others = PLACE.stream()
                .filter(name -> !name.equals(PROCESSORS) && !name.equals("cores"))
                .toList();
        by(runs.stream().filter(Axis.PROCESSORS::may).toList(), others).forEach((place, curve) -> {
            TreeMap<Integer, List<Run>> counts = new TreeMap<>();
            curve.forEach(run -> counts.computeIfAbsent(
                            Integer.valueOf(run.parameters().getOrDefault(PROCESSORS, "0")), any -> new ArrayList<>())
                    .add(run));
            if (counts.size() > 1) {
                Found ratio = Found.of(Statistics.ratios(
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
        String clients = run.parameters().getOrDefault("clients", "?");
        return clients
                + (clients.equals("1") ? " client" : " clients")
                + (processors == null ? "" : ", " + processors + " processors");
    }

    private static String told(PaperFigure figure, Map<String, Found> places) {
        Map.Entry<String, Found> most = places.entrySet().stream()
                .max(Comparator.comparingDouble(place -> place.getValue().value()))
                .orElseThrow();
        boolean millis = figure.comparison() == PaperFigure.Comparison.MILLIS;
        String form = millis ? "%.1f" : "%.2f";
        String least = TextTable.format(
                form, places.values().stream().mapToDouble(Found::value).min().orElseThrow());
        return (least.equals(TextTable.format(form, most.getValue().value())) ? "" : least + " to ")
                + most.getValue().told(form)
                + (millis ? " ms" : "") + " (" + most.getKey() + ")";
    }
}
