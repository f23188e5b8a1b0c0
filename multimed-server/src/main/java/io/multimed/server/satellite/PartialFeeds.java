package io.multimed.server.satellite;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.propagation.FreshnessGate;
import io.multimed.core.propagation.MasterLog;
import io.multimed.engine.postgresql.NodeAddress;
import io.multimed.engine.postgresql.partial.CatalogWatches;
import io.multimed.engine.postgresql.relay.CatalogChange;
import io.multimed.engine.postgresql.writeset.CaptureKind;
import io.multimed.engine.postgresql.writeset.MasterWriteSets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The sources of all partial Satellites of an instance: the write sets of each database, and the watches of the catalogs.
 *
 * <p>Thread-safe. Without partial Satellites it has no thread and does nothing.
 */
public final class PartialFeeds implements AutoCloseable {
    private final NodeAddress master;
    private final String superuser;
    private final CaptureKind capture;
    private final MasterLog log;
    private final FreshnessGate gate;
    private final List<ComputationalNode> nodes;
    private final FeedSteps steps;
    private final CatalogWatches watches;
    private final Map<String, MasterWriteSets> writeSets = new ConcurrentHashMap<>();

    /**
     * @param superuser of the Master and its copies
     * @param capture of the Master's changes
     * @param nodes all Satellites
     */
    public PartialFeeds(
            NodeAddress master,
            String superuser,
            CaptureKind capture,
            List<ComputationalNode> nodes,
            MasterLog log,
            FreshnessGate gate,
            FeedSteps steps) {
        this.master = master;
        this.superuser = superuser;
        this.capture = capture;
        this.log = log;
        this.gate = gate;
        this.steps = steps;
        this.nodes = nodes.stream().filter(node -> !node.contents().isWhole()).toList();
        watches = new CatalogWatches(master, superuser);
    }

    /** Starts to watch the catalogs; the Master must be serving. */
    public void start() {
        if (!nodes.isEmpty()) {
            watches.start();
        }
    }

    /** Returns the feed of one partial Satellite. */
    PartialFeed of(ComputationalNode node, String database) {
        return new PartialFeed(
                node,
                database,
                superuser,
                writeSets.computeIfAbsent(database, name -> new MasterWriteSets(master, superuser, name, capture)),
                watches,
                log,
                gate,
                steps);
    }

    /** Has the Master report how far its log is decoded, because a reader waits. Any thread; does not block. */
    public void requestProgress() {
        if (!nodes.isEmpty()) {
            writeSets.values().forEach(MasterWriteSets::requestProgress);
        }
    }

    /**
     * Requests progress if a partial Satellite is behind: the Master does not report commits that concern none of its tables unless it
     * is asked. Called by the timer.
     */
    public void tick() {
        long floor = log.floor();
        for (ComputationalNode node : nodes) {
            if (node.applied() < floor) {
                requestProgress();
                return;
            }
        }
    }

    /** Records a commit that may have changed catalogs. The relay's thread; returns at once. */
    public void changed(CatalogChange change) {
        if (!nodes.isEmpty()) {
            watches.changed(change);
            // A table may have lost its replica identity.
            writeSets.values().forEach(MasterWriteSets::catalogChanged);
        }
    }

    /** Records that commits may have happened that the relay did not report. Any thread; returns at once. */
    public void everythingMayHaveChanged() {
        if (!nodes.isEmpty()) {
            watches.everythingMayHaveChanged();
        }
    }

    /** Ends the sources, after the Satellites; the Master must still be serving, so that it can drop what it keeps for them. */
    @Override
    public void close() {
        watches.close();
        writeSets.values().forEach(MasterWriteSets::close);
    }
}
