package io.multimed.server.satellite;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.propagation.FreshnessGate;
import io.multimed.core.propagation.MasterLog;
import io.multimed.engine.postgresql.cluster.PartialCluster;
import io.multimed.engine.postgresql.partial.CatalogWatch;
import io.multimed.engine.postgresql.writeset.QualifiedName;
import io.multimed.engine.postgresql.writeset.Transaction;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The steps in which a partial Satellite shows commits. Each of them keeps a guarantee: tests break one after the other, and the history
 * of clients must show it.
 *
 * <p>The applier's thread, except where a method says otherwise.
 */
public class FeedSteps {
    /** Returns the tables of which the Satellite gets every change: a transaction comes whole. The worker's thread. */
    protected Predicate<QualifiedName> carried(PartialCluster engine) {
        return engine.carries()::contains;
    }

    /** Returns the position whose commits the copy has: the next one is the first that is applied. The worker's thread. */
    protected long seed(PartialCluster engine, MasterLog log) {
        return engine.seedPosition();
    }

    /** Returns the transactions that are written together: all of them, with all changes, in the order of their commits. */
    protected List<Transaction> written(List<Transaction> group) {
        return group;
    }

    /** Waits until the relay has received a commit: before that, it is above the floor of all other nodes. */
    protected void awaitReceived(MasterLog log, long scn) throws InterruptedException {
        log.awaitReceived(scn);
    }

    /**
     * Waits until it is known that no commit up to here has changed the catalogs.
     *
     * @return the position up to which all must be shown at once
     */
    protected long awaitCatalogs(CatalogWatch catalogs, long scn) throws InterruptedException {
        return catalogs.await(scn);
    }

    /** Publishes commits that are about to be shown, so that the Master shows them to whoever has seen them here. */
    protected void announce(ComputationalNode node, long scn) {
        node.forwarded(Math.max(node.forwarded(), scn));
    }

    /** Publishes that all commits up to here are shown. Past commits that concern no table of the Satellite, too. */
    protected void applied(ComputationalNode node, FreshnessGate gate, long scn) {
        node.applied(scn);
        gate.progressed();
    }

    /** Takes the Satellite out, because the Master's catalogs are others than its own. The thread that compares them. */
    protected void takeOut(Consumer<String> lost, String reason) {
        lost.accept(reason);
    }
}
