package io.multimed.bench.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A table of the papers' figures that were run, with the papers' own values. */
final class PaperTable {
    /** The machines of the papers. Numbers of another machine cannot be compared with theirs one by one. */
    static final String MACHINES =
            "The papers' machines: Multimed had 48 cores, 128 GB, PostgreSQL 8.3.7 and MySQL 5.1; MacroDB had 16 cores,"
                    + " 32 GB, H2 1.3.169 and HSQLDB 2.2.9. Ratios are medians of pairs; where several places were run, the least and"
                    + " the most of them stand there, and where the most was;"
                    + " in brackets, where there is more than one pair, the " + Statistics.BOUND + "."
                    + " Memory of the process holds what its collector has not cleared yet, live heap does not.";

    private static final String PROCESSORS = "processors";
    /** Parameters that must be the same on both sides. */
    private static final List<String> PLACE = List.of(
            "clients", PROCESSORS, "ebs", "items", "warehouses", "shrink", "satellites", "cores", "seconds", "engine");

    private static final List<String> PLACE_WITHOUT_PROCESSORS = PLACE.stream()
            .filter(name -> !name.equals(PROCESSORS) && !name.equals("cores"))
            .toList();

    private PaperTable() {}

    /** A figure: its subject, the paper's value, and the measured values with their places. */
    record Row(String figure, String shows, String stated, String measured) {
        static Row of(PaperFigure figure, String measured) {
            return new Row(figure.figure(), figure.shows(), figure.stated(), measured);
        }

        List<String> cells() {
            return List.of(figure, shows, stated, measured);
        }
    }

    static List<Row> of(List<Run> runs) {
        List<Row> rows = new ArrayList<>();
        for (PaperFigure figure : PaperFigure.ALL) {
            List<Found> places = places(figure, runs);
            if (!places.isEmpty()) {
                rows.add(Row.of(figure, told(figure, places)));
            }
        }
        return rows;
    }

    /** Returns the figures without runs. Without this list a reader would take the others for all figures of the papers. */
    static List<Row> missing(List<Run> runs) {
        return PaperFigure.ALL.stream()
                .filter(figure -> places(figure, runs).isEmpty())
                .map(figure -> Row.of(figure, figure.possible() ? "not run here" : figure.comparison()))
                .toList();
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
    }

    private static List<Found> places(PaperFigure figure, List<Run> runs) {
        List<Run> ours = figure.ours(runs);
        List<Run> against = figure.against(runs);
        List<Found> places = new ArrayList<>();
        switch (figure.comparison()) {
            case PaperFigure.SAME_PLACE -> {
                List<String> alike = new ArrayList<>(PLACE);
                if (figure.sameBenchmark()) {
                    alike.add("mix");
                }
                Map<String, List<Run>> others = Runs.by(against, place(alike));
                Runs.by(ours, place(alike))
                        .forEach((place, same) -> places.add(Found.of(
                                said(same.getFirst()),
                                Statistics.ratios(same, others.getOrDefault(place, List.of()), figure.value()))));
            }
            case PaperFigure.ALONG_PROCESSORS ->
                curves(ours).forEach((place, counts) -> {
                    if (counts.size() > 1) {
                        places.add(most(figure, counts, counts.firstEntry()));
                    }
                });
            case PaperFigure.BEST_PROCESSORS -> {
                Map<String, SortedMap<Integer, List<Run>>> others = curves(against);
                curves(ours).forEach((place, counts) -> {
                    SortedMap<Integer, List<Run>> other = others.getOrDefault(place, new TreeMap<>());
                    // There is no best one among fewer than two numbers.
                    if (other.size() > 1) {
                        places.add(most(
                                figure,
                                counts,
                                other.entrySet().stream()
                                        .max(Comparator.comparingDouble(
                                                count -> Statistics.spread(count.getValue(), figure.value())
                                                        .median()))
                                        .orElseThrow()));
                    }
                });
            }
            case PaperFigure.MILLIS, PaperFigure.MILLIS_OF_ONE ->
                Runs.by(ours, place(PLACE))
                        .values()
                        .forEach(same -> places.add(new Found(
                                said(same.getFirst()),
                                Statistics.spread(same, figure.value()).median(),
                                Double.NaN)));
            default -> {}
        }
        places.removeIf(found -> !Double.isFinite(found.value()));
        return places;
    }

    /** Compares the runs on most processors. */
    private static Found most(
            PaperFigure figure, SortedMap<Integer, List<Run>> counts, Map.Entry<Integer, List<Run>> against) {
        Map.Entry<Integer, List<Run>> most = counts.lastEntry();
        return Found.of(
                most.getKey() + " processors against " + against.getKey() + ", "
                        + clients(most.getValue().getFirst()),
                Statistics.ratios(most.getValue(), against.getValue(), figure.value()));
    }

    /** Returns runs by their number of processors, for each place. */
    private static Map<String, SortedMap<Integer, List<Run>>> curves(List<Run> runs) {
        List<Run> bound = runs.stream().filter(Axis.PROCESSORS::may).toList();
        return Runs.by(bound, place(PLACE_WITHOUT_PROCESSORS)).entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        curve -> new TreeMap<>(Runs.by(
                                curve.getValue(),
                                run -> Integer.valueOf(run.parameters().getOrDefault(PROCESSORS, "0"))))));
    }

    private static Function<Run, String> place(List<String> parameters) {
        return run -> run.machine() + "\n" + run.version() + "\n"
                + parameters.stream()
                        .map(name -> run.parameters().getOrDefault(name, ""))
                        .collect(Collectors.joining("\n"));
    }

    private static String said(Run run) {
        String processors = run.parameters().getOrDefault(PROCESSORS, "");
        return clients(run) + (processors.isEmpty() ? "" : ", " + processors + " processors");
    }

    private static String clients(Run run) {
        String clients = run.parameters().getOrDefault("clients", "?");
        return clients + (clients.equals("1") ? " client" : " clients");
    }

    private static String told(PaperFigure figure, List<Found> places) {
        Found most =
                places.stream().max(Comparator.comparingDouble(Found::value)).orElseThrow();
        boolean millis = figure.comparison().startsWith(PaperFigure.MILLIS);
        String form = millis ? "%.1f" : "%.2f";
        String value = ReportTable.format(form, most.value());
        String least = ReportTable.format(
                form, places.stream().mapToDouble(Found::value).min().orElseThrow());
        return (least.equals(value) ? "" : least + " to ")
                + value
                + (Double.isNaN(most.bound()) ? "" : ReportTable.format(" [" + form + "]", most.bound()))
                + (millis ? " ms" : "") + " (" + most.place() + ")";
    }
}
