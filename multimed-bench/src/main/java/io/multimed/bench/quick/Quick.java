package io.multimed.bench.quick;

import io.multimed.bench.BenchException;
import io.multimed.bench.Console;
import io.multimed.bench.measure.Machine;
import io.multimed.bench.series.Ending;
import io.multimed.bench.series.Series;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The regression guard: TPC-W's three mixes, Multimed against one PostgreSQL, in less than three minutes.
 *
 * @param stored file of ratios
 * @param store whether to write it rather than compare with it
 */
public record Quick(Path stored, boolean store, Described described, String version, Console console) {
    /** Makes a series from the line that describes it. */
    public interface Described {
        Series series(String line) throws BenchException;
    }

    private static final String MEASURE = "standalone";
    private static final String MULTIMED = "multimed";
    private static final String MIXES = "browsing,shopping,ordering";

    /** The parameters of its runs. */
    private static final Map<String, String> PARAMETERS = Map.of(
            "ebs", "10",
            "items", "10000",
            "clients", "16",
            "warmup seconds", "6 to 16, until throughput has stopped rising",
            "seconds", "8",
            "satellites", "1");

    /**
     * The same parameters as options. The warm-up is for the middleware's JVM, which takes longer the more of the processors
     * other programs use; PostgreSQL is at its speed at once.
     */
    private static final String LINE =
            "tpcw --ebs 10 --items 10000 --clients 16 --warmup 6-16 --time 8 --runs 1 --against " + MEASURE;

    /** @return {@link Ending#VOID} also if a ratio has fallen */
    public Ending run() throws BenchException {
        Ratios before = new Ratios(Machine.read(), version, PARAMETERS, Map.of());
        if (!store) {
            before = Ratios.read(stored);
            before.requireComparable(stored, Machine.read(), PARAMETERS);
        }
        Series series = described.series(LINE + " --mix " + MIXES);
        Ending ending = series.run();
        if (ending != Ending.DONE) {
            return ending;
        }
        Map<String, Double> now = Ratios.of(series.runs(), MULTIMED, MEASURE);
        if (store) {
            new Ratios(Machine.read(), version, PARAMETERS, now).write(stored);
            console.result("stored in " + stored + ": " + now + "\n");
            return Ending.DONE;
        }
        List<String> fallen = before.fallen(now);
        if (!fallen.isEmpty()) {
            console.say("measuring again what has fallen, since a single pair may deceive: " + fallen);
            Series again = described.series(LINE + " --seed 2 --mix "
                    + fallen.stream().map(name -> name.replace("tpcw ", "")).collect(Collectors.joining(",")));
            ending = again.run();
            if (ending == Ending.INTERRUPTED) {
                return ending;
            }
            Ratios.of(again.runs(), MULTIMED, MEASURE).forEach((name, ratio) -> now.merge(name, ratio, Math::max));
        }
        console.result(before.compared(now));
        return before.fallen(now).isEmpty() ? ending : Ending.VOID;
    }
}
