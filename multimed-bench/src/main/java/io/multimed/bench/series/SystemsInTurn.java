package io.multimed.bench.series;

import io.multimed.bench.BenchException;
import io.multimed.bench.Console;
import io.multimed.bench.measure.Machine;
import io.multimed.bench.report.Run;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Runs systems in turn at each place on the axes: form of the benchmark, clients, cores. The base of all series that run
 * something themselves. Used by one thread.
 *
 * @param <B> the benchmarks
 */
abstract class SystemsInTurn<B extends Benchmark<?>> implements Series {
    /**
     * A place on the axes.
     *
     * @param cores 0 for all
     */
    record Point<B extends Benchmark<?>>(B benchmark, int clients, int cores) {
        String name() {
            String place = benchmark.place();
            return clients + "-clients" + (cores == 0 ? "" : "-" + cores + "-cores")
                    + (place.isEmpty() ? "" : "-" + place);
        }
    }

    final List<B> benchmarks;
    final SeriesOptions options;
    final Console console;
    final Journal journal;
    private final String version;

    /**
     * @param version of Multimed, for the results
     * @param there runs of an earlier call, which are not made again
     */
    SystemsInTurn(List<B> benchmarks, SeriesOptions options, String version, Console console, List<Run> there) {
        this.benchmarks = List.copyOf(benchmarks);
        this.options = options;
        this.version = version;
        this.console = console;
        this.journal = new Journal(options.out(), console, there);
    }

    /** Returns the parameters of a run that its system and its place determine. */
    abstract Map<String, String> parameters(String system, Point<B> point);

    /** Returns the description of a system for readers. */
    abstract String description(String system);

    /** Makes one run. */
    abstract RunOutcome outcome(String system, Point<B> point, long seed, String label)
            throws BenchException, InterruptedException;

    @Override
    public final List<Run> runs() {
        return journal.runs();
    }

    final List<Point<B>> points() {
        List<Point<B>> points = new ArrayList<>();
        for (B benchmark : benchmarks) {
            for (int clients : options.clients()) {
                options.cores().forEach(cores -> points.add(new Point<>(benchmark, clients, cores)));
            }
        }
        return points;
    }

    /** Returns the number of runs that an earlier call has not made, of each repetition. */
    final List<Integer> left(List<String> systems) {
        return IntStream.rangeClosed(1, options.runs())
                .mapToObj(number -> (int) points().stream()
                        .flatMap(point -> systems.stream().filter(system -> !there(system, number, point)))
                        .count())
                .toList();
    }

    private boolean there(String system, int number, Point<B> point) {
        return journal.has(version, point.benchmark().name(), system, number, all(system, number, point));
    }

    private Map<String, String> all(String system, int number, Point<B> point) {
        Map<String, String> all = new LinkedHashMap<>(point.benchmark().parameters());
        all.putAll(options.parameters(point.clients(), number));
        all.putAll(parameters(system, point));
        return all;
    }

    /** Makes all runs that are left; each system is the first one in turn. */
    final void takeTurns(List<String> systems) throws BenchException {
        List<Point<B>> points = points();
        List<String> turn = new ArrayList<>(systems);
        for (int number = 1; number <= options.runs(); number++) {
            Collections.rotate(turn, number == 1 ? 0 : -1);
            for (Point<B> point : points) {
                for (String system : turn) {
                    if (!journal.interrupted() && !there(system, number, point)) {
                        Run run = run(system, number, point);
                        // An interrupt is kept pending while a system ends; it is handled now.
                        if (Thread.interrupted()) {
                            journal.interrupt();
                        }
                        journal.finished(
                                run, points.size() == 1 ? point.benchmark().place() : point.name());
                    }
                }
            }
        }
    }

    private Run run(String system, int number, Point<B> point) throws BenchException {
        Instant started = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        String label = journal.next() + ": " + point.benchmark().name() + ", " + point.name() + ", " + system + ": ";
        RunOutcome outcome;
        try {
            outcome = outcome(system, point, options.seedOfClients(number), label);
        } catch (InterruptedException e) {
            outcome = RunOutcome.NOTHING.interrupted(true);
        }
        return new Run(
                point.benchmark().name(),
                system,
                description(system),
                number,
                started.toString(),
                version,
                Machine.read(),
                all(system, number, point),
                outcome.settings(),
                outcome.measured(),
                outcome.figures(),
                outcome.checks(),
                outcome.interrupted(),
                outcome.failure());
    }

    /** @param also time that a run takes beside its clients' work */
    final void announce(List<String> systems, String also) {
        systems.forEach(system -> console.say(system + ": " + description(system)));
        int each = systems.size() * points().size();
        long seconds = (long) options.runs() * each * (options.warmup().most() + options.seconds());
        console.say(benchmarks.stream().map(Benchmark::name).distinct().collect(Collectors.joining(", ")) + ": "
                + options.clients().toString().replaceAll("[\\[\\]]", "") + " clients, " + options.runs() + " x " + each
                + " runs of " + options.warmup().span() + " + " + options.seconds() + " s: "
                + Math.ceilDiv(seconds, 60) + " minutes, and " + also);
    }
}
