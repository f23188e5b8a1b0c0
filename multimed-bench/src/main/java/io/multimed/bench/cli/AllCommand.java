package io.multimed.bench.cli;

import io.multimed.bench.BenchException;
import io.multimed.bench.Console;
import io.multimed.bench.full.Experiment;
import io.multimed.bench.full.FullRun;
import io.multimed.bench.full.Pace;
import io.multimed.bench.full.Rank;
import io.multimed.bench.measure.Machine;
import io.multimed.bench.report.Run;
import io.multimed.bench.report.RunFiles;
import io.multimed.bench.series.Ending;
import io.multimed.bench.series.Series;
import io.multimed.bench.series.SeriesOptions;
import io.multimed.bench.tpcc.population.TpccScale;
import io.multimed.bench.tpcw.population.TpcwScale;
import io.multimed.cli.command.Arguments;
import io.multimed.cli.command.Subcommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.commons.cli.ParseException;

/** {@code multimed bench all}: all measurements of a report, within a given time. */
final class AllCommand {
    private static final Pattern TIME = Pattern.compile("(\\d{1,5})(m|h)");
    private static final Choice WITHIN = Choice.of("within", "TIME", "How long it may take, as 40m or 2h", "40m");

    /**
     * The experiments, the most important first: their ranks and commands. Systems that are compared with earlier ones run in
     * their place, without them. Experiments that are compared with no other one use a tenth of the database ({@code SMALL}):
     * only their duration depends on its size.
     */
    private static final String EXPERIMENTS = """
            HEADLINE tpcw --mix browsing,shopping,ordering --clients 64 --against standalone,standalone-tuned SCALE
            HEADLINE tpcw --mix ordering --clients 1 --satellites 0 --against standalone,pgbouncer SMALL
            COMPARISON tpcw --mix browsing,shopping,ordering --clients 400 --against standalone,standalone-tuned SCALE
            COMPARISON tpcw --mix browsing --clients 1000 --against standalone,standalone-tuned SCALE
            COMPARISON interaction --clients 16 --heavy 16 --against standalone,standalone-tuned SCALE
            COMPARISON short-long --clients 16 --heavy 4 --against standalone,standalone-tuned,multimed-c2 SCALE
            FIGURE tpcw --mix browsing,shopping,ordering --clients 64 --against pgbouncer,pgpool,pgpool-si SCALE
            FIGURE tpcw --mix browsing --without BESS --clients 64 --against standalone SCALE
            FIGURE tpcw --only BESS --clients 1,64 --against standalone SCALE
            FIGURE tpcc --mix 80-20 SHRINK --engine hsqldb --replicas 1,2,3,4,6 --clients 4
            FIGURE tpcc --mix 80-20 SHRINK --engine h2 --replicas 1,2,3,4,6 --clients 4
            FIGURE tpcw --mix browsing,shopping SMALL --engine h2 --replicas 3 --clients 8
            FIGURE freshness --clients 16
            FIGURE clone --clients 16 SMALL
            FIGURE clone --clients 16 SCALE
            FIGURE tpcw --mix browsing,shopping --clients 64 --against multimed-c0,multimed-c2 SCALE
            FIGURE tpcw --mix browsing,shopping,ordering --updates 10,20,50 --clients 64 --against standalone,standalone-tuned SCALE
            FIGURE catch-up --clients 1 SMALL
            FIGURE indexed-inserts --clients 16
            FIGURE tpcc --mix 100-0 SHRINK --engine hsqldb --replicas 3,6 --clients 4
            FIGURE tpcc --mix 50-50 SHRINK --engine hsqldb --replicas 3 --clients 4
            FIGURE tpcc --mix 8-92 SHRINK --engine hsqldb --replicas 1,3 --clients 4
            FIGURE tpcc --mix 100-0 SHRINK --engine h2 --replicas 3 --clients 4
            FIGURE tpcc --mix 50-50 SHRINK --engine h2 --replicas 3 --clients 4
            FIGURE tpcc --mix 8-92 SHRINK --engine h2 --replicas 1,3 --clients 4
            FIGURE tpcw --mix browsing,shopping --cores CORES --clients 64 --against standalone SMALL
            FIGURE tpcw --mix browsing,shopping,ordering --clients 400 --against pgbouncer SCALE
            FIGURE interaction --clients 16 --heavy 0,4 --against standalone,standalone-tuned SCALE
            FIGURE tpcw --mix browsing --clients 1,16 --against standalone,standalone-tuned SCALE
            FIGURE tpcw --mix browsing --clients 2000 --against standalone,standalone-tuned SCALE
            FIGURE tpcw --mix browsing,shopping SMALL --engine hsqldb --replicas 3 --clients 8
            FIGURE tpcc --mix 80-20 SHRINK --engine hsqldb --replicas 1,2,3,4,6 --clients 1,8
            FIGURE tpcc --mix 80-20 SHRINK --engine h2 --replicas 1,2,3,4,6 --clients 1,8
            """;

