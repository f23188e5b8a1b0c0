package io.multimed.model.plan;

import io.multimed.model.topology.Core;
import io.multimed.model.topology.CoreKind;
import io.multimed.model.topology.CpuSet;
import io.multimed.model.topology.MachineShape;
import io.multimed.model.topology.NumaNode;
import io.multimed.model.topology.Topology;
import java.util.ArrayList;
import java.util.List;

/** Machines on which plans are tested. */
final class Machines {
    static final long GB = 1L << 30;

    private Machines() {}

    /** The machine of the EuroSys paper: 4 sockets, 2 dies each, 6 cores each, a memory controller per die. */
    static Topology opteron48() {
        return Topology.regular("opteron-48", new MachineShape(4, 2, 6, 1, true), 128 * GB);
    }

    static Topology flat(int cores) {
        return Topology.regular("flat-" + cores, new MachineShape(1, 1, cores, 1, false), 64 * GB);
    }

    static Topology epyc64() {
        return Topology.regular("epyc-64", new MachineShape(1, 8, 8, 2, false), 256 * GB);
    }

    static Topology xeon2s() {
        return Topology.regular("xeon-2s", new MachineShape(2, 1, 16, 2, false), 192 * GB);
    }

    static Topology arm64() {
        return Topology.regular("arm-64", new MachineShape(1, 1, 64, 1, false), 128 * GB);
    }

    /** A hypervisor that shows each virtual cpu as a socket. */
    static Topology socketPerCpu16() {
        return Topology.regular("sockets-16", new MachineShape(16, 1, 1, 1, false), 64 * GB);
    }

    /** A hypervisor that shows each virtual cpu as a socket and one NUMA node for all of them. */
    static Topology socketPerCpuOneNode16() {
        return new Topology(
                "sockets-one-node-16",
                socketPerCpu16().cores().stream()
                        .map(core -> new Core(core.cpus(), core.packageNumber(), core.die(), 0, core.kind()))
                        .toList(),
                List.of(new NumaNode(0, 64 * GB)),
                64 * GB,
                Topology.NO_QUOTA);
    }

    /** 6 performance cores with two threads, 8 efficiency cores, one shared cache. */
    static Topology hybridLaptop() {
        List<Core> cores = new ArrayList<>();
        for (int core = 0; core < 6; core++) {
            cores.add(new Core(CpuSet.of(2 * core, 2 * core + 1), 0, 0, 0, CoreKind.PERFORMANCE));
        }
        for (int cpu = 12; cpu < 20; cpu++) {
            cores.add(new Core(CpuSet.of(cpu), 0, 0, 0, CoreKind.EFFICIENCY));
        }
        return new Topology("hybrid", cores, List.of(new NumaNode(0, 32 * GB)), 32 * GB, Topology.NO_QUOTA);
    }
}
