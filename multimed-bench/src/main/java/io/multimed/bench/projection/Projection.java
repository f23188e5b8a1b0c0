package io.multimed.bench.projection;

import io.multimed.bench.measure.Measured;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Projects the runs of one benchmark over numbers of cores to more cores.
 *
 * <p>It uses two methods, since neither is reliable alone. One is the law that each system's own throughputs follow. The other
 * is a simulation of each part's work on the cores that it would have, where an engine loses by contention as much as one
 * PostgreSQL loses on so many cores.
 */
final class Projection {
    /** Fewest cores of a projection. All nodes share fewer cores, and a benchmark measures them better. */
    static final int FEWEST_CORES = 8;

    static final int MOST_CORES = 1_024;

    private static final int CLIENTS_PER_CORE = 4;
    private static final int MOST_SATELLITES = 64;
    /** Cores of the machine for each Satellite, including its share of those for the middleware and the Master. */
    private static final int CORES_PER_SATELLITE = 4;

    private static final long OPERATIONS = 20_000;
    private static final int OPERATIONS_PER_CLIENT = 20;
    private static final int DRAWN_FITS = 200;
    private static final int DRAWN_SIMULATIONS = 20;
    private static final long SEED = 1;
    private static final Usl NONE_KNOWN = new Usl(1, 0, 0);

    /** Operations in a second by number of cores, with remarks on each. */
    record Curve(String name, SortedMap<Integer, Band> bands, SortedMap<Integer, String> remarks) {}

    /** A prediction of a measured value. */
    record Validation(String system, String by, int cores, double predicted, double measured) {
        double error() {
            return predicted / measured - 1;
        }
    }

    /**
     * The simulation's data on a system.
     *
     * @param demands measured on so many cores
     * @param contention by how much engines lose on more cores than one
     */
    private record Sample(Demands demands, int cores, List<Usl> contention) {
        /**
         * Returns the system with its demands on one core. The measured demands include the engines' losses on the cores that
         * they were measured on.
         */
        Played played(Usl usl) {
            return new Played(demands.onOneCore(usl.efficiency(cores)), usl);
        }
    }

    private final CoreRuns runs;
    private final List<Integer> cores;

    /** @param cores from {@link #FEWEST_CORES} on */
    Projection(CoreRuns runs, List<Integer> cores) {
        this.runs = runs;
        this.cores = List.copyOf(cores);
    }

    CoreRuns runs() {
        return runs;
    }

    UslFit fit(String system) {
        return UslFit.of(CoreRuns.medians(counts(system)));
    }

    private SortedMap<Integer, List<Measured>> counts(String system) {
        return runs.systems().getOrDefault(system, new TreeMap<>());
    }

    /** Returns a projection of each system, by the law alone. */
    List<Curve> byLaw() {
        List<Curve> curves = new ArrayList<>();
        for (String system : runs.systems().keySet()) {
            List<UslFit> fits = new ArrayList<>(List.of(fit(system)));
            Random random = new Random(SEED);
            for (int i = 0; i < DRAWN_FITS; i++) {
                fits.add(UslFit.of(CoreRuns.medians(CoreRuns.drawn(counts(system), random))));
            }
            SortedMap<Integer, Band> bands = new TreeMap<>();
            cores.forEach(number -> bands.put(number, band(fits, fit -> fit.fits(), usl -> usl.throughput(number))));
            curves.add(new Curve(system, bands, new TreeMap<>()));
        }
        return curves;
    }

    /**
     * Returns the band that holds the samples' values for every fit: each sample has several fits, and each fit gives a band.
     */
    private static <T, U> Band band(List<T> samples, Function<T, List<U>> ends, Function<U, Double> value) {
        Band band = null;
        for (int end = 0; end < ends.apply(samples.getFirst()).size(); end++) {
            int which = end;
            Band own = Band.of(samples.stream()
                    .map(sample -> value.apply(ends.apply(sample).get(which)))
                    .toList());
            band = band == null ? own : band.with(own);
        }
        if (band == null) {
            throw new IllegalStateException("nothing fits");
        }
        return band;
    }

    /** Returns a projection by simulation of each system that was looked into. */
    List<Curve> bySimulation() {
        List<Curve> curves = new ArrayList<>();
        for (String system : simulated()) {
            List<Sample> samples = samples(system);
            Demands demands = samples.getFirst().demands();
            if (demands.satellites() == 0) {
                curves.add(curve(system + ", one engine", samples, (number, usl) -> Layout.single(number, usl)));
            } else {
                curves.add(satellites(system + ", as multimed plan divides cores", samples, Layout::planned));
                curves.add(satellites(
                        system + ", cores divided by demand",
                        samples,
                        (number, count, usl) -> Layout.byDemand(number, count, demands, usl)));
            }
        }
        return curves;
    }

    /**
     * Returns the systems that can be simulated. Their runs at the fewest cores must show each part's demands, and it must be
     * known how many cores each part can use: the middleware of other systems may use only one.
     */
    List<String> simulated() {
        return runs.systems().keySet().stream()
                .filter(system -> system.startsWith("standalone") || system.startsWith("multimed"))
                .filter(system ->
                        counts(system).firstEntry().getValue().stream().allMatch(Demands::told))
                .toList();
    }

