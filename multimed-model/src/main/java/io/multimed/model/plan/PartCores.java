package io.multimed.model.plan;

import io.multimed.model.topology.Core;
import io.multimed.model.topology.CpuSet;
import io.multimed.model.topology.Topology;
import java.util.ArrayList;
import java.util.List;

/**
 * Gives partial Satellites the cores that the user requested for them, from the last core of the machine downwards. No other engine
 * uses these.
 */
final class PartCores {
    private PartCores() {}

    /**
     * Changes a placement.
     *
     * @param placed of all Satellites, the partial ones last
     * @param parts the partial ones, in the same order
     * @throws IllegalArgumentException if nothing would be left for another node
     */
    static CorePlacement.Result apart(CorePlacement.Result placed, Topology topology, List<PartRequest> parts) {
        if (parts.stream().allMatch(part -> part.cores().isEmpty())) {
            return placed;
        }
        List<Core> cores = topology.cores();
        int end = cores.size();
        CpuSet taken = CpuSet.EMPTY;
        List<CpuSet> own = new ArrayList<>();
        for (PartRequest part : parts) {
            int wanted = part.cores().orElse(0);
            if (wanted >= end) {
                throw new IllegalArgumentException(
                        "satellites." + part.id() + ".cores (" + wanted + ") do not fit on a machine of " + cores.size()
                                + " cores, as others need at least one of them");
            }
            CpuSet cpus =
                    cores.subList(end - wanted, end).stream().map(Core::cpus).reduce(CpuSet.EMPTY, CpuSet::union);
            own.add(cpus);
            taken = taken.union(cpus);
            end -= wanted;
        }
        CpuSet master = rest(placed.master(), taken, "the master");
        CpuSet middleware = rest(placed.middleware(), taken, "the middleware");
        int full = placed.satellites().size() - parts.size();
        List<CpuSet> satellites = new ArrayList<>();
        for (int i = 0; i < placed.satellites().size(); i++) {
            CpuSet cpus = i < full ? CpuSet.EMPTY : own.get(i - full);
            satellites.add(cpus.isEmpty() ? rest(placed.satellites().get(i), taken, "another satellite") : cpus);
        }
        return new CorePlacement.Result(placed.sharing(), middleware, master, satellites);
    }

    private static CpuSet rest(CpuSet placed, CpuSet taken, String node) {
        CpuSet rest = placed.minus(taken);
        if (rest.isEmpty()) {
            throw new IllegalArgumentException(
                    "the cores of satellites.NAME.cores (" + taken + ") leave none for " + node);
        }
        return rest;
    }
}
