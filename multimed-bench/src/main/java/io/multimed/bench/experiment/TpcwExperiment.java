package io.multimed.bench.experiment;

import io.multimed.bench.load.Connector;
import io.multimed.bench.load.LoadProgress;
import io.multimed.bench.series.Benchmark;
import io.multimed.bench.series.Episode;
import io.multimed.bench.series.Trial;
import io.multimed.bench.system.RunningSystem;
import io.multimed.bench.tpcw.Tpcw;
import io.multimed.bench.tpcw.check.TpcwBefore;
import io.multimed.bench.tpcw.population.TpcwScale;
import io.multimed.bench.tpcw.workload.Interaction;
import io.multimed.bench.tpcw.workload.TpcwWorkload;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * An experiment on TPC-W's population, by clients that do TPC-W's interactions.
 *
 * @param tpcw with the clients' workload
 * @param own parameter of the experiment, and its value
 * @param place on an axis of its own; empty if it has none
 * @param heavy clients with heavy interactions beside the chosen ones
 * @param secondsBeside of a run, beside its clients' work
 * @param copiesBeside of the database in a run
 */
public record TpcwExperiment(
        Tpcw tpcw,
        Map.Entry<String, String> own,
        String place,
        int heavy,
        int secondsBeside,
        int copiesBeside,
        Acting acting)
        implements Benchmark<TpcwBefore> {
    /** Makes the actions on a system in one run. */
    public interface Acting {
        Episode on(RunningSystem system, Consumer<String> progress);
    }

    private static final int COPIES = 4;
    private static final long MB = 1_000_000;
    /** Purchases alone, every interaction an update: a cart, the buyer, the order. */
    private static final List<Interaction> BUYING = List.of(Interaction.SHOP, Interaction.BUYR, Interaction.BUYC);

    private static final TpcwWorkload SHORT =
            TpcwWorkload.cycle("load interaction", List.of(Interaction.HOME, Interaction.PROD, Interaction.SREQ));
    private static final TpcwWorkload HEAVY = TpcwWorkload.cycle("heavy", List.of(Interaction.BESS, Interaction.SRES));

    /**
     * Measures how fast a Satellite replays the Master's log while clients only buy, and how it catches up after a pause.
     *
     * @param pause for which the Satellite replays nothing
     */
    public static TpcwExperiment applying(TpcwScale scale, long seed, Duration pause) {
        int seconds = (int) pause.toSeconds();
        return new TpcwExperiment(
                new Tpcw(TpcwWorkload.cycle("apply beside buying", BUYING), scale, seed),
                Map.entry("pause seconds", Integer.toString(seconds)),
                "",
                0,
                // The pause, and until the Satellite has caught up.
                4 * seconds,
                COPIES,
                (system, progress) -> new Pause(system, pause, progress));
    }

    /**
     * Measures how long the copy of a Satellite that has lost its memory takes, without other load and beside clients that
     * only buy.
     */
    public static TpcwExperiment cloning(TpcwScale scale, long seed) {
        return new TpcwExperiment(
                new Tpcw(TpcwWorkload.cycle("clone beside buying", BUYING), scale, seed),
                Map.entry("estimated MB", Long.toString(scale.estimatedBytes() / MB)),
                scale.ebs() + "-ebs",
                0,
                0,
                // The Satellite is copied twice more.
                COPIES + 2,
                Loss::new);
    }

    /** Measures the cost of clients with heavy queries, BESS and SRES, to clients with short ones: HOME, PROD and SREQ. */
    public static TpcwExperiment interaction(TpcwScale scale, long seed, int heavy) {
        return new TpcwExperiment(
                // The frequencies result from the systems' speeds, so none are stated.
                new Tpcw(new TpcwWorkload(SHORT.text(), SHORT.chain(), Map.of()), scale, seed),
                Map.entry("heavy clients", Integer.toString(heavy)),
                heavy + "-heavy",
                heavy,
                0,
                COPIES,
                (system, progress) -> Episode.NONE);
    }

    @Override
    public String name() {
        return tpcw.name();
    }

    @Override
    public String operations() {
        return tpcw.operations();
    }

    @Override
    public Map<String, String> parameters() {
        Map<String, String> parameters = tpcw.parameters();
        parameters.put(own.getKey(), own.getValue());
        return parameters;
    }

    @Override
    public long estimatedBytes() {
        return tpcw.estimatedBytes();
    }

    @Override
    public String isolationOfReads() {
        return tpcw.isolationOfReads();
    }

    @Override
    public String isolation() {
        return tpcw.isolation();
    }

    @Override
    public String sizedBy() {
        return tpcw.sizedBy();
    }

    @Override
    public TpcwBefore load(Connector database, LoadProgress progress) throws SQLException, InterruptedException {
        return tpcw.load(database, progress);
    }

    @Override
    public String summary(TpcwBefore loaded) {
        return tpcw.summary(loaded);
    }

    @Override
    public int atWork(int clients) {
        return clients + heavy;
    }

    @Override
    public Episode episode(RunningSystem system, Consumer<String> progress) {
        return acting.on(system, progress);
    }

    @Override
    public Trial trial(TpcwBefore loaded, int clients, long seed) {
        return tpcw.trial(
                loaded,
                atWork(clients),
                seed,
                number -> number <= clients ? tpcw.workload().chain() : HEAVY.chain());
    }
}
