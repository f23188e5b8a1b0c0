package io.multimed.bench.cli;

import io.multimed.bench.BenchException;
import io.multimed.bench.series.Benchmark;
import io.multimed.bench.series.Ending;
import io.multimed.bench.series.PostgresSeries;
import io.multimed.bench.series.SeriesOptions;
import io.multimed.bench.series.Warmup;
import io.multimed.bench.system.Systems;
import io.multimed.cli.command.Arguments;
import io.multimed.cli.command.Program;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.ParseException;

/** What all benchmarks have in common on the command line. */
final class CommonOptions {
    private static final String MULTIMED = "multimed";
    private static final Pattern RANGE = Pattern.compile("(\\d{1,9})(?:-(\\d{1,9}))?");
    private static final int MOST_NUMBERS = 100;

    static final Option CLIENTS = Arguments.value(
            "clients", "N", "Clients at once, without think time; several as 1-8 or 1,8,64 (default: %s).");
    static final Option AGAINST = Arguments.value(
            "against",
            "LIST",
            "What Multimed is compared with, the first one being the measure of all: standalone, standalone-tuned,"
                    + " standalone-undurable, pgbouncer, pgpool, pgpool-si, multimed-c0, multimed-session, multimed-eventual, multimed-uncoalesced"
                    + " (default: %s).");
    /** What the others are compared with, unless told otherwise. */
    static final String STANDALONE = "standalone";
    /** PostgreSQL as it comes, and with every setting that a Satellite has. */
    static final String BOTH_STANDALONE = "standalone,standalone-tuned";

    /** All processors. */
    static final String EVERY_CORE = "0";

    static final Option SATELLITES = Arguments.value(
            "satellites",
            "N",
            "Of Multimed; as many engines stand beside the first one behind Pgpool-II. Several as 1-4 with bench tpcw, clients"
                    + " and cores, one after the other (default: 1).");
    static final Option SATELLITE_SETTINGS = Arguments.value(
            "satellite-settings",
            "LIST",
            "Of PostgreSQL, for Multimed's Satellites and for standalone-tuned alike: jit=off,work_mem=64MB (default: none"
                    + " beyond Multimed's own).");
    static final Option WARMUP = Arguments.value(
            "warmup",
            "S",
            "Seconds before anything counts; as 10-25, until throughput has stopped rising (default: 30).");
    static final Option TIME = Arguments.value("time", "S", "Seconds that count (default: 60).");
    static final Option RUNS =
            Arguments.value("runs", "N", "Repetitions, in which the systems take turns (default: 5).");
    static final Option OUT =
            Arguments.value("out", "DIR", "Where results go, one JSON file a run (default: results).");
    static final Option WORK = Arguments.value(
            "work",
            "DIR",
            "Where the databases lie meanwhile: the disk that is measured (default: the temporary directory).");
    static final Option SEED = Arguments.value("seed", "N", "Of data and clients (default: 1).");
    static final Option CORES = Arguments.value(
            "cores",
            "N",
            "Logical processors that each system may use, the load generator apart; several as 1,2,4 (default: %s).");
    static final Option POOL = Arguments.value("pool", "N", "Connections of PgBouncer to PostgreSQL (default: 20).");

    private CommonOptions() {}

    /** What comparisons take, on all cores unless told otherwise. */
    static List<Option> compared(String clients, String against, Option... own) {
        return compared(clients, "all", against, own);
    }

    /**
     * What comparisons take.
     *
     * @param clients how many unless told otherwise; what follows likewise
     * @param own options of the command, which come first
     */
    static List<Option> compared(String clients, String cores, String against, Option... own) {
        List<Option> options = new ArrayList<>(common(clients, cores, own));
        options.addAll(List.of(with(AGAINST, against), POOL));
        return options;
    }

    /** What every experiment takes, on all cores unless told otherwise. */
    static List<Option> common(String clients, Option... own) {
        return common(clients, "all", own);
    }

    private static List<Option> common(String clients, String cores, Option... own) {
        List<Option> options = new ArrayList<>(List.of(own));
        options.addAll(List.of(
                with(CLIENTS, clients),
                SATELLITES,
                SATELLITE_SETTINGS,
                WARMUP,
                TIME,
                RUNS,
                OUT,
                WORK,
                SEED,
                with(CORES, cores)));
        return options;
    }

    /** An option whose description names its default. */
    static Option with(Option option, String standard) {
        return Arguments.value(
                option.getLongOpt(),
                option.getArgName(),
                option.getDescription().formatted(standard));
    }

    /**
     * @param clients how many, unless the command line says so; what follows likewise
     * @throws ParseException for a value that cannot be
     */
    static SeriesOptions read(Arguments given, String clients, String cores, String against) throws ParseException {
        List<SeriesOptions> each = each(given, clients, cores, against);
        if (each.size() > 1) {
            throw new ParseException(
                    Arguments.name(SATELLITES) + ": several numbers are for bench tpcw, clients and cores");
        }
        return each.getFirst();
    }

