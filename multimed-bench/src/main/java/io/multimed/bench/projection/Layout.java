package io.multimed.bench.projection;

import io.multimed.model.plan.PlanRequest;
import io.multimed.model.plan.Planner;
import io.multimed.model.plan.Sharing;
import io.multimed.model.plan.SystemModel;
import io.multimed.model.topology.MachineShape;
import io.multimed.model.topology.Topology;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The assignment of work to stations.
 *
 * @param generator where clients work; none where they have a machine of their own
 * @param satellites for reads; the Master where there are none
 */
record Layout(List<Station> stations, List<Integer> generator, int middleware, int master, List<Integer> satellites) {
    /** Memory for each core, more than enough: the number of Satellites is chosen here, not by the memory. */
    private static final long MEMORY_PER_CORE = 8L << 30;

    Layout {
        stations = List.copyOf(stations);
        generator = List.copyOf(generator);
        satellites = List.copyOf(satellites);
    }

    /** Returns the layout of the measurements: the system may use some of the machine's cores, its clients all. */
    static Layout shared(int cores, int machine, int satellites) {
        List<Station> stations = new ArrayList<>(List.of(new Station("cores", cores, 1)));
        if (machine > cores) {
            stations.add(new Station("clients", machine - cores, 1));
        }
        return new Layout(stations, List.of(stations.size() - 1), 0, 0, Collections.nCopies(satellites, 0));
    }

    /** Returns the layout of one engine on all cores. */
    static Layout single(int cores, Usl contention) {
        Station all = new Station("engine", cores, contention.efficiency(cores));
        return new Layout(List.of(all), List.of(), 0, 0, List.of());
    }

    /** Returns the layout in which {@code multimed plan} divides a machine of one package. */
    static Layout planned(int cores, int satellites, Usl contention) {
        return of(plan(cores, PlanRequest.DEFAULT.withSatellites(satellites)), contention);
    }

    /** Returns a layout with as many cores for middleware and Master as they need for their part of the operations. */
    static Layout byDemand(int cores, int satellites, Demands demands, Usl contention) {
        double master = demands.engine(false);
        double all = demands.middleware()
                + master
                + demands.engine(true)
                + satellites * demands.updates() * demands.replay();
        int most = cores - 1 - satellites;
        int forMiddleware = Math.clamp(Math.round(cores * demands.middleware() / all), 1, most);
        int forMaster = Math.clamp(Math.round(cores * master / all), 1, cores - satellites - forMiddleware);
        return of(
                plan(cores, PlanRequest.DEFAULT.withSatellites(satellites).withCores(forMiddleware, forMaster)),
                contention);
    }

    private static SystemModel plan(int cores, PlanRequest request) {
        return Planner.plan(
                Topology.regular("projected", new MachineShape(1, 1, cores, 1, false), cores * MEMORY_PER_CORE),
                request);
    }

    private static Layout of(SystemModel model, Usl contention) {
        List<Station> stations = new ArrayList<>();
        stations.add(new Station("middleware", model.middleware().cpus().size(), 1));
        if (model.sharing() == Sharing.ENGINES_SHARE) {
            // The model leaves out that Satellites keep off some of these cores, which matters while the others are
            // full.
            stations.add(engine("engines", model.master().cpus().size(), contention));
            return new Layout(
                    stations,
                    List.of(),
                    0,
                    1,
                    Collections.nCopies(model.satellites().size(), 1));
        }
        stations.add(engine("master", model.master().cpus().size(), contention));
        model.satellites()
                .forEach(node ->
                        stations.add(engine(node.id().name(), node.cpus().size(), contention)));
        return new Layout(
                stations,
                List.of(),
                0,
                1,
                IntStream.range(2, stations.size()).boxed().toList());
    }

    private static Station engine(String name, int cores, Usl contention) {
        return new Station(name, cores, contention.efficiency(cores));
    }

    /** Returns the operations' visits to stations; engines that share a station apply the log there each for itself. */
    Network network(Demands demands) {
        List<Station> all = new ArrayList<>(stations);
        int waiting = all.size();
        all.add(Station.delay("waiting"));
        List<Network.Kind> kinds = new ArrayList<>();
        for (Demands.OfKind kind : demands.kinds()) {
            List<Network.Visit> visits = new ArrayList<>();
            if (!generator.isEmpty()) {
                visit(visits, generator, demands.generator());
            }
            visit(visits, List.of(middleware), demands.middleware());
            visit(visits, List.of(waiting), kind.waiting());
            visit(visits, kind.readOnly() && !satellites.isEmpty() ? satellites : List.of(master), kind.engine());
            List<Network.Visit> aside = new ArrayList<>();
            if (!kind.readOnly()) {
                satellites.forEach(satellite -> visit(aside, List.of(satellite), demands.replay()));
            }
            kinds.add(new Network.Kind(kind.share(), visits, aside));
        }
        return new Network(all, kinds);
    }

    private static void visit(List<Network.Visit> visits, List<Integer> stations, double seconds) {
        if (seconds > 0) {
            visits.add(new Network.Visit(stations, seconds));
        }
    }
}
