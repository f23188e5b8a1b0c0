package io.multimed.bench.report;

import io.multimed.bench.measure.Measured;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/**
 * A figure of one of the papers, and the runs that correspond to it: a line of {@code papers.tsv}.
 *
 * @param shows its subject
 * @param stated the paper's value in its own text; most of its curves carry no number
 * @param comparison the kind of comparison; of a figure that no benchmark here can show, the reason
 * @param runs the value of a run (see {@link #value}), then benchmark and system of the subject, and of the runs that it is compared with, pair
 *     by pair; the same ones for a comparison along an axis; empty if no benchmark can show it
 */
record PaperFigure(String figure, String shows, String stated, String comparison, List<String> runs) {
    /** The ratio at the same place, one for each place that was run. */
    static final String SAME_PLACE = "SAME_PLACE";
    /** The ratio of the most processors to the fewest. */
    static final String ALONG_PROCESSORS = "ALONG_PROCESSORS";
    /** The ratio of the most processors to the number that suits the other side best. */
    static final String BEST_PROCESSORS = "BEST_PROCESSORS";
    /** Milliseconds instead of a ratio. */
    static final String MILLIS = "MILLIS";

    /** Milliseconds of runs with one client. */
    static final String MILLIS_OF_ONE = "MILLIS_OF_ONE";

    static final List<PaperFigure> ALL = read();

    private static List<PaperFigure> read() {
        try (InputStream in = Objects.requireNonNull(PaperFigure.class.getResourceAsStream("papers.tsv"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> List.of(line.split("\t")))
                    .map(cells -> new PaperFigure(
                            cells.get(0), cells.get(1), cells.get(2), cells.get(3), cells.subList(4, cells.size())))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether benchmarks here can show it. */
    boolean possible() {
        return !runs.isEmpty();
    }

    List<Run> ours(List<Run> all) {
        return side(all, 1);
    }

    List<Run> against(List<Run> all) {
        return side(all, 3);
    }

    /** Whether both sides run the same benchmark. */
    boolean sameBenchmark() {
        return runs.get(1).equals(runs.get(3));
    }

    private List<Run> side(List<Run> all, int at) {
        return !possible()
                ? List.of()
                : Runs.valid(Runs.of(all, runs.get(at + 1))).stream()
                        .filter(run -> (run.benchmark() + Places.server(run)).matches(runs.get(at)))
                        .filter(run -> !comparison.equals(MILLIS_OF_ONE)
                                || run.parameters().getOrDefault("clients", "").equals("1"))
                        .toList();
    }

    ToDoubleFunction<Run> value() {
        return switch (runs.getFirst()) {
            case "throughput" -> Run::perSecond;
            case "latency" -> run -> run.measured().all().mean();
            case "switches" -> PaperFigure::switches;
            case "memory" ->
                run -> run.measured().memoryBytes().values().stream()
                        .mapToDouble(bytes -> bytes)
                        .sum();
            // The heap without garbage, which is most of the memory of a process that has just worked.
            case "heap" -> run -> run.figure(Figure.LIVE_HEAP);
            default -> throw new IllegalStateException(runs.getFirst());
        };
    }

    /**
     * Returns the context switches of a database transaction, in all processes of a system; NaN where they were not counted.
     */
    private static double switches(Run run) {
        Measured measured = run.measured();
        return measured.contextSwitches().isEmpty()
                ? Double.NaN
                : measured.contextSwitches().entrySet().stream()
                                .filter(process -> !process.getKey().equals(Measured.LOAD_GENERATOR))
                                .mapToDouble(process -> process.getValue().all())
                                .sum()
                        / measured.transactions();
    }
}
