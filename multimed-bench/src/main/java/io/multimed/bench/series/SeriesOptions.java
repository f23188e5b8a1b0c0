package io.multimed.bench.series;

import io.multimed.bench.report.Run;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The options of every benchmark.
 *
 * @param clients at work at once, without think time: each number is measured
 * @param cores that each system may use, engines and middleware together, each number is measured; 0: all
 * @param systems to compare, the others with the first one
 * @param warmup before anything counts
 * @param seconds that count
 * @param runs repetitions, in which all systems take turns
 * @param out directory for results
 * @param work directory for data, on the disk that is to be measured
 * @param pool connections of a pooler to its engine
 * @param satelliteSettings of PostgreSQL, for Multimed's Satellites and for engines tuned like them
 * @param engineCores cores of the middleware, the Master and each Satellite, of which there are as many as the cores hold; 0: the
 *     stated number of Satellites, with cores as Multimed plans them
 * @param command the command that makes these runs, for results
 */
public record SeriesOptions(
        List<Integer> clients,
        List<Integer> cores,
        List<String> systems,
        int satellites,
        Warmup warmup,
        int seconds,
        int runs,
        Path out,
        Path work,
        long seed,
        int pool,
        Map<String, String> satelliteSettings,
        int engineCores,
        String command) {
    /**
     * @throws IllegalArgumentException for an impossible value; one sentence that names the option
     */
    public SeriesOptions {
        clients = List.copyOf(clients);
        cores = List.copyOf(cores);
        systems = List.copyOf(systems);
        satelliteSettings = Collections.unmodifiableMap(new LinkedHashMap<>(satelliteSettings));
        clients.forEach(number -> within("--clients", number, 1, 20_000));
        cores.forEach(number -> within("--cores", number, 0, 4_096));
        within("--satellites", satellites, 0, 64);
        within("--warmup", warmup.least(), 0, 86_400);
        within("--warmup", warmup.most(), 0, 86_400);
        within("--time", seconds, 1, 86_400);
        within("--runs", runs, 1, 1_000);
        within("--pool", pool, 1, 10_000);
        if (systems.isEmpty()) {
            throw new IllegalArgumentException("--against: names no system");
        }
    }

    /** Returns the numbers of cores that show how a system scales: 1, 2, 4, ... and the machine's own. */
    public static List<Integer> coresUpTo(int machine) {
        return Stream.concat(Stream.iterate(1, cores -> cores < machine, cores -> cores * 2), Stream.of(machine))
                .toList();
    }

    /**
     * Returns the same with Satellites that grow with the cores, as in the first paper.
     *
     * @param each cores of the middleware, the Master and each Satellite
     * @param machine number of its processors
     */
    public SeriesOptions growing(int each, int machine) {
        int most = cores.stream()
                .mapToInt(number -> number == 0 ? machine : number)
                .max()
                .orElse(0);
        return new SeriesOptions(
                clients,
                cores,
                systems,
                satellitesOf(most, each),
                warmup,
                seconds,
                runs,
                out,
                work,
                seed,
                pool,
                satelliteSettings,
                each,
                command);
    }

    /** Returns how many Satellites some processors hold beside middleware and Master; at least one. */
    static int satellitesOf(int processors, int each) {
        return Math.max(1, processors / each - 2);
    }

    /** Returns the number of Satellites of systems that may use so many processors. */
    int satellites(int processors) {
        return engineCores == 0 ? satellites : satellitesOf(processors, engineCores);
    }

    /** Returns how many cores each engine and the middleware get; 0 where too few are there to be divided. */
    int coresOfEach(int processors) {
        return processors < 3 * engineCores ? 0 : engineCores;
    }

    /** Returns the largest number of clients that will be at work at once. */
    public int mostClients() {
        return clients.stream().mapToInt(Integer::intValue).max().orElse(0);
    }

    /** Returns the seed of clients' choices: the same for every system in one repetition, another one in the next. */
    long seedOfClients(int number) {
        return seed + number;
    }

    /** Returns the options for results, independent of the system. */
    Map<String, String> parameters(int someClients, int number) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("clients", Integer.toString(someClients));
        parameters.put("warmup seconds", warmup.text());
        parameters.put("seconds", Integer.toString(seconds));
        parameters.put("runs", Integer.toString(runs));
        parameters.put("seed", Long.toString(seed));
        parameters.put("seed of clients", Long.toString(seedOfClients(number)));
        parameters.put(Run.COMMAND, command);
        parameters.put("load", "closed loop without think time; latencies not corrected for coordinated omission");
        return parameters;
    }

    private static void within(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(option + ": must be from " + least + " to " + most + ", not " + value);
        }
    }
}
