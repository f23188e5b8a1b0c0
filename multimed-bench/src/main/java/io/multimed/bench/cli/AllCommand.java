package io.multimed.bench.cli;

import io.multimed.bench.BenchException;
import io.multimed.bench.full.Experiments;
import io.multimed.bench.full.FullRun;
import io.multimed.bench.report.RunFiles;
import io.multimed.bench.series.Ending;
import io.multimed.bench.tpcc.population.TpccScale;
import io.multimed.cli.command.Arguments;
import io.multimed.cli.command.Program;
import io.multimed.cli.command.Subcommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.ParseException;

/** {@code multimed bench all}: all measurements of a report, within a given time. */
final class AllCommand {
    private static final String STANDARD = "40m";
    private static final Pattern TIME = Pattern.compile("(\\d{1,5})(m|h)");
    private static final Option WITHIN =
            Arguments.value("within", "TIME", "How long it may take, as 40m or 2h (default: " + STANDARD + ").");
    private static final Option SHRINK = Arguments.value(
            "shrink", "N", "Divides TPC-C's numbers of items and customers, for a quick look (default: 1).");

    static final Subcommand COMMAND = new Subcommand(
            "bench all",
            "Everything that a report shows, in a time given, and the report.\n"
                    + "First the comparisons, in several repetitions: TPC-W's mixes at 64 clients, one client without a"
                    + " Satellite, the mixes at 400, browsing with 1,000, short interactions beside heavy ones. Then once:"
                    + " the mixes behind the proxies that are installed, Best Sellers left out and alone, replicas of HSQLDB"
                    + " and H2 under TPC-C and TPC-W, freshness, apply, clone, fewer cores, other numbers of"
                    + " clients."
                    + " Says first what it will run, as commands that run each alone, and how long that takes; plans anew"
                    + " after each of them, by what they have taken. More time is more repetitions, from 4h on longer runs;"
                    + " what does not fit is left out, and the report says so. The same command again goes on with what is"
                    + " not in DIR yet, as after Ctrl-C.",
            List.of(WITHIN, TpcwCommand.EBS, TpcwCommand.ITEMS, SHRINK, CommonOptions.OUT, CommonOptions.WORK),
            AllCommand::run);

    private AllCommand() {}

    private static int run(Arguments given) throws ParseException, BenchException {
        Duration within = time(given.text(WITHIN).orElse(STANDARD));
        int shrink = given.number(SHRINK).orElse(1);
        if (shrink < 1 || shrink > TpccScale.MOST_SHRINK) {
            throw new ParseException("--shrink: must be from 1 to " + TpccScale.MOST_SHRINK + ", not " + shrink);
        }
        Path out = given.path(CommonOptions.OUT).orElse(Path.of("results")).toAbsolutePath();
        FullRun full = new Experiments(
                        TpcwCommand.scale(given),
                        shrink,
                        out,
                        given.path(CommonOptions.WORK)
                                .orElse(Path.of(System.getProperty("java.io.tmpdir")))
                                .toAbsolutePath(),
                        Program.VERSION,
                        new ConsoleLines(System.out, System.err))
                .within(within);
        return CommonOptions.run(() -> {
            Ending ending = full.run();
            // A run that was interrupted early has no results.
            if (Files.isDirectory(out) && !RunFiles.read(out).isEmpty()) {
                System.out.println(ReportCommand.write(out));
            }
            return ending;
        });
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
