package io.multimed.bench.cli;

import io.multimed.bench.BenchException;
import io.multimed.bench.dialect.BenchmarkDialect;
import io.multimed.bench.series.Benchmark;
import io.multimed.bench.series.EmbeddedEngine;
import io.multimed.bench.series.EmbeddedSeries;
import io.multimed.bench.series.SeriesOptions;
import io.multimed.cli.command.Arguments;
import io.multimed.cli.command.Program;
import io.multimed.server.config.Suggestion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.ParseException;

/** The options that benchmarks on several engines share on the command line. */
final class EngineOptions {
    private static final int MOST_REPLICAS = 64;

    static final Option ENGINE = Arguments.value(
            "engine",
            "postgresql|h2|hsqldb",
            "PostgreSQL systems, or an engine inside the JVM of its clients (default: postgresql).");
    static final Option REPLICAS = Arguments.value(
            "replicas",
            "LIST",
            "Of h2 or hsqldb behind jdbc:multimed:, as 1,3 or 1-4; compared with the engine alone (default: 1,3).");

    private static final List<Option> OF_POSTGRESQL = List.of(
            CommonOptions.AGAINST, CommonOptions.SATELLITES, CommonOptions.SATELLITE_SETTINGS, CommonOptions.POOL);

    private EngineOptions() {}

    /**
     * Returns the chosen engine.
     *
     * @throws ParseException if there is no such engine, or an option was given that has no meaning with it
     */
    static BenchmarkDialect read(Arguments given) throws ParseException {
        List<String> engines = Arrays.stream(BenchmarkDialect.values())
                .map(BenchmarkDialect::engine)
                .toList();
        String engine =
                oneOf(ENGINE, "engine", given.text(ENGINE).orElse(BenchmarkDialect.POSTGRESQL.engine()), engines);
        BenchmarkDialect dialect = BenchmarkDialect.of(engine).orElseThrow();
        Optional<Option> meaningless = (dialect.embedded() ? OF_POSTGRESQL : List.of(REPLICAS))
                .stream().filter(given::has).findFirst();
        if (meaningless.isPresent()) {
            throw new ParseException(Arguments.name(meaningless.get()) + ": means nothing with --engine " + engine);
        }
        return dialect;
    }

    /** Checks that a value is one of several names. */
    static String oneOf(Option option, String what, String text, List<String> all) throws ParseException {
        if (!all.contains(text)) {
            throw new ParseException(
                    Arguments.name(option) + ": there is no " + what + " '" + text + "'; " + Suggestion.of(text, all));
        }
        return text;
    }

    /**
     * Runs benchmarks inside JVMs.
     *
     * @return the exit status
     */
    static int run(
            List<? extends Benchmark<?>> benchmarks, BenchmarkDialect dialect, SeriesOptions options, Arguments given)
            throws ParseException, BenchException {
        return CommonOptions.run(
                new EmbeddedSeries(
                        benchmarks,
                        engines(given, dialect),
                        options,
                        Program.VERSION,
                        new ConsoleLines(System.out, System.err))::run);
    }

    /** Returns the engines, first the one alone, with which the others are compared. */
    private static List<EmbeddedEngine> engines(Arguments given, BenchmarkDialect dialect) throws ParseException {
        List<EmbeddedEngine> engines = new ArrayList<>(List.of(new EmbeddedEngine(dialect.engine(), 0)));
        for (int replicas : CommonOptions.numbers(REPLICAS, given.text(REPLICAS).orElse("1,3"))) {
            if (replicas < 1 || replicas > MOST_REPLICAS) {
                throw new ParseException("--replicas: must be from 1 to " + MOST_REPLICAS + ", not " + replicas);
            }
            engines.add(new EmbeddedEngine(dialect.engine(), replicas));
        }
        return engines;
    }
}
