package io.multimed.bench.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** A table of the papers' figures that were run, with the papers' own values. */
final class PaperTable {
    /** The machines of the papers. Numbers of another machine cannot be compared with theirs one by one. */
    static final String MACHINES =
            "The papers' machines: Multimed had 48 cores, 128 GB and PostgreSQL 8.3.7; MacroDB had 16 cores,"
                    + " 32 GB, H2 1.3.169 and HSQLDB 2.2.9. Ratios are medians of pairs; where several places were run, the least and"
                    + " the most of them stand there, and where the most was;"
                    + " in brackets, where there is more than one pair, the " + Statistics.BOUND + "."
                    + " Memory of the process holds what its collector has not cleared yet, live heap does not.";

    /** Parameters that must be the same on both sides. */
    private static final List<String> PLACE =
            List.of("clients", "processors", "ebs", "items", "warehouses", "shrink", "satellites", "cores", "seconds");

    private static final String PROCESSORS = "processors";

    private static final String NO_MYSQL = "Multimed has no MySQL or MariaDB yet";
    private static final String NOT_PARTIAL = "Satellites that hold a part of the tables (C2) do not exist yet";

    /** Figures of the papers that no benchmark here can show. */
    private static final List<Row> BEYOND = List.of(
            new Row(
                    "Multimed, figures 1d, e",
                    "cache misses, and waits for spin locks",
                    "both rise only with Best Sellers",
                    "neither is counted: context switches and what sessions wait for stand in their place"),
            new Row(
                    "Multimed, figure 1f",
                    "where threads of MySQL wait",
                    "less than half for latches of rows",
                    NO_MYSQL),
            new Row("Multimed, figures 3, 4, 5", "Satellites with a part of the tables", "at least C1", NOT_PARTIAL),
            new Row("Multimed, section 3.4", "memory of a replica for Best Sellers", "5.6 GB of 20", NOT_PARTIAL),
            new Row("Multimed, figure 5", "MySQL, browsing", "2 times", NO_MYSQL),
            new Row("Multimed, figure 6", "MySQL, shopping", "3 times with 2 GB, 1.5 with 20 GB", NO_MYSQL),
            new Row(
                    "MacroDB, figure 1",
                    "TPC-C's reads on several engines that do not know of each other",
                    "they scale, and one engine does not",
                    "engines that do not know of each other are not run"));

    private PaperTable() {}

    /** A figure: its subject, the paper's value, and the measured values with their places. */
    record Row(String figure, String shows, String stated, String measured) {}

    static List<Row> of(List<Run> runs) {
        List<Row> rows = new ArrayList<>();
        for (PaperFigure figure : PaperFigure.ALL) {
            List<Found> places = places(figure, runs);
            if (!places.isEmpty()) {
                rows.add(new Row(figure.figure(), figure.shows(), figure.stated(), told(figure, places)));
            }
        }
        return rows;
    }

    /** Returns the figures without runs. Without this list a reader would take the others for all figures of the papers. */
    static List<Row> missing(List<Run> runs) {
        List<Row> rows = new ArrayList<>();
        for (PaperFigure figure : PaperFigure.ALL) {
            if (places(figure, runs).isEmpty()) {
                rows.add(new Row(figure.figure(), figure.shows(), figure.stated(), "not run here"));
            }
        }
        rows.addAll(BEYOND);
        return rows;
    }

    /**
     * A measured value.
     *
     * @param place in words, which are not always enough to distinguish it from others
     * @param bound the lower one of 95 %; NaN of a single pair, and of a value that is no ratio
     */
    private record Found(String place, double value, double bound) {
        static Found of(String place, double[] ratios) {
            return new Found(place, Statistics.median(ratios), Statistics.bound(ratios));
        }

        String told(String form) {
            return TextTable.format(form, value)
                    + (Double.isNaN(bound) ? "" : TextTable.format(" [" + form + "]", bound));
        }
    }

    private static List<Found> places(PaperFigure figure, List<Run> runs) {
        List<Run> ours = runs.stream().filter(figure.ours()::has).toList();
        List<Run> against = runs.stream().filter(figure.against()::has).toList();
        return switch (figure.comparison()) {
            case SAME_PLACE -> samePlace(figure, ours, against);
            case ALONG_PROCESSORS -> alongProcessors(figure, ours);
            case BEST_PROCESSORS -> bestProcessors(figure, ours, against);
            case MILLIS -> {
                List<Found> places = new ArrayList<>();
                by(ours, PLACE)
                        .forEach((place, same) -> places.add(new Found(
                                said(same.getFirst()), TextTable.medianOf(same, figure.value()), Double.NaN)));
                yield places;
            }
        };
    }

