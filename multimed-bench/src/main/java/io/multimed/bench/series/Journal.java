package io.multimed.bench.series;

import io.multimed.bench.BenchException;
import io.multimed.bench.Console;
import io.multimed.bench.measure.Machine;
import io.multimed.bench.report.Run;
import io.multimed.bench.report.RunFiles;
import io.multimed.bench.report.RunTables;
import io.multimed.bench.report.Sweep;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The runs of one call, written and reported as they end. Used by one thread. */
final class Journal {
    private final Path out;
    private final Console console;
    private final String series = LocalDateTime.now(ZoneId.systemDefault())
            .format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT));
    private final List<Run> there;
    private final List<Run> runs = new ArrayList<>();
    private int expected;
    private Ending ending = Ending.DONE;

    /**
     * @param there runs of an earlier call, which need not be made again
     */
    Journal(Path out, Console console, List<Run> there) {
        this.out = out;
        this.console = console;
        this.there = there.stream().filter(Run::valid).toList();
    }

    /** Whether an earlier call has made a valid run with that version of Multimed and these parameters. */
    boolean has(String version, String benchmark, String system, int number, Map<String, String> parameters) {
        return there.stream()
                .anyMatch(run -> run.benchmark().equals(benchmark)
                        && run.system().equals(system)
                        && run.number() == number
                        && run.version().equals(version)
                        && run.machine().equals(Machine.read())
                        && Sweep.alike(run.parameters(), parameters));
    }

    /** @param runs that this call is to make */
    void expect(int runs) {
        expected = runs;
    }

    /** Returns the number of the next run, for progress. */
    String next() {
        return (runs.size() + 1) + (expected > 0 ? " of " + expected : "");
    }

    List<Run> runs() {
        return List.copyOf(runs);
    }

    Ending ending() {
        return ending;
    }

    boolean interrupted() {
        return ending == Ending.INTERRUPTED;
    }

    void interrupt() {
        ending = Ending.INTERRUPTED;
    }

    /** @param point where on the axes of the series, part of the file's name; empty if it has but one */
    void finished(Run run, String point) throws BenchException {
        runs.add(run);
        Path file = RunFiles.write(out, series + (point.isEmpty() ? "" : "-" + point), run);
        console.say(String.format(
                Locale.ROOT,
                "%s%s, %s, run %d: %.1f %s/s, p99 %.1f ms, %d errors (%s)",
                run.benchmark(),
                point.isEmpty() ? "" : ", " + point,
                run.system(),
                run.number(),
                run.measured().perSecond(),
                run.operations(),
                run.measured().all().p99(),
                run.measured().failures(),
                file.getFileName()));
        run.measured().errors().forEach((error, count) -> console.say("  " + count + " times: " + error));
        if (run.interrupted()) {
            ending = Ending.INTERRUPTED;
        } else if (!run.valid()) {
            ending = Collections.max(List.of(ending, Ending.VOID));
            console.say("  void: " + (run.failure().isEmpty() ? "" : run.failure()));
            run.checks().stream()
                    .filter(check -> !check.holds())
                    .forEach(check -> console.say("  not so: " + check.invariant() + ": " + check.contradiction()));
        }
    }

    /** Prints tables of the runs so far. */
    void tell() {
        for (List<Run> sweep : Sweep.groups(runs)) {
            console.result(Sweep.text(sweep) + "\n");
        }
        List<List<Run>> alike = Sweep.points(runs);
        for (List<Run> point : alike) {
            // If there are many, each has its page in the report.
            if (alike.size() == 1) {
                console.result(String.join(
                        "\n",
                        RunTables.operations(point),
                        RunTables.systems(point),
                        RunTables.figures(point),
                        RunTables.inside(point)));
            }
        }
    }
}
