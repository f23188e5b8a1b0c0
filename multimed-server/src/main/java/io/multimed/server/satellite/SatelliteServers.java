package io.multimed.server.satellite;

import io.multimed.engine.postgresql.cluster.PartialCluster;
import io.multimed.engine.postgresql.cluster.SatelliteCluster;
import io.multimed.model.plan.NodePlan;
import io.multimed.model.plan.Storage;
import io.multimed.server.config.PartialSatellite;

/** Creates the engines of Satellites; starts nothing. */
public interface SatelliteServers {
    /** Creates the engine of a full Satellite whose data is in that storage. */
    SatelliteCluster full(NodePlan plan, Storage storage);

    /** Creates the engine of a partial Satellite whose data is in that storage. */
    PartialCluster partial(NodePlan plan, PartialSatellite partial, Storage storage);
}
