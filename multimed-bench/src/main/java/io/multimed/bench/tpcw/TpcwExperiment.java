package io.multimed.bench.tpcw;

import io.multimed.bench.load.Connector;
import io.multimed.bench.load.LoadProgress;
import io.multimed.bench.series.Benchmark;
import io.multimed.bench.series.Episode;
import io.multimed.bench.series.Trial;
import io.multimed.bench.system.Carried;
import io.multimed.bench.system.RunningSystem;
import io.multimed.bench.tpcw.check.TpcwBefore;
import io.multimed.bench.tpcw.population.TpcwScale;
import io.multimed.bench.tpcw.workload.Chain;
import io.multimed.bench.tpcw.workload.Interaction;
import io.multimed.bench.tpcw.workload.TpcwWorkload;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * An experiment on TPC-W's population, by clients that do TPC-W's interactions.
 *
 * @param tpcw with the clients' workload
 * @param own parameters of the experiment
 * @param place on an axis of its own; empty if it has none
 * @param heavy clients with heavy interactions beside the chosen ones
 * @param heavily the heavy interactions
 */
public record TpcwExperiment(Tpcw tpcw, Map<String, String> own, String place, int heavy, Chain heavily, Acting acting)
        implements Benchmark<TpcwBefore> {
    /** Makes the actions on a system in one run. */
    public interface Acting {
        Episode on(RunningSystem system, Consumer<String> progress);
    }

    private static final long MB = 1_000_000;
    /** Purchases alone, every interaction an update: a cart, the buyer, the order. */
    private static final List<Interaction> BUYING = List.of(Interaction.SHOP, Interaction.BUYR, Interaction.BUYC);

    private static final TpcwWorkload SHORT =
            TpcwWorkload.cycle("load interaction", List.of(Interaction.HOME, Interaction.PROD, Interaction.SREQ));
    private static final Chain HEAVY = TpcwWorkload.cycle("heavy", List.of(Interaction.BESS, Interaction.SRES))
            .chain();
    /** Short ones, of which one updates tables that Best Sellers does not read. */
    private static final TpcwWorkload BESIDE = TpcwWorkload.cycle(
            "short beside best sellers",
            List.of(Interaction.HOME, Interaction.PROD, Interaction.SREQ, Interaction.SHOP));

    private static final Chain BEST_SELLERS =
            TpcwWorkload.only(Interaction.BESS).chain();

    /**
     * Measures how long the copy of a Satellite that has lost its memory takes, without other load and beside clients that
     * only buy.
     */
    public static TpcwExperiment cloning(TpcwScale scale, long seed) {
        return new TpcwExperiment(
                new Tpcw(TpcwWorkload.cycle("clone beside buying", BUYING), scale, seed),
                Map.of("estimated MB", Long.toString(scale.estimatedBytes() / MB)),
                scale.ebs() + "-ebs",
                0,
                HEAVY,
                Loss::new);
    }

    /**
     * Measures how soon a copy shows a commit beside no load, and how fast it catches up.
     *
     * @param transactions of the backlog
     * @param unique number of unique indexes beside the primary keys of orders and their lines, on the copy too
     */
    public static TpcwExperiment catchingUp(TpcwScale scale, long seed, int transactions, int unique) {
        return new TpcwExperiment(
                new Tpcw(TpcwWorkload.cycle("catch up", BUYING), scale, seed),
                Map.of(
                        "backlog transactions",
                        Integer.toString(transactions),
                        "unique indexes",
                        Integer.toString(unique)),
                unique + "-unique",
                0,
                HEAVY,
                (system, progress) -> new Backlog(system, progress, transactions, unique));
    }

    /** Measures the cost of clients with heavy queries, BESS and SRES, to clients with short ones: HOME, PROD and SREQ. */
    public static TpcwExperiment interaction(TpcwScale scale, long seed, int heavy) {
        return beside(SHORT, HEAVY, scale, seed, heavy);
    }

    /** Measures short interactions, updates among them, beside clients that ask for Best Sellers again and again. */
    public static TpcwExperiment shortLong(TpcwScale scale, long seed, int heavy) {
        return beside(BESIDE, BEST_SELLERS, scale, seed, heavy);
    }

    private static TpcwExperiment beside(TpcwWorkload some, Chain heavily, TpcwScale scale, long seed, int heavy) {
        // The frequencies result from the systems' speeds, so none are stated.
        Tpcw tpcw = new Tpcw(new TpcwWorkload(some.text(), some.chain(), Map.of()), scale, seed);
        return new TpcwExperiment(
                tpcw,
                Map.of("heavy clients", Integer.toString(heavy)),
                heavy + "-heavy",
                heavy,
                heavily,
                tpcw::episode);
    }

    @Override
    public String name() {
        return tpcw.name();
    }

    @Override
    public Carried carried() {
        return tpcw.carried();
    }

    @Override
    public Map<String, String> parameters() {
        Map<String, String> parameters = tpcw.parameters();
        parameters.putAll(own);
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
                number -> number <= clients ? tpcw.workload().chain() : heavily);
    }
}
