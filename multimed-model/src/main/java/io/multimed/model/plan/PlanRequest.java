package io.multimed.model.plan;

import io.multimed.model.NodeId;
import java.util.Map;
import java.util.OptionalInt;

/**
 * What the user asked for; what is left open the planner decides.
 *
 * @param satellites how many
 * @param middlewareCores physical cores for the middleware
 * @param masterCores physical cores for the Master
 * @param storage where Satellites keep their data
 * @param satelliteSettings engine settings of every Satellite
 * @param nodes what is wanted of single nodes, the Master among them
 */
public record PlanRequest(
        OptionalInt satellites,
        OptionalInt middlewareCores,
        OptionalInt masterCores,
        Storage storage,
        Map<String, String> satelliteSettings,
        Map<NodeId, NodeRequest> nodes) {
    /** Everything left to the planner. */
    public static final PlanRequest DEFAULT = new PlanRequest(
            OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty(), Storage.MEMORY, Map.of(), Map.of());

    public PlanRequest {
        satelliteSettings = Map.copyOf(satelliteSettings);
        nodes = Map.copyOf(nodes);
    }

    /** What is wanted of this node. */
    public NodeRequest node(NodeId id) {
        return nodes.getOrDefault(id, NodeRequest.NONE);
    }

    public PlanRequest withSatellites(int count) {
        return new PlanRequest(OptionalInt.of(count), middlewareCores, masterCores, storage, satelliteSettings, nodes);
    }

    public PlanRequest withCores(int middleware, int master) {
        return new PlanRequest(
                satellites, OptionalInt.of(middleware), OptionalInt.of(master), storage, satelliteSettings, nodes);
    }
}
