package io.multimed.bench.quick;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.multimed.bench.BenchException;
import io.multimed.bench.measure.Machine;
import io.multimed.bench.report.Run;
import io.multimed.bench.report.Runs;
import io.multimed.bench.report.Statistics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Throughput of Multimed as a ratio to that of PostgreSQL in the same minutes.
 *
 * @param parameters of the runs; others are not comparable
 * @param ratios by benchmark
 */
public record Ratios(Machine machine, String version, Map<String, String> parameters, Map<String, Double> ratios) {
    private static final double TOLERATED = 0.9;
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    public Ratios {
        parameters = new TreeMap<>(parameters);
        ratios = new TreeMap<>(ratios);
    }

    /** Returns paired medians of valid runs. */
    static Map<String, Double> of(List<Run> runs, String system, String against) {
        Map<String, Double> ratios = new TreeMap<>();
        runs.stream().map(Run::benchmark).distinct().forEach(benchmark -> {
            List<Run> same = runs.stream()
                    .filter(run -> run.benchmark().equals(benchmark))
                    .toList();
            double ratio = Statistics.median(Statistics.ratios(Runs.of(same, system), Runs.of(same, against)));
            if (!Double.isNaN(ratio)) {
                ratios.put(benchmark, ratio);
            }
        });
        return ratios;
    }

    static Ratios read(Path file) throws BenchException {
        try {
            return JSON.readValue(Files.readString(file), Ratios.class);
        } catch (IOException e) {
            throw new BenchException(
                    "there are no stored ratios to compare with in " + file
                            + "; measure them once, while nothing else runs, with: multimed bench quick --store",
                    e);
        }
    }

    void write(Path file) throws BenchException {
        try {
            Files.writeString(file, JSON.writeValueAsString(this) + "\n");
        } catch (IOException e) {
            throw new BenchException("cannot write " + file + ": " + e, e);
        }
    }

    /**
     * @throws BenchException if measurements on this machine cannot be compared with it; one sentence
     */
    void requireComparable(Path file, Machine here, Map<String, String> measured) throws BenchException {
        if (!here.processor().equals(machine.processor()) || here.cores() != machine.cores()) {
            throw new BenchException("the ratios in " + file + " are of another machine (" + machine.processor() + ", "
                    + machine.cores() + " cores; here " + here.processor() + ", " + here.cores()
                    + "); store this one's in a file of its own: multimed bench quick --store --baseline FILE");
        }
        if (!parameters.equals(measured)) {
            throw new BenchException("the ratios in " + file + " were measured with " + parameters + ", not " + measured
                    + "; store them anew: multimed bench quick --store");
        }
    }

    /** Returns the names of benchmarks whose ratio is gone, or has fallen by more than a tenth. */
    List<String> fallen(Map<String, Double> now) {
        List<String> fallen = new ArrayList<>();
        ratios.forEach((name, before) -> {
            Double ratio = now.get(name);
            if (ratio == null || ratio < TOLERATED * before) {
                fallen.add(name);
            }
        });
        return fallen;
    }

    /** Returns a line for each benchmark. */
    String compared(Map<String, Double> now) {
        StringBuilder text = new StringBuilder();
        ratios.forEach((name, before) -> {
            double ratio = now.getOrDefault(name, Double.NaN);
            text.append(String.format(
                    Locale.ROOT,
                    "%-16s %5.2f times PostgreSQL, stored %5.2f: %+.0f %%%s%n",
                    name,
                    ratio,
                    before,
                    100 * (ratio / before - 1),
                    ratio >= TOLERATED * before ? "" : "  FALLEN by more than 10 %"));
        });
        return text.toString();
    }
}
