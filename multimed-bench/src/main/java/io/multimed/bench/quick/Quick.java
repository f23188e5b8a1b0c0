package io.multimed.bench.quick;

import io.multimed.bench.BenchException;
import io.multimed.bench.Console;
import io.multimed.bench.measure.Machine;
import io.multimed.bench.report.Run;
import io.multimed.bench.series.Benchmark;
import io.multimed.bench.series.Ending;
import io.multimed.bench.series.PostgresSeries;
import io.multimed.bench.series.SeriesOptions;
import io.multimed.bench.series.Warmup;
import io.multimed.bench.tpcw.Tpcw;
import io.multimed.bench.tpcw.check.TpcwBefore;
import io.multimed.bench.tpcw.population.TpcwScale;
import io.multimed.bench.tpcw.workload.TpcwMix;
import io.multimed.bench.tpcw.workload.TpcwWorkload;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The regression guard: TPC-W's three mixes, Multimed against one PostgreSQL, in less than three minutes. */
public final class Quick {
    private static final String MEASURE = "standalone";
    private static final String MULTIMED = "multimed";
    private static final TpcwScale SCALE = new TpcwScale(10, 10_000);
    private static final int CLIENTS = 16;
    /**
     * Warm-up for the middleware's JVM, which takes longer the more of the processors other programs use. PostgreSQL is at its
     * speed at once.
     */
    private static final Warmup WARMUP = new Warmup(6, 16);

    private static final int SECONDS = 8;
    private static final int POOL = 20;

    private final Path stored;
    private final boolean store;
    private final Path out;
    private final Path work;
    private final String version;
    private final Console console;
    private final Map<String, String> parameters = Map.of(
            "ebs", Integer.toString(SCALE.ebs()),
            "items", Integer.toString(SCALE.items()),
            "clients", Integer.toString(CLIENTS),
            "warmup seconds", WARMUP.text(),
            "seconds", Integer.toString(SECONDS),
            "satellites", "1");

    /**
     * @param stored file of ratios
     * @param store whether to write it rather than compare with it
     */
    public Quick(Path stored, boolean store, Path out, Path work, String version, Console console) {
        this.stored = stored;
        this.store = store;
        this.out = out;
        this.work = work;
        this.version = version;
        this.console = console;
    }

    /** @return {@link Ending#VOID} also if a ratio has fallen */
    public Ending run() throws BenchException {
        Ratios before = new Ratios(Machine.read(), version, parameters, Map.of());
        if (!store) {
            before = Ratios.read(stored);
            before.requireComparable(stored, Machine.read(), parameters);
        }
        List<Run> runs = new ArrayList<>();
        Ending ending = measure(Arrays.asList(TpcwMix.values()), 1, runs);
        Map<String, Double> now = Ratios.of(runs, MULTIMED, MEASURE);
        if (ending != Ending.DONE) {
            return ending;
        }
        if (store) {
            new Ratios(Machine.read(), version, parameters, now).write(stored);
            console.result("stored in " + stored + ": " + now + "\n");
            return Ending.DONE;
        }
        List<String> fallen = before.fallen(now);
        if (!fallen.isEmpty()) {
            console.say("measuring again what has fallen, since a single pair may deceive: " + fallen);
            List<Run> again = new ArrayList<>();
            ending = measure(
                    Arrays.stream(TpcwMix.values())
                            .filter(mix -> fallen.contains("tpcw " + mix.text()))
                            .toList(),
                    2,
                    again);
            if (ending == Ending.INTERRUPTED) {
                return ending;
            }
            Ratios.of(again, MULTIMED, MEASURE).forEach((name, ratio) -> now.merge(name, ratio, Math::max));
        }
        console.result(before.compared(now));
        return before.fallen(now).isEmpty() ? ending : Ending.VOID;
    }

    private Ending measure(List<TpcwMix> mixes, long seed, List<Run> runs) throws BenchException {
        SeriesOptions options = new SeriesOptions(
                List.of(CLIENTS),
                List.of(0),
                List.of(MEASURE, MULTIMED),
                1,
                WARMUP,
                SECONDS,
                1,
                out,
                work,
                seed,
                POOL,
                Map.of());
        List<Benchmark<TpcwBefore>> benchmarks = mixes.stream()
                .<Benchmark<TpcwBefore>>map(mix -> new Tpcw(TpcwWorkload.of(mix), SCALE, seed))
                .toList();
        PostgresSeries<TpcwBefore> series = new PostgresSeries<>(benchmarks, options, version, console);
        Ending ending = series.run();
        runs.addAll(series.runs());
        return ending;
    }
}