    /** Returns the single engine that shows how much engines lose on more cores. */
    Optional<String> alone() {
        return simulated().stream()
                .filter(system -> demands(counts(system)).satellites() == 0)
                .findFirst();
    }

    private static Demands demands(SortedMap<Integer, List<Measured>> counts) {
        return Demands.of(counts.firstEntry().getValue());
    }

    private List<Sample> samples(String system) {
        List<Sample> samples = new ArrayList<>();
        Random random = new Random(SEED);
        for (int i = 0; i <= DRAWN_SIMULATIONS; i++) {
            boolean original = i == 0;
            Function<String, SortedMap<Integer, List<Measured>>> sampled =
                    name -> original ? counts(name) : CoreRuns.drawn(counts(name), random);
            samples.add(new Sample(
                    demands(sampled.apply(system)),
                    counts(system).firstKey(),
                    alone().map(name -> UslFit.of(CoreRuns.medians(sampled.apply(name)))
                                    .fits())
                            .orElse(List.of(NONE_KNOWN))));
        }
        return samples;
    }

    private interface OneEngine {
        Layout of(int cores, Usl contention);
    }

    private interface WithSatellites {
        Layout of(int cores, int satellites, Usl contention);
    }

    private record Played(Demands demands, Usl contention) {}

    private Curve curve(String name, List<Sample> samples, OneEngine layout) {
        SortedMap<Integer, Band> bands = new TreeMap<>();
        cores.forEach(number -> bands.put(number, band(samples, number, layout)));
        return new Curve(name, bands, new TreeMap<>());
    }

    private static Band band(List<Sample> samples, int cores, OneEngine layout) {
        return band(
                samples,
                sample -> sample.contention().stream().map(sample::played).toList(),
                one -> play(layout.of(cores, one.contention()), one.demands(), cores * CLIENTS_PER_CORE)
                        .perSecond());
    }

    private Curve satellites(String name, List<Sample> samples, WithSatellites layout) {
        SortedMap<Integer, Band> bands = new TreeMap<>();
        SortedMap<Integer, String> remarks = new TreeMap<>();
        Played original =
                samples.getFirst().played(samples.getFirst().contention().getFirst());
        for (int number : cores) {
            Map<Integer, ClosedNetwork.Result> tried = new LinkedHashMap<>();
            for (int count = 1; count <= Math.min(MOST_SATELLITES, number / CORES_PER_SATELLITE); count *= 2) {
                Layout one = layout.of(number, count, original.contention());
                tried.put(count, play(one, original.demands(), number * CLIENTS_PER_CORE));
            }
            int best = tried.entrySet().stream()
                    .max(Map.Entry.comparingByValue(
                            java.util.Comparator.comparingDouble(ClosedNetwork.Result::perSecond)))
                    .orElseThrow()
                    .getKey();
            bands.put(number, band(samples, number, (many, usl) -> layout.of(many, best, usl)));
            Layout chosen = layout.of(number, best, original.contention());
            remarks.put(
                    number,
                    remark(
                            best,
                            chosen,
                            tried.getOrDefault(best, tried.values().iterator().next())));
        }
        return new Curve(name, bands, remarks);
    }

    private static String remark(int satellites, Layout layout, ClosedNetwork.Result result) {
        int busiest = 0;
        for (int station = 1; station < layout.stations().size(); station++) {
            busiest = result.used().get(station) > result.used().get(busiest) ? station : busiest;
        }
        return String.format(
                java.util.Locale.ROOT,
                "%d %s; %d cores for the middleware, %d for the Master; busiest: %s, %.0f %%",
                satellites,
                satellites == 1 ? "Satellite" : "Satellites",
                layout.stations().get(layout.middleware()).servers(),
                layout.stations().get(layout.master()).servers(),
                layout.stations().get(busiest).name(),
                100 * result.used().get(busiest));
    }

    private static ClosedNetwork.Result play(Layout layout, Demands demands, int clients) {
        return ClosedNetwork.of(
                layout.network(demands), clients, Math.max(OPERATIONS, (long) OPERATIONS_PER_CLIENT * clients), SEED);
    }

    /** Returns predictions by simulation from the fewest cores, and by the law from all numbers of cores but the most. */
    List<Validation> validations() {
        List<Validation> all = new ArrayList<>();
        for (String system : simulated()) {
            Demands demands = demands(counts(system));
            counts(system)
                    .forEach((number, measured) -> all.add(new Validation(
                            system,
                            "simulation",
                            number,
                            play(Layout.shared(number, runs.machine(), demands.satellites()), demands, runs.clients())
                                    .perSecond(),
                            CoreRuns.median(measured))));
        }
        for (String system : runs.systems().keySet()) {
            SortedMap<Integer, Double> medians = CoreRuns.medians(counts(system));
            SortedMap<Integer, Double> fewer = medians.headMap(medians.lastKey());
            if (fewer.size() > 1) {
                UslFit.of(fewer)
                        .fits()
                        .forEach(usl -> all.add(new Validation(
                                system,
                                "law without it",
                                medians.lastKey(),
                                usl.throughput(medians.lastKey()),
                                medians.lastEntry().getValue())));
            }
        }
        return all;
    }
}
