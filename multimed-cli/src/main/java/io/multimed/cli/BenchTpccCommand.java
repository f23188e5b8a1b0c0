package io.multimed.cli;

import io.multimed.bench.BenchException;
import io.multimed.bench.series.EmbeddedEngine;
import io.multimed.bench.series.EmbeddedSeries;
import io.multimed.bench.series.PostgresSeries;
import io.multimed.bench.series.SeriesOptions;
import io.multimed.bench.tpcc.EmbeddedMain;
import io.multimed.bench.tpcc.Tpcc;
import io.multimed.bench.tpcc.population.Scale;
import io.multimed.bench.tpcc.workload.Mix;
import io.multimed.server.config.Suggestion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.ParseException;

/** {@code multimed bench tpcc}: the other benchmark, against PostgreSQL systems or with engines inside one JVM. */
final class BenchTpccCommand {
    private static final String CLIENTS = "8";
    private static final int MOST_REPLICAS = 64;

    private static final Option MIX = Arguments.value(
            "mix", "8-92|50-50|80-20|100-0", "Reads and updates in per cent; 8-92 is TPC-C's own (default: 8-92).");
    private static final Option ENGINE = Arguments.value(
            "engine",
            "postgresql|h2|hsqldb",
            "PostgreSQL systems, or an engine inside the JVM of its clients (default: postgresql).");
    private static final Option REPLICAS = Arguments.value(
            "replicas",
            "LIST",
            "Of h2 or hsqldb behind jdbc:multimed:, as 1,3 or 1-4; compared with the engine alone (default: 1,3).");
    private static final Option WAREHOUSES = Arguments.value(
            "warehouses",
            "N",
            "Scale: about 100 MB on disk for each, 8 times that as objects (default: 4; inside a JVM 1).");
    private static final Option SHRINK = Arguments.value(
            "shrink", "N", "Divides TPC-C's numbers of items and customers, for a quick look (default: 1).");

    static final Subcommand COMMAND = new Subcommand(
            "bench tpcc",
            "TPC-C at database level: PostgreSQL systems, or H2 and HSQLDB as replicas.\n"
                    + "No terminals, keying and think time: a result is no tpmC. After every run the consistency conditions"
                    + " of TPC-C are checked; a run that contradicts one is void, and the exit status 1. Ctrl-C ends it early,"
                    + " with status 130, and writes what was measured.",
            BenchOptions.compared(CLIENTS, BenchOptions.STANDALONE, MIX, ENGINE, REPLICAS, WAREHOUSES, SHRINK),
            BenchTpccCommand::run);

    private BenchTpccCommand() {}

    private static int run(Arguments given) throws ParseException, BenchException {
        SeriesOptions options = BenchOptions.read(given, CLIENTS, BenchOptions.EVERY_CORE, BenchOptions.STANDALONE);
        String engine = oneOf(ENGINE, "engine", given.text(ENGINE).orElse("postgresql"), Tpcc.ENGINES);
        List<String> mixes = Arrays.stream(Mix.values()).map(Mix::text).toList();
        int mix = mixes.indexOf(oneOf(MIX, "mix", given.text(MIX).orElse("8-92"), mixes));
        Tpcc benchmark = new Tpcc(Mix.values()[mix], scale(given, engine), engine, options.seed());
        BenchConsole console = new BenchConsole(System.out, System.err);
        if (!benchmark.embedded()) {
            refuse(given, engine, List.of(REPLICAS));
            return BenchOptions.run(new PostgresSeries<>(List.of(benchmark), options, Main.VERSION_NAME, console)::run);
        }
        refuse(
                given,
                engine,
                List.of(
                        BenchOptions.AGAINST,
                        BenchOptions.SATELLITES,
                        BenchOptions.SATELLITE_SETTINGS,
                        BenchOptions.POOL));
        return BenchOptions.run(
                new EmbeddedSeries(
                        benchmark,
                        engines(given, engine),
                        options,
                        EmbeddedMain.class.getName(),
                        Main.VERSION_NAME,
                        console)::run);
    }

    private static String oneOf(Option option, String what, String text, List<String> all) throws ParseException {
        if (!all.contains(text)) {
            throw new ParseException(
                    Arguments.name(option) + ": there is no " + what + " '" + text + "'; " + Suggestion.of(text, all));
        }
        return text;
    }

    private static void refuse(Arguments given, String engine, List<Option> options) throws ParseException {
        Optional<Option> meaningless = options.stream().filter(given::has).findFirst();
        if (meaningless.isPresent()) {
            throw new ParseException(Arguments.name(meaningless.get()) + ": means nothing with --engine " + engine);
        }
    }

    private static Scale scale(Arguments given, String engine) throws ParseException {
        try {
            return new Scale(
                    given.number(WAREHOUSES).orElse(engine.equals("postgresql") ? 4 : 1),
                    given.number(SHRINK).orElse(1));
        } catch (IllegalArgumentException e) {
            throw new ParseException(e.getMessage());
        }
    }

    /** The engine alone, with which the others are compared, first. */
    private static List<EmbeddedEngine> engines(Arguments given, String engine) throws ParseException {
        List<EmbeddedEngine> engines = new ArrayList<>(List.of(new EmbeddedEngine(engine, 0)));
        for (int replicas : BenchOptions.numbers(REPLICAS, given.text(REPLICAS).orElse("1,3"))) {
            if (replicas < 1 || replicas > MOST_REPLICAS) {
                throw new ParseException("--replicas: must be from 1 to " + MOST_REPLICAS + ", not " + replicas);
            }
            engines.add(new EmbeddedEngine(engine, replicas));
        }
        return engines;
    }
}