    /** The same for each number of Satellites. */
    static List<SeriesOptions> each(Arguments given, String clients, String cores, String against)
            throws ParseException {
        List<SeriesOptions> each = new ArrayList<>();
        for (int satellites : numbers(SATELLITES, given.text(SATELLITES).orElse("1"))) {
            each.add(options(satellites, given, clients, cores, against));
        }
        return each;
    }

    private static SeriesOptions options(int satellites, Arguments given, String clients, String cores, String against)
            throws ParseException {
        try {
            return new SeriesOptions(
                    numbers(CLIENTS, given.text(CLIENTS).orElse(clients)),
                    numbers(CORES, given.text(CORES).orElse(cores)),
                    systems(given.text(AGAINST).orElse(against)),
                    satellites,
                    warmup(given.text(WARMUP).orElse("30")),
                    given.number(TIME).orElse(60),
                    given.number(RUNS).orElse(5),
                    given.path(OUT).orElse(Path.of("results")).toAbsolutePath(),
                    given.path(WORK)
                            .orElse(Path.of(System.getProperty("java.io.tmpdir")))
                            .toAbsolutePath(),
                    given.number(SEED).orElse(1),
                    given.number(POOL).orElse(20),
                    settings(given.text(SATELLITE_SETTINGS).orElse("")));
        } catch (IllegalArgumentException e) {
            throw new ParseException(e.getMessage());
        }
    }

    /** Of experiments on Multimed's Satellites, with which nothing else can be compared. */
    static SeriesOptions ofSatellites(Arguments given, String clients) throws ParseException {
        SeriesOptions options = read(given, clients, EVERY_CORE, MULTIMED);
        if (options.satellites() == 0) {
            throw new ParseException("--satellites: without one there is nothing to measure");
        }
        return options;
    }

    /** Numbers and ranges of them, ascending: {@code 1-4,8}. */
    static List<Integer> numbers(Option option, String text) throws ParseException {
        Set<Integer> numbers = new TreeSet<>();
        for (String part : text.split(",", -1)) {
            Matcher range = RANGE.matcher(part.strip());
            if (!range.matches()) {
                throw new ParseException(
                        Arguments.name(option) + ": must be numbers such as 8, 1-8 or 1,8,64, not '" + text + "'");
            }
            int first = Integer.parseInt(range.group(1));
            int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
            if (last < first || last - first >= MOST_NUMBERS) {
                throw new ParseException(Arguments.name(option) + ": '" + part.strip() + "' is no range of up to "
                        + MOST_NUMBERS + " numbers");
            }
            for (int number = first; number <= last; number++) {
                numbers.add(number);
            }
        }
        return List.copyOf(numbers);
    }

    private static Warmup warmup(String text) throws ParseException {
        Matcher span = RANGE.matcher(text);
        if (!span.matches()) {
            throw new ParseException(
                    Arguments.name(WARMUP) + ": must be seconds such as 30 or 10-25, not '" + text + "'");
        }
        int least = Integer.parseInt(span.group(1));
        int most = span.group(2) == null ? least : Integer.parseInt(span.group(2));
        if (most < least) {
            throw new ParseException(Arguments.name(WARMUP) + ": '" + text + "' is no range");
        }
        return new Warmup(least, most);
    }

    /** Names and values; whether PostgreSQL knows them shows when the systems are tried. */
    private static Map<String, String> settings(String list) throws ParseException {
        Map<String, String> settings = new LinkedHashMap<>();
        for (String setting : list.isEmpty() ? new String[0] : list.split(",", -1)) {
            int equals = setting.indexOf('=');
            if (equals < 1) {
                throw new ParseException(
                        Arguments.name(SATELLITE_SETTINGS) + ": must be name=value,..., not '" + list + "'");
            }
            settings.put(
                    setting.substring(0, equals).strip(),
                    setting.substring(equals + 1).strip());
        }
        return settings;
    }

    /** In the order given; Multimed last, unless it is named. */
    private static List<String> systems(String list) {
        Set<String> systems = new LinkedHashSet<>();
        for (String name : list.split(",")) {
            systems.add(name.strip());
        }
        systems.add(MULTIMED);
        systems.forEach(Systems::requireKnown);
        return new ArrayList<>(systems);
    }

    /** @return the exit status */
    static <D> int run(List<? extends Benchmark<D>> benchmarks, SeriesOptions options) throws BenchException {
        return run(new PostgresSeries<>(
                List.<Benchmark<D>>copyOf(benchmarks),
                options,
                Program.VERSION,
                new ConsoleLines(System.out, System.err))::run);
    }

    /** A series that writes what it measured when it is interrupted. */
    interface Series {
        Ending run() throws BenchException;
    }

    /** @return the exit status */
    static int run(Series series) throws BenchException {
        Interruption interruption = new Interruption();
        try {
            return switch (series.run()) {
                case DONE -> 0;
                case VOID -> 1;
                case INTERRUPTED -> Interruption.STATUS;
            };
        } finally {
            interruption.done();
        }
    }
}
