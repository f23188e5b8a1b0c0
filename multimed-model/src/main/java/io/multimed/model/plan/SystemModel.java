package io.multimed.model.plan;

import io.multimed.model.topology.CpuSet;
import io.multimed.model.topology.Topology;
import java.util.List;

/**
 * The Computational Nodes and the part of the machine that each has.
 *
 * @param topology the machine
 * @param sharing the division of the cores
 * @param middleware the middleware's part
 * @param master the Master
 * @param satellites in the order of their numbers; may be empty
 * @param notes remarks on this plan for people, one sentence each
 */
public record SystemModel(
        Topology topology,
        Sharing sharing,
        MiddlewarePlan middleware,
        NodePlan master,
        List<NodePlan> satellites,
        List<String> notes) {
    public SystemModel {
        satellites = List.copyOf(satellites);
        notes = List.copyOf(notes);
    }

    /** Whether a node's engine has to be bound to its cores. It need not if every node may use all cores. */
    public boolean binds(NodePlan node) {
        return sharing.pinned() || !node.cpus().equals(topology.cpus());
    }

    /** Returns the hardware threads that no node has, for the operating system and other programs on the machine. */
    public CpuSet spare() {
        CpuSet used = middleware.cpus().union(master.cpus());
        for (NodePlan satellite : satellites) {
            used = used.union(satellite.cpus());
        }
        return topology.cpus().minus(used);
    }
}
