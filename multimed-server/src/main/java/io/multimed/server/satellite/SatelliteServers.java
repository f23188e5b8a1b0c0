package io.multimed.server.satellite;

import io.multimed.engine.postgresql.cluster.PartialCluster;
import io.multimed.engine.postgresql.cluster.SatelliteCluster;
import io.multimed.engine.postgresql.indexes.MovedIndex;
import io.multimed.model.plan.NodePlan;
import io.multimed.model.plan.Storage;
import io.multimed.server.config.PartialSatellite;
import java.util.List;
import java.util.function.Supplier;

/** Creates the engines of Satellites; starts nothing. */
public interface SatelliteServers {
    /** Creates the engine of a full Satellite whose data is in that storage. */
    SatelliteCluster full(NodePlan plan, Storage storage);

    /**
     * Creates the engine of a partial Satellite whose data is in that storage.
     *
     * @param tables those that it carries; asked before each copy
     * @param moved indexes that the Master has not; asked after each copy
     */
    PartialCluster partial(
            NodePlan plan,
            PartialSatellite partial,
            Supplier<List<String>> tables,
            Supplier<List<MovedIndex>> moved,
            Storage storage);
}
