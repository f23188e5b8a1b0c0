package io.multimed.bench.report;

import io.multimed.bench.measure.Machine;
import io.multimed.bench.measure.Measured;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * One run of one system: the contents of a file of results.
 *
 * @param benchmark and its mix, such as {@code tpcw browsing}
 * @param number of the repetition, from 1; runs of the same number are compared with each other
 * @param started in ISO 8601
 * @param version of Multimed
 * @param parameters of the benchmark, in the order in which they are shown
 * @param figures further results; none in files from before there were experiments
 * @param settings that were chosen for each engine, by node
 * @param checks by invariant: empty, or the contradiction to it
 * @param interrupted whether it was ended before its time
 * @param failure why it could not be carried out; empty otherwise
 */
public record Run(
        String benchmark,
        String system,
        String description,
        int number,
        String started,
        String version,
        Machine machine,
        Map<String, String> parameters,
        Map<String, Map<String, String>> settings,
        Measured measured,
        List<Figure> figures,
        List<Check> checks,
        boolean interrupted,
        String failure) {
    /** Parameter of runs: the command that makes them again, with all others that it makes. */
    public static final String COMMAND = "command";

    /** @param contradiction empty when the invariant holds */
    public record Check(String invariant, String contradiction) {
        public boolean holds() {
            return contradiction.isEmpty();
        }
    }

    public Run {
        parameters = java.util.Collections.unmodifiableMap(new java.util.LinkedHashMap<>(parameters));
        settings = Map.copyOf(settings);
        figures = List.copyOf(Objects.requireNonNullElse(figures, List.of()));
        checks = List.copyOf(checks);
    }

    double perSecond() {
        return measured.perSecond();
    }

    /** Returns a figure's value; NaN if there is none. */
    double figure(String name) {
        return figures.stream()
                .filter(figure -> figure.name().equals(name))
                .mapToDouble(Figure::value)
                .findFirst()
                .orElse(Double.NaN);
    }

    /** Returns the name of the operations that its clients complete. */
    public String operations() {
        return operations(benchmark);
    }

    /** Returns the name of the operations that the clients of a benchmark complete. */
    public static String operations(String benchmark) {
        return benchmark.startsWith("tpcw") ? "interactions" : "transactions";
    }

    /** Returns the names of the operations that are short by their nature. */
    String shortOnes() {
        return benchmark.startsWith("tpcw")
                ? "Home, Product Detail and Search Request"
                : benchmark.startsWith("tpcc") ? "Order-Status" : "reads";
    }

    /** Returns the 99th percentile of the short reads; NaN where there was none, as among purchases. */
    double shortP99() {
        return measured.shortReads().max() > 0 ? measured.shortReads().p99() : Double.NaN;
    }

    /** Returns why the run is void; empty if it is valid. */
    String reason() {
        if (valid()) {
            return "";
        }
        if (interrupted) {
            return "interrupted";
        }
        if (!failure.isEmpty()) {
            return failure;
        }
        return checks.isEmpty()
                ? "nothing was checked"
                : checks.stream()
                        .filter(check -> !check.holds())
                        .map(check -> check.invariant() + ": " + check.contradiction())
                        .collect(Collectors.joining("; "));
    }

    /** Whether its figures may be used: it ran its time, and every invariant was checked and holds. */
    public boolean valid() {
        return !interrupted
                && failure.isEmpty()
                && !checks.isEmpty()
                && checks.stream().allMatch(Check::holds);
    }
}
