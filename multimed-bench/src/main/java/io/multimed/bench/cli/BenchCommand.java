package io.multimed.bench.cli;

import io.multimed.bench.BenchException;
import io.multimed.bench.Console;
import io.multimed.bench.report.Run;
import io.multimed.bench.series.Ending;
import io.multimed.bench.series.Interruption;
import io.multimed.bench.series.Series;
import io.multimed.cli.command.Arguments;
import io.multimed.cli.command.Subcommand;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.ParseException;

/**
 * A command that describes runs. Other commands describe theirs by it, too: as its name and options.
 *
 * @param name the word behind {@code bench}
 * @param description its first line is the summary in the list of commands
 * @param own its own options, which come first
 * @param common the options of every benchmark
 */
record BenchCommand(String name, String description, List<Choice> own, RunOptions common, Making making) {
    /** Makes the series from its options. */
    interface Making {
        Series of(Arguments given, RunOptions common, Call call) throws ParseException, BenchException;
    }

    /**
     * The call that a series belongs to.
     *
     * @param command the command that makes the series, for results
     * @param there runs of an earlier call, which are not made again
     */
    record Call(String command, Console console, List<Run> there) {}

    /** Work that writes what it measured when it is interrupted. */
    interface Work {
        Ending run() throws BenchException;
    }

    private static final Set<String> PLACES = Set.of("out", "work");

    Subcommand subcommand() {
        return new Subcommand(
                "bench " + name,
                description,
                options(),
                given -> run(series(given, new ConsoleLines(System.out, System.err), List.of())::run));
    }

    private List<Option> options() {
        return Stream.concat(own.stream(), common.all().stream())
                .map(Choice::option)
                .toList();
    }

    private Series series(Arguments given, Console console, List<Run> there) throws ParseException, BenchException {
        String line = Arrays.stream(given.line().getOptions())
                .filter(option -> !PLACES.contains(option.getLongOpt()))
                .map(option -> " --" + option.getLongOpt() + " " + quoted(option.getValue()))
                .collect(Collectors.joining("", "./multimed bench " + name, ""));
        return making.of(given, common, new Call(line, console, there));
    }

    private static String quoted(String value) {
        return value.matches("[\\w.,=/:-]+") ? value : "'" + value + "'";
    }

    /**
     * Returns the series that a line describes.
     *
     * @param line the name of a command and its options
     */
    static Series described(List<String> line, Console console, List<Run> there) throws BenchException {
        BenchCommand command = Benchmarks.ALL.stream()
                .filter(one -> one.name().equals(line.getFirst()))
                .findFirst()
                .orElseThrow();
        try {
            return command.series(Arguments.parse(command.options(), line.subList(1, line.size())), console, there);
        } catch (ParseException e) {
            throw new IllegalArgumentException(String.join(" ", line), e);
        }
    }

    /** @return the exit status */
    static int run(Work work) throws BenchException {
        Interruption interruption = new Interruption();
        try {
            return switch (work.run()) {
                case DONE -> 0;
                case VOID -> 1;
                case INTERRUPTED -> Interruption.STATUS;
            };
        } finally {
            interruption.done();
        }
    }
}
