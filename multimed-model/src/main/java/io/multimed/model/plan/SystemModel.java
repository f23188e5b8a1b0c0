package io.multimed.model.plan;

import io.multimed.model.topology.CpuSet;
import io.multimed.model.topology.Topology;
import java.util.List;

/**
 * Which Computational Nodes there are and which part of the machine each has.
 *
 * @param topology the machine
 * @param sharing how the cores are divided
 * @param middleware the middleware's part
 * @param master the Master
 * @param satellites in the order of their numbers; may be empty
 * @param notes what a person should know about this plan, one sentence each
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

    /** Whether a node's engine has to be bound to its cores: it need not where it may use all, as everybody else may. */
    public boolean binds(NodePlan node) {
        return sharing.pinned() || !node.cpus().equals(topology.cpus());
    }

    /** Hardware threads that no node was given: for the operating system and for programs on the same machine. */
    public CpuSet spare() {
        CpuSet used = middleware.cpus().union(master.cpus());
        for (NodePlan satellite : satellites) {
            used = used.union(satellite.cpus());
        }
        return topology.cpus().minus(used);
    }
}
