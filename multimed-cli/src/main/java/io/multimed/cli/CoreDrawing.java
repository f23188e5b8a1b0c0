package io.multimed.cli;

import io.multimed.model.plan.NodePlan;
import io.multimed.model.plan.SystemModel;
import io.multimed.model.topology.Core;
import io.multimed.model.topology.CoreKind;
import io.multimed.model.topology.CpuSet;
import io.multimed.model.topology.Topology;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/**
 * Draws the cores of a machine, each with its users: {@code w} for the middleware, {@code M} for the Master, numbers for the
 * Satellites, a dot for none.
 */
final class CoreDrawing {
    private static final int MOST_PER_LINE = 16;

    private CoreDrawing() {}

    /** Returns the lines of the drawing, each ended by a line feed. */
    static String of(SystemModel model) {
        Topology topology = model.topology();
        StringBuilder drawing = new StringBuilder();
        drawing.append(headline(topology)).append('\n');
        int width = topology.cores().stream()
                .mapToInt(core -> users(model, core).length())
                .max()
                .orElse(1);
        Core previous = null;
        int inLine = 0;
        for (Core core : topology.cores()) {
            boolean newGroup = previous == null
                    || previous.packageNumber() != core.packageNumber()
                    || previous.die() != core.die()
                    || previous.kind() != core.kind();
            if (newGroup) {
                drawing.append(previous == null ? "" : "\n").append(label(topology, core));
                inLine = 0;
            } else if (inLine % MOST_PER_LINE == 0) {
                drawing.append('\n').append(" ".repeat(label(topology, core).length()));
            }
            drawing.append(' ').append(String.format(Locale.ROOT, "%-" + width + "s", users(model, core)));
            inLine++;
            previous = core;
        }
        drawing.append('\n').append(legend(model)).append('\n');
        return drawing.toString().replaceAll("(?m) +$", "");
    }

    private static String headline(Topology topology) {
        int cores = topology.cores().size();
        int threads = topology.cpus().size();
        String quota = topology.limitedByQuota()
                ? String.format(Locale.ROOT, ", a quota of %.1f cpus", topology.cpuQuota())
                : "";
        return topology.name() + ": " + cores + (cores == 1 ? " core" : " cores")
                + (threads > cores ? " (" + threads + " hardware threads)" : "") + ", "
                + topology.numaNodes().size() + (topology.numaNodes().size() == 1 ? " NUMA node, " : " NUMA nodes, ")
                + (topology.memoryBytes() >> 20) + " MB of memory" + quota;
    }

    /** Returns a core's label, padded so that the lines of a drawing align. */
    private static String label(Topology topology, Core core) {
        boolean hybrid = topology.cores().stream().anyMatch(other -> other.kind() != core.kind());
        String kind = !hybrid ? "" : core.kind() == CoreKind.PERFORMANCE ? " performance" : " efficiency ";
        return String.format(Locale.ROOT, "  package %-2d die %-3d%s |", core.packageNumber(), core.die(), kind);
    }

    private static String users(SystemModel model, Core core) {
        StringBuilder users = new StringBuilder();
        if (model.middleware().cpus().intersects(core.cpus())) {
            users.append('w');
        }
        if (model.master().cpus().intersects(core.cpus())) {
            users.append('M');
        }
        List<NodePlan> satellites = model.satellites();
        StringJoiner numbers = new StringJoiner(satellites.size() > 9 ? "," : "");
        for (int number = 1; number <= satellites.size(); number++) {
            if (satellites.get(number - 1).cpus().intersects(core.cpus())) {
                numbers.add(Integer.toString(number));
            }
        }
        users.append(numbers);
        return users.isEmpty() ? "." : users.toString();
    }

    private static String legend(SystemModel model) {
        CpuSet spare = model.spare();
        int satellites = model.satellites().size();
        return "  w middleware, M master"
                + (satellites == 0 ? "" : satellites == 1 ? ", 1 the satellite" : ", 1-" + satellites + " satellites")
                + (spare.isEmpty() ? "" : ", . nobody") + "; " + model.sharing().text();
    }
}
