package io.multimed.cli;

import io.multimed.bench.BenchException;
import io.multimed.bench.tpcw.TpcwBench;
import io.multimed.bench.tpcw.TpcwOptions;
import io.multimed.bench.tpcw.population.Scale;
import io.multimed.bench.tpcw.workload.Mix;
import io.multimed.bench.tpcw.workload.Workload;
import io.multimed.server.config.Suggestion;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.ParseException;

/** {@code multimed bench tpcw}: the papers' benchmark, against Multimed and what it is compared with. */
final class BenchTpcwCommand {
    private static final String MULTIMED = "multimed";

    private static final Option MIX =
            Arguments.value("mix", "browsing|shopping|ordering", "How often which interaction (default: browsing).");
    private static final Option WITHOUT =
            Arguments.value("without", "CODE", "Leaves one interaction of the mix out, such as bess.");
    private static final Option ONLY =
            Arguments.value("only", "CODE", "One interaction again and again in place of a mix, such as bess.");
    private static final Option CLIENTS =
            Arguments.value("clients", "N", "Emulated browsers at once, without think time (default: 64).");
    private static final Option EBS =
            Arguments.value("ebs", "N", "Scale: 2,880 customers and about 5 MB for each (default: 100).");
    private static final Option ITEMS =
            Arguments.value("items", "N", "Scale: 1000, 10000, 100000, ... items (default: 10000).");
    private static final Option AGAINST = Arguments.value(
            "against",
            "LIST",
            "What Multimed is compared with, the first one being the measure of all: standalone, standalone-tuned,"
                    + " pgbouncer, multimed-c0 (default: standalone).");
    private static final Option SATELLITES = Arguments.value("satellites", "N", "Of Multimed (default: 1).");
    private static final Option WARMUP =
            Arguments.value("warmup", "S", "Seconds before anything counts (default: 30).");
    private static final Option TIME = Arguments.value("time", "S", "Seconds that count (default: 60).");
    private static final Option RUNS =
            Arguments.value("runs", "N", "Repetitions, in which the systems take turns (default: 5).");
    private static final Option OUT =
            Arguments.value("out", "DIR", "Where results go, one JSON file a run (default: results).");
    private static final Option WORK = Arguments.value(
            "work",
            "DIR",
            "Where the databases lie meanwhile: the disk that is measured (default: the temporary directory).");
    private static final Option SEED = Arguments.value("seed", "N", "Of data and clients (default: 1).");
    private static final Option CORES = Arguments.value(
            "cores", "N", "Logical processors that each system may use, the load generator apart (default: all).");
    private static final Option POOL =
            Arguments.value("pool", "N", "Connections of PgBouncer to PostgreSQL (default: 20).");

    static final Subcommand COMMAND = new Subcommand(
            "bench tpcw",
            "TPC-W at database level: Multimed against one PostgreSQL, poolers, ...\n"
                    + "Every system runs on a fresh copy of the same data; a run whose database contradicts itself"
                    + " afterwards is void, and the exit status 1. Ctrl-C ends it early, with status 130, and writes what"
                    + " was measured.",
            List.of(
                    MIX,
                    WITHOUT,
                    ONLY,
                    CLIENTS,
                    EBS,
                    ITEMS,
                    AGAINST,
                    SATELLITES,
                    WARMUP,
                    TIME,
                    RUNS,
                    OUT,
                    WORK,
                    SEED,
                    CORES,
                    POOL),
            BenchTpcwCommand::run);

    private BenchTpcwCommand() {}

    private static int run(Arguments given) throws ParseException, BenchException {
        return run(options(given));
    }

    /** @return the exit status */
    static int run(TpcwOptions options) throws BenchException {
        Interruption interruption = new Interruption();
        try {
            return switch (new TpcwBench(options, Main.VERSION_NAME, new BenchConsole(System.out, System.err)).run()) {
                case DONE -> 0;
                case VOID -> 1;
                case INTERRUPTED -> Interruption.STATUS;
            };
        } finally {
            interruption.done();
        }
    }

    private static TpcwOptions options(Arguments given) throws ParseException {
        Scale scale = scale(given.number(EBS).orElse(100), given.number(ITEMS).orElse(10_000));
        try {
            return new TpcwOptions(
                    workload(given),
                    given.number(CLIENTS).orElse(64),
                    scale,
                    systems(given.text(AGAINST).orElse("standalone")),
                    given.number(SATELLITES).orElse(1),
                    given.number(WARMUP).orElse(30),
                    given.number(TIME).orElse(60),
                    given.number(RUNS).orElse(5),
                    given.path(OUT).orElse(Path.of("results")).toAbsolutePath(),
                    given.path(WORK)
                            .orElse(Path.of(System.getProperty("java.io.tmpdir")))
                            .toAbsolutePath(),
                    given.number(SEED).orElse(1),
                    given.number(CORES).orElse(0),
                    given.number(POOL).orElse(20));
        } catch (IllegalArgumentException e) {
            throw new ParseException(e.getMessage());
        }
    }

    private static Workload workload(Arguments given) throws ParseException {
        Mix mix = mix(given.text(MIX));
        Optional<String> without = given.text(WITHOUT);
        Optional<String> only = given.text(ONLY);
        if (only.isPresent() && (without.isPresent() || given.text(MIX).isPresent())) {
            throw new ParseException(
                    "--only: stands in place of a mix, so that neither --mix nor --without goes with it");
        }
        try {
            if (only.isPresent()) {
                return Workload.only(Workload.interaction(only.get()));
            }
            return without.isPresent() ? Workload.without(mix, Workload.interaction(without.get())) : Workload.of(mix);
        } catch (IllegalArgumentException e) {
            throw new ParseException((only.isPresent() ? "--only: " : "--without: ") + e.getMessage());
        }
    }

    private static Mix mix(Optional<String> text) throws ParseException {
        if (text.isEmpty()) {
            return Mix.BROWSING;
        }
        return Arrays.stream(Mix.values())
                .filter(mix -> mix.text().equals(text.get()))
                .findFirst()
                .orElseThrow(() -> new ParseException("--mix: there is no mix '" + text.get() + "'; "
                        + Suggestion.of(
                                text.get(),
                                Arrays.stream(Mix.values()).map(Mix::text).toList())));
    }

    private static Scale scale(int ebs, int items) throws ParseException {
        if (!Scale.ITEMS.contains(items)) {
            throw new ParseException("--items: must be one of "
                    + Scale.ITEMS.stream().map(String::valueOf).collect(Collectors.joining(", ")) + ", not " + items);
        }
        if (ebs < 1 || ebs > Scale.MOST_EBS) {
            throw new ParseException("--ebs: must be from 1 to " + Scale.MOST_EBS + ", not " + ebs);
        }
        return new Scale(ebs, items);
    }

    /** In the order given; Multimed last, unless it is named. */
    private static List<String> systems(String list) {
        Set<String> systems = new LinkedHashSet<>();
        for (String name : list.split(",")) {
            systems.add(name.strip());
        }
        systems.add(MULTIMED);
        return List.copyOf(systems);
    }
}
