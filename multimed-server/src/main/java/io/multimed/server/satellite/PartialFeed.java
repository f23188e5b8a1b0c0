package io.multimed.server.satellite;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.propagation.FreshnessGate;
import io.multimed.core.propagation.MasterLog;
import io.multimed.core.spi.EngineException;
import io.multimed.engine.postgresql.catalog.AdminConnection;
import io.multimed.engine.postgresql.cluster.PartialCluster;
import io.multimed.engine.postgresql.partial.CatalogWatch;
import io.multimed.engine.postgresql.partial.CatalogWatches;
import io.multimed.engine.postgresql.writeset.Applier;
import io.multimed.engine.postgresql.writeset.MasterWriteSets;
import io.multimed.engine.postgresql.writeset.SubscriberPositions;
import io.multimed.engine.postgresql.writeset.Subscription;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Feeds one partial Satellite: holds the Master's write sets from before its copy on, and applies them from the position of its seed.
 *
 * <p>No commit is shown before the relay has received it: until then it is below no floor, and a session that saw it here could miss it
 * elsewhere. Nor is one shown before it is known that the catalogs are still those of the Satellite.
 *
 * <p>The Satellite's worker thread, except where a method says otherwise.
 */
final class PartialFeed {
    private final ComputationalNode node;
    private final String database;
    private final String superuser;
    private final MasterWriteSets writeSets;
    private final CatalogWatches watches;
    private final MasterLog log;
    private final FreshnessGate gate;
    private final FeedSteps steps;

    private @Nullable CatalogWatch watch;
    private MasterWriteSets.@Nullable Joining joining;
    private @Nullable Subscription subscription;
    private @Nullable Applier applier;

    PartialFeed(
            ComputationalNode node,
            String database,
            String superuser,
            MasterWriteSets writeSets,
            CatalogWatches watches,
            MasterLog log,
            FreshnessGate gate,
            FeedSteps steps) {
        this.node = node;
        this.database = database;
        this.superuser = superuser;
        this.writeSets = writeSets;
        this.watches = watches;
        this.log = log;
        this.gate = gate;
        this.steps = steps;
    }

    /**
     * Has the Master keep the write sets from now on, for a copy that begins after it.
     *
     * @param lost called at most once, by any thread, when the Satellite must be copied anew; it must return at once
     */
    void prepare(List<String> tables, Consumer<String> lost) throws EngineException, InterruptedException {
        end();
        watch = watches.watch(database, reason -> steps.takeOut(lost, reason));
        joining = writeSets.prepare(tables);
    }

    /**
     * Begins to apply write sets.
     *
     * @param engine the copy, which has been started
     * @param connected called when the node's positions may be set, before they are
     * @param lost as for {@link #prepare}
     */
    void begin(PartialCluster engine, Runnable connected, Consumer<String> lost) throws EngineException {
        CatalogWatch watching = watch;
        MasterWriteSets.Joining joins = joining;
        if (watching == null || joins == null) {
            throw new IllegalStateException("not prepared");
        }
        long seed = steps.seed(engine, log);
        watching.seeded(engine.catalogs(), seed);
        Subscription joined = joins.join(steps.carried(engine), seed);
        subscription = joined;
        connected.run();
        node.forwarded(Math.max(node.forwarded(), seed));
        node.applied(seed);
        gate.progressed();
        Applier applies = new Applier(
                node.id().name(),
                joined,
                () -> AdminConnection.open(engine.address(), superuser, database),
                new Positions(watching, lost),
                engine.columns(),
                engine.replayDelay(),
                steps::written);
        applier = applies;
        applies.start();
    }

    /** Ends it, if it has begun. */
    void end() {
        Applier applies = applier;
        if (applies != null) {
            applies.close();
            applier = null;
        }
        Subscription joined = subscription;
        if (joined != null) {
            writeSets.leave(joined);
            subscription = null;
        }
        MasterWriteSets.Joining joins = joining;
        if (joins != null) {
            joins.close();
            joining = null;
        }
        CatalogWatch watching = watch;
        if (watching != null) {
            watching.close();
            watch = null;
        }
    }

    /** Publishes how far the Satellite is. The applier's thread. */
    private final class Positions implements SubscriberPositions {
        private final CatalogWatch catalogs;
        private final Consumer<String> lost;

        Positions(CatalogWatch catalogs, Consumer<String> lost) {
            this.catalogs = catalogs;
            this.lost = lost;
        }

        @Override
        public long forwarded(long scn) throws InterruptedException {
            steps.awaitReceived(log, scn);
            long whole = steps.awaitCatalogs(catalogs, scn);
            if (whole == scn) {
                steps.announce(node, scn);
            }
            return whole;
        }

        @Override
        public void applied(long scn) {
            steps.applied(node, gate, scn);
        }

        @Override
        public void lost(Throwable cause) {
            lost.accept(String.valueOf(cause.getMessage()));
        }
    }
}
