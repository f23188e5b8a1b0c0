package io.multimed.bench.projection;

import io.multimed.bench.measure.Inside;
import io.multimed.bench.measure.Measured;
import io.multimed.bench.measure.Operation;
import io.multimed.bench.measure.Used;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The demands of an operation on each part of a system, from runs of one system at one place.
 *
 * <p>The kernel reports the processor time of each engine, but not for which operations. So it is divided among the kinds that
 * run there by their latencies: where processors are shared equally, an operation's time there is in proportion to its service.
 * The waits of sessions for anything besides a processor follow from Little's law: sessions that wait, divided by operations in
 * a second.
 *
 * @param kinds of operations
 * @param satellites that shared the reads; 0 where one engine does everything
 * @param middleware processor seconds of an operation
 * @param generator processor seconds of an operation in the load generator
 * @param replay processor seconds of an update on each Satellite
 */
record Demands(List<OfKind> kinds, int satellites, double middleware, double generator, double replay) {
    private static final String RUNNING = "running";

    /**
     * The demands of one kind of operation.
     *
     * @param share of all operations
     * @param engine processor seconds on the Master for updates, on one of the Satellites, if there are any, for reads
     * @param waiting seconds that it waits for anything but a processor
     */
    record OfKind(String name, boolean readOnly, double share, double engine, double waiting) {}

    Demands {
        kinds = List.copyOf(kinds);
    }

    /** Whether a run contains enough data; runs from before engines were observed do not. */
    static boolean told(Measured run) {
        return !run.inside().master().isEmpty() && run.completed() > 0;
    }

    /** @param runs of the same system at the same place */
    static Demands of(List<Measured> runs) {
        Inside some = runs.getFirst().inside();
        int satellites = some.nodes().size() - 1;
        Predicate<String> master = some.master()::equals;
        Predicate<String> satellite = name -> some.nodes().containsKey(name) && !master.test(name);
        Predicate<String> replay = name -> name.endsWith(Used.REPLAY);
        Predicate<String> generator = Measured.LOAD_GENERATOR::equals;
        Predicate<String> middleware =
                master.or(satellite).or(replay).or(generator).negate();
        double all = runs.stream().mapToLong(Measured::completed).sum();
        List<OfKind> kinds = new ArrayList<>();
        boolean updates = operations(runs).stream().anyMatch(kind -> !kind.readOnly() && kind.count() > 0);
        if (satellites > 0 && updates) {
            double waited = runs.stream()
                    .mapToDouble(run -> run.inside().waits().seconds())
                    .sum();
            kinds.addAll(divided(runs, all, true, cpu(runs, satellite), waits(runs, satellite) + waited));
            kinds.addAll(divided(runs, all, false, cpu(runs, master), waits(runs, master)));
        } else {
            double waits = waits(runs, master.or(satellite));
            double cpu = cpu(runs, master.or(satellite));
            double time = time(runs, true) + time(runs, false);
            double reads = time(runs, true) / time;
            // Updates wait for the log; compared with that, reads hardly wait.
            kinds.addAll(divided(runs, all, true, cpu * reads, updates ? 0 : waits));
            kinds.addAll(divided(runs, all, false, cpu * (1 - reads), updates ? waits : 0));
        }
        double updated = operations(runs).stream()
                .filter(kind -> !kind.readOnly())
                .mapToLong(Operation::count)
                .sum();
        return new Demands(
                kinds,
                satellites,
                cpu(runs, middleware) / all,
                cpu(runs, generator) / all,
                updated == 0 || satellites == 0 ? 0 : cpu(runs, replay) / satellites / updated);
    }

    /** Returns the kinds that only read, or the others, each with its share of their common demands. */
    private static List<OfKind> divided(List<Measured> runs, double all, boolean readOnly, double cpu, double waits) {
        List<OfKind> kinds = new ArrayList<>();
        double time = time(runs, readOnly);
        double operations = count(runs, kind -> kind.readOnly() == readOnly);
        for (Operation kind : runs.getFirst().operations()) {
            double count = count(runs, same -> same.name().equals(kind.name()));
            if (kind.readOnly() == readOnly && count > 0) {
                double own = time(runs, same -> same.name().equals(kind.name()));
                kinds.add(new OfKind(kind.name(), readOnly, count / all, cpu * own / time / count, waits / operations));
            }
        }
        return kinds;
    }

    private static List<Operation> operations(List<Measured> runs) {
        return runs.stream().flatMap(run -> run.operations().stream()).toList();
    }

    private static double count(List<Measured> runs, Predicate<Operation> which) {
        return operations(runs).stream()
                .filter(which)
                .mapToLong(Operation::count)
                .sum();
    }

    private static double time(List<Measured> runs, boolean readOnly) {
        return time(runs, kind -> kind.readOnly() == readOnly);
    }

    /** Returns the total time of operations, of all clients together, in ms. */
    private static double time(List<Measured> runs, Predicate<Operation> which) {
        return operations(runs).stream()
                .filter(which)
                .mapToDouble(kind -> kind.count() * kind.latency().mean())
                .sum();
    }

    private static double cpu(List<Measured> runs, Predicate<String> process) {
        return runs.stream()
                .flatMap(run -> run.cpuSeconds().entrySet().stream())
                .filter(used -> process.test(used.getKey()))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    /** Returns the seconds of waiting, of all sessions together. */
    private static double waits(List<Measured> runs, Predicate<String> node) {
        return runs.stream()
                .mapToDouble(run -> run.seconds()
                        * run.inside().nodes().entrySet().stream()
                                .filter(engine -> node.test(engine.getKey()))
                                .flatMap(engine -> engine.getValue().sessions().entrySet().stream())
                                .filter(waiting -> !waiting.getKey().equals(RUNNING))
                                .mapToDouble(Map.Entry::getValue)
                                .sum())
                .sum();
    }

    /**
     * Returns the demands on engines that lose nothing to each other's cores. {@code efficiency} is that of a core in these
     * runs, compared with a core alone.
     */
    Demands onOneCore(double efficiency) {
        return new Demands(
                kinds.stream()
                        .map(kind -> new OfKind(
                                kind.name(), kind.readOnly(), kind.share(), kind.engine() * efficiency, kind.waiting()))
                        .toList(),
                satellites,
                middleware,
                generator,
                replay * efficiency);
    }

    double updates() {
        return kinds.stream()
                .filter(kind -> !kind.readOnly())
                .mapToDouble(OfKind::share)
                .sum();
    }

    /** Returns the processor seconds of an operation in engines, of reads or of the others. */
    double engine(boolean readOnly) {
        return kinds.stream()
                .filter(kind -> kind.readOnly() == readOnly)
                .mapToDouble(kind -> kind.share() * kind.engine())
                .sum();
    }
}
