package io.multimed.bench.tpcw;

import io.multimed.bench.system.Systems;
import io.multimed.bench.tpcw.population.Scale;
import io.multimed.bench.tpcw.workload.Workload;
import java.nio.file.Path;
import java.util.List;

/**
 * What was chosen on the command line.
 *
 * @param clients emulated browsers at work at once, without think time
 * @param systems to compare, the first one is what the others are compared with
 * @param warmupSeconds before anything counts
 * @param seconds that count
 * @param runs repetitions, in which all systems take turns
 * @param out directory for results
 * @param work directory for data, on the disk that is to be measured
 * @param cores that each system may use, engines and middleware together; 0: all
 * @param pool connections of a pooler to its engine
 */
public record TpcwOptions(
        Workload workload,
        int clients,
        Scale scale,
        List<String> systems,
        int satellites,
        int warmupSeconds,
        int seconds,
        int runs,
        Path out,
        Path work,
        long seed,
        int cores,
        int pool) {
    /** @throws IllegalArgumentException for a value that cannot be; one sentence that names the option */
    public TpcwOptions {
        systems = List.copyOf(systems);
        within("--clients", clients, 1, 20_000);
        within("--satellites", satellites, 0, 64);
        within("--warmup", warmupSeconds, 0, 86_400);
        within("--time", seconds, 1, 86_400);
        within("--runs", runs, 1, 1_000);
        within("--cores", cores, 0, 4_096);
        within("--pool", pool, 1, 10_000);
        systems.forEach(Systems::requireKnown);
        if (systems.isEmpty()) {
            throw new IllegalArgumentException("--against: names no system");
        }
    }

    private static void within(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(option + ": must be from " + least + " to " + most + ", not " + value);
        }
    }
}