    static final Subcommand COMMAND = new Subcommand(
            "bench all",
            "Everything that a report shows, in a time given, and the report.\n"
                    + "First the comparisons, in several repetitions: TPC-W's mixes at 64 clients, one client without a"
                    + " Satellite, the mixes at 400, browsing with 1,000, short interactions beside heavy ones, also with a Satellite"
                    + " for these. Then once:"
                    + " the mixes behind the proxies that are installed, Best Sellers left out and alone, replicas of HSQLDB"
                    + " and H2 under TPC-C and TPC-W, freshness, clone, other shares of updates, catching up, indexed inserts,"
                    + " fewer cores, other numbers of clients."
                    + " Says first what it will run, as commands that run each alone, and how long that takes; plans anew"
                    + " after each of them, by what they have taken. More time is more repetitions, from 4h on longer runs;"
                    + " what does not fit is left out, and the report says so. The same command again goes on with what is"
                    + " not in DIR yet, as after Ctrl-C.",
            Stream.of(WITHIN, TpcwChoices.EBS, TpcwChoices.ITEMS, Benchmarks.SHRINK, RunOptions.OUT, RunOptions.WORK)
                    .map(Choice::option)
                    .toList(),
            AllCommand::run);

    private AllCommand() {}

    private static int run(Arguments given) throws ParseException, BenchException {
        Duration within = time(WITHIN.text(given));
        int shrink = Benchmarks.SHRINK.number(given, 1, TpccScale.MOST_SHRINK);
        TpcwScale scale = TpcwChoices.scales(TpcwChoices.EBS, given).getFirst();
        Path out = RunOptions.path(RunOptions.OUT, given);
        Path work = RunOptions.path(RunOptions.WORK, given);
        Console console = new ConsoleLines(System.out, System.err);
        List<Experiment> all = new ArrayList<>();
        for (String line : lines(scale, shrink)) {
            all.add(experiment(line, List.of("--out", out.toString(), "--work", work.toString()), console));
        }
        return BenchCommand.run(() -> {
            Ending ending = new FullRun(all, within, out, work, console).run();
            // A run that was interrupted early has no results.
            if (Files.isDirectory(out) && !RunFiles.read(out).isEmpty()) {
                System.out.println(ReportCommand.write(out));
            }
            return ending;
        });
    }

    private static List<String> lines(TpcwScale scale, int shrink) {
        List<Integer> cores = SeriesOptions.coresUpTo(Machine.read().cores());
        TpcwScale small = new TpcwScale(Math.max(1, scale.ebs() / 10), scale.items());
        return EXPERIMENTS
                .lines()
                .filter(line -> cores.size() > 1 || !line.contains("CORES"))
                .map(line -> line.replace("SCALE", size(scale))
                        .replace("SMALL", size(small))
                        .replace("SHRINK ", shrink == 1 ? "" : "--shrink " + shrink + " ")
                        .replace("CORES", Benchmarks.numbers(cores)))
                .distinct()
                .toList();
    }

    private static String size(TpcwScale scale) {
        return "--ebs " + scale.ebs() + " --items " + scale.items();
    }

    private static Experiment experiment(String line, List<String> places, Console console) throws BenchException {
        String command = line.substring(line.indexOf(' ') + 1);
        Experiment.Making making =
                (pace, repetitions, there) -> described(command + pace.options(repetitions), places, console, there);
        // A line that describes no series is noticed here, before anything is run.
        making.of(Pace.of(Duration.ZERO), 1, List.of());
        return new Experiment("bench " + command, Rank.valueOf(line.substring(0, line.indexOf(' '))), making);
    }

    private static Series described(String line, List<String> places, Console console, List<Run> there)
            throws BenchException {
        List<String> words = new ArrayList<>(List.of(line.split(" ")));
        words.addAll(places);
        return BenchCommand.described(words, console, there);
    }

    private static Duration time(String text) throws ParseException {
        Matcher time = TIME.matcher(text);
        if (!time.matches()) {
            throw new ParseException("--within: must be a time such as 40m or 2h, not '" + text + "'");
        }
        int number = Integer.parseInt(time.group(1));
        return time.group(2).equals("h") ? Duration.ofHours(number) : Duration.ofMinutes(number);
    }
}