    private static List<Found> samePlace(PaperFigure figure, List<Run> ours, List<Run> against) {
        List<Found> places = new ArrayList<>();
        List<String> alike = new ArrayList<>(PLACE);
        if (figure.ours().benchmark().equals(figure.against().benchmark())) {
            alike.add("mix");
        }
        Map<String, List<Run>> others = by(against, alike);
        by(ours, alike).forEach((place, same) -> {
            Found ratio = Found.of(
                    said(same.getFirst()),
                    Statistics.ratios(same, others.getOrDefault(place, List.of()), figure.value()));
            if (Double.isFinite(ratio.value())) {
                places.add(ratio);
            }
        });
        return places;
    }

    private static List<Found> alongProcessors(PaperFigure figure, List<Run> runs) {
        List<Found> places = new ArrayList<>();
        curves(runs).forEach((place, counts) -> {
            if (counts.size() > 1) {
                add(places, figure, counts.lastEntry(), counts.firstEntry());
            }
        });
        return places;
    }

    /**
     * Compares the runs on most processors with the other system's best number. There is no best one among fewer than two
     * numbers.
     */
    private static List<Found> bestProcessors(PaperFigure figure, List<Run> ours, List<Run> against) {
        List<Found> places = new ArrayList<>();
        Map<String, SortedMap<Integer, List<Run>>> others = curves(against);
        curves(ours).forEach((place, counts) -> {
            SortedMap<Integer, List<Run>> other = others.getOrDefault(place, new TreeMap<>());
            if (other.size() > 1) {
                Map.Entry<Integer, List<Run>> best = other.entrySet().stream()
                        .max(Comparator.comparingDouble(count -> TextTable.medianOf(count.getValue(), figure.value())))
                        .orElseThrow();
                add(places, figure, counts.lastEntry(), best);
            }
        });
        return places;
    }

    private static void add(
            List<Found> places,
            PaperFigure figure,
            Map.Entry<Integer, List<Run>> most,
            Map.Entry<Integer, List<Run>> against) {
        Found ratio = Found.of(
                most.getKey() + " processors against " + against.getKey() + ", "
                        + clients(most.getValue().getFirst()),
                Statistics.ratios(most.getValue(), against.getValue(), figure.value()));
        if (Double.isFinite(ratio.value())) {
            places.add(ratio);
        }
    }

    /** Returns runs by their number of processors, for each place. */
    private static Map<String, SortedMap<Integer, List<Run>>> curves(List<Run> runs) {
        List<String> others = PLACE.stream()
                .filter(name -> !name.equals(PROCESSORS) && !name.equals("cores"))
                .toList();
        Map<String, SortedMap<Integer, List<Run>>> curves = new LinkedHashMap<>();
        by(runs.stream().filter(Axis.PROCESSORS::may).toList(), others).forEach((place, curve) -> {
            TreeMap<Integer, List<Run>> counts = new TreeMap<>();
            curve.forEach(run -> counts.computeIfAbsent(
                            Integer.valueOf(run.parameters().getOrDefault(PROCESSORS, "0")), any -> new ArrayList<>())
                    .add(run));
            curves.put(place, counts);
        });
        return curves;
    }

    private static Map<String, List<Run>> by(List<Run> runs, List<String> parameters) {
        Map<String, List<Run>> places = new LinkedHashMap<>();
        for (Run run : runs) {
            StringBuilder place =
                    new StringBuilder(run.machine().toString()).append('\n').append(run.version());
            parameters.forEach(
                    name -> place.append('\n').append(run.parameters().get(name)));
            places.computeIfAbsent(place.toString(), any -> new ArrayList<>()).add(run);
        }
        return places;
    }

    private static String said(Run run) {
        String processors = run.parameters().get(PROCESSORS);
        return clients(run) + (processors == null ? "" : ", " + processors + " processors");
    }

    private static String clients(Run run) {
        String clients = run.parameters().getOrDefault("clients", "?");
        return clients + (clients.equals("1") ? " client" : " clients");
    }

    private static String told(PaperFigure figure, List<Found> places) {
        Found most =
                places.stream().max(Comparator.comparingDouble(Found::value)).orElseThrow();
        boolean millis = figure.comparison() == PaperFigure.Comparison.MILLIS;
        String form = millis ? "%.1f" : "%.2f";
        String least = TextTable.format(
                form, places.stream().mapToDouble(Found::value).min().orElseThrow());
        return (least.equals(TextTable.format(form, most.value())) ? "" : least + " to ")
                + most.told(form)
                + (millis ? " ms" : "") + " (" + most.place() + ")";
    }
}
