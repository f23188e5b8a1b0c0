package io.multimed.model.plan;

import io.multimed.model.NodeId;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The user's requests; the planner decides everything that is left open.
 *
 * @param satellites number of full Satellites
 * @param middlewareCores number of physical cores for the middleware
 * @param masterCores number of physical cores for the Master
 * @param storage the place of the Satellites' data
 * @param satelliteSettings engine settings of every Satellite
 * @param nodes requests for single nodes, the Master among them
 * @param parts partial Satellites
 */
public record PlanRequest(
        OptionalInt satellites,
        OptionalInt middlewareCores,
        OptionalInt masterCores,
        Storage storage,
        Map<String, String> satelliteSettings,
        Map<NodeId, NodeRequest> nodes,
        List<PartRequest> parts) {
    /** A request that leaves everything to the planner. */
    public static final PlanRequest DEFAULT = new PlanRequest(
            OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty(), Storage.MEMORY, Map.of(), Map.of());

    public PlanRequest {
        satelliteSettings = Map.copyOf(satelliteSettings);
        nodes = Map.copyOf(nodes);
        parts = List.copyOf(parts);
    }

    /** Creates a request without partial Satellites. */
    public PlanRequest(
            OptionalInt satellites,
            OptionalInt middlewareCores,
            OptionalInt masterCores,
            Storage storage,
            Map<String, String> satelliteSettings,
            Map<NodeId, NodeRequest> nodes) {
        this(satellites, middlewareCores, masterCores, storage, satelliteSettings, nodes, List.of());
    }

    /** Returns the requests for this node. */
    public NodeRequest node(NodeId id) {
        return nodes.getOrDefault(id, NodeRequest.NONE);
    }

    public PlanRequest withSatellites(int count) {
        return new PlanRequest(
                OptionalInt.of(count), middlewareCores, masterCores, storage, satelliteSettings, nodes, parts);
    }

    public PlanRequest withCores(int middleware, int master) {
        return new PlanRequest(
                satellites,
                OptionalInt.of(middleware),
                OptionalInt.of(master),
                storage,
                satelliteSettings,
                nodes,
                parts);
    }

    public PlanRequest withParts(List<PartRequest> wanted) {
        return new PlanRequest(satellites, middlewareCores, masterCores, storage, satelliteSettings, nodes, wanted);
    }
}
