package io.multimed.bench.cli;

import io.multimed.bench.series.SeriesOptions;
import io.multimed.bench.series.Warmup;
import io.multimed.bench.system.PostgresKind;
import io.multimed.bench.system.Systems;
import io.multimed.cli.command.Arguments;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.ParseException;

/**
 * The options of every benchmark, with the defaults of one.
 *
 * @param compared whether Multimed is compared with other systems
 */
record RunOptions(Choice clients, Choice cores, Choice against, boolean compared) {
    static final PostgresKind POSTGRESQL = new PostgresKind();
    static final String MULTIMED = Systems.MULTIMED;
    static final String STANDALONE = "standalone";
    /** All processors. */
    static final String EVERY_CORE = "0";

    static final Choice CLIENTS =
            Choice.of("clients", "N", "Clients at once, without think time; several as 1-8 or 1,8,64", "16");
    private static final Choice AGAINST = Choice.of(
            "against",
            "LIST",
            "What Multimed is compared with, the first one being the measure of all: standalone, standalone-tuned,"
                    + " standalone-undurable, pgbouncer, pgpool, pgpool-si, subscription, multimed-c0, multimed-c2, multimed-c2-triggers,"
                    + " multimed-session, multimed-eventual,"
                    + " multimed-uncoalesced. Of MariaDB: standalone, standalone-buffered (data in memory), standalone-tuned (and a"
                    + " pool of threads), standalone-binlog, multimed-session, multimed-eventual",
            STANDALONE);
    static final Choice SATELLITES = Choice.of(
            "satellites",
            "N",
            "Of Multimed; as many engines stand beside the first one behind Pgpool-II. Several as 1-4 with bench"
                    + " tpcw, one after the other",
            "1");
    static final Choice SATELLITE_SETTINGS = Choice.of(
            "satellite-settings",
            "LIST",
            "Of the engines, for Multimed's Satellites and for standalone-tuned alike: jit=off,work_mem=64MB",
            "",
            "none beyond Multimed's own");
    private static final Choice WARMUP = Choice.of(
            "warmup", "S", "Seconds before anything counts; as 10-25, until throughput has stopped rising", "30");
    private static final Choice TIME = Choice.of("time", "S", "Seconds that count", "60");
    private static final Choice RUNS = Choice.of("runs", "N", "Repetitions, in which the systems take turns", "5");
    static final Choice OUT = Choice.of("out", "DIR", "Where results go, one JSON file a run", "results");
    static final Choice WORK = Choice.of(
            "work",
            "DIR",
            "Where the databases lie meanwhile: the disk that is measured",
            System.getProperty("java.io.tmpdir"),
            "the temporary directory");
    private static final Choice SEED = Choice.of("seed", "N", "Of data and clients", "1");
    private static final Choice CORES = Choice.of(
            "cores",
            "N",
            "Logical processors that each system may use, the load generator apart; several as 1,2,4",
            EVERY_CORE,
            "all");
    static final Choice POOL = Choice.of("pool", "N", "Connections of PgBouncer to PostgreSQL", "20");
    /** Options that mean nothing for engines inside a JVM. */
    static final List<Option> OF_SERVERS =
            List.of(AGAINST.option(), SATELLITES.option(), SATELLITE_SETTINGS.option(), POOL.option());

    /** Returns the options of a comparison. */
    static RunOptions compared(Choice clients, String against) {
        return new RunOptions(clients, CORES, AGAINST.or(against, against), true);
    }

    RunOptions over(String numbersOfCores) {
        return new RunOptions(clients, CORES.or(numbersOfCores, numbersOfCores), against, compared);
    }

    /** Returns the options of an experiment on Multimed's Satellites, with which nothing else can be compared. */
    static RunOptions ofSatellites() {
        return new RunOptions(CLIENTS, CORES, AGAINST.or(MULTIMED, MULTIMED), false);
    }

    List<Choice> all() {
        List<Choice> all = new ArrayList<>(
                List.of(clients, SATELLITES, SATELLITE_SETTINGS, WARMUP, TIME, RUNS, OUT, WORK, SEED, cores));
        if (compared) {
            all.addAll(List.of(against, POOL));
        }
        return all;
    }

    /** @throws ParseException for an impossible value */
    SeriesOptions read(Arguments given, BenchCommand.Call call) throws ParseException {
        List<SeriesOptions> each = each(given, clients, POSTGRESQL.systems(), call);
        if (each.size() > 1) {
            throw new ParseException(SATELLITES.name() + ": several numbers are for bench tpcw");
        }
        if (!compared && each.getFirst().satellites() == 0) {
            throw new ParseException(SATELLITES.name() + ": without one there is nothing to measure");
        }
        return each.getFirst();
    }

    /**
     * Returns the options for each number of Satellites.
     *
     * @param known names of systems
     */
    List<SeriesOptions> each(Arguments given, Choice numberOfClients, List<String> known, BenchCommand.Call call)
            throws ParseException {
        List<SeriesOptions> each = new ArrayList<>();
        for (int satellites : SATELLITES.numbers(given)) {
            try {
                each.add(new SeriesOptions(
                        numberOfClients.numbers(given),
                        cores.numbers(given),
                        systems(against.text(given), known),
                        satellites,
                        warmup(WARMUP.text(given)),
                        TIME.number(given),
                        RUNS.number(given),
                        path(OUT, given),
                        path(WORK, given),
                        SEED.number(given),
                        POOL.number(given),
                        settings(SATELLITE_SETTINGS.text(given)),
                        0,
                        call.command()));
            } catch (IllegalArgumentException e) {
                throw new ParseException(e.getMessage());
            }
        }
        return each;
    }

    static Path path(Choice choice, Arguments given) {
        return Path.of(choice.text(given)).toAbsolutePath();
    }

    private static Warmup warmup(String text) throws ParseException {
        Matcher span = Choice.RANGE.matcher(text);
        if (!span.matches()) {
            throw new ParseException(WARMUP.name() + ": must be seconds such as 30 or 10-25, not '" + text + "'");
        }
        int least = Integer.parseInt(span.group(1));
        int most = span.group(2) == null ? least : Integer.parseInt(span.group(2));
        if (most < least) {
            throw new ParseException(WARMUP.name() + ": '" + text + "' is no range");
        }
        return new Warmup(least, most);
    }

    /** Returns names and values; whether the engine knows them shows when the systems are tried. */
    private static Map<String, String> settings(String list) throws ParseException {
        Map<String, String> settings = new LinkedHashMap<>();
        for (String setting : list.isEmpty() ? new String[0] : list.split(",", -1)) {
            int equals = setting.indexOf('=');
            if (equals < 1) {
                throw new ParseException(SATELLITE_SETTINGS.name() + ": must be name=value,..., not '" + list + "'");
            }
            settings.put(
                    setting.substring(0, equals).strip(),
                    setting.substring(equals + 1).strip());
        }
        return settings;
    }

    /** Returns the systems in the order given; Multimed last, unless it is named. */
    private static List<String> systems(String list, List<String> known) {
        Set<String> systems = new LinkedHashSet<>();
        for (String name : list.split(",")) {
            systems.add(name.strip());
        }
        systems.add(MULTIMED);
        systems.forEach(name -> Systems.requireKnown(name, known));
        return List.copyOf(systems);
    }
}
