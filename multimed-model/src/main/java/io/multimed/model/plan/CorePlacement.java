package io.multimed.model.plan;

import io.multimed.model.topology.Core;
import io.multimed.model.topology.CoreKind;
import io.multimed.model.topology.CpuSet;
import io.multimed.model.topology.Topology;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Assigns the cores of a machine. Middleware and Master come first, side by side; the Satellites follow.
 *
 * <p>The first rule that applies is used. The first three rules apply only if the user requested no cores for the Master or the
 * middleware, the fourth only if the user requested none for the Master:
 *
 * <ol>
 *   <li>A CPU quota below the machine's cores: other programs run on the same cores, so nothing is bound.
 *   <li>Fewer than {@link #FEWEST_RESERVED} cores: nothing is bound; a node bound to one of two cores would leave the other
 *       idle whenever the load is of one kind.
 *   <li>Fewer than {@link #FEWEST_DEDICATED} cores: Satellites do not use one or two of the cores, so that heavy reads cannot
 *       take these from the Master and the middleware.
 *   <li>One cache for all cores: the middleware has cores of its own, the engines share the others. Binding each engine to
 *       cores would bring none of them nearer to its memory, and would leave cores idle whenever the load is of one kind. But
 *       Satellites do not use some of the cores, so that heavy reads cannot take these from the Master.
 *   <li>Whole packages for Satellites, if the rest suffices for middleware and Master; otherwise whole dies.
 *   <li>Equal runs of cores within packages, the largest that fit; within dies too where that costs no core.
 *   <li>Too many Satellites for a core each: they share all cores that middleware and Master leave.
 * </ol>
 *
 * <p>If NUMA nodes are larger than packages, they are used instead of packages, as on virtual machines on which each cpu is a
 * package. Smaller NUMA nodes are respected where that costs no core. The Master gets all remaining cores, unless the user
 * requested a number; it has at least half as many cores as a Satellite.
 */
final class CorePlacement {
    static final int FEWEST_DEDICATED = 8;
    static final int FEWEST_RESERVED = 4;
    private static final int FEWEST_FOR_TWO_RESERVED = 6;

    /** Number of cores of the machine for each core of the middleware: 4 of 48, as in the paper. */
    private static final int CORES_PER_MIDDLEWARE_CORE = 12;
    /**
     * Number of cores of the machine for each core of the middleware, where engines share all others: under TPC-W the middleware
     * takes 13 to 20 % of the processor time.
     */
    private static final int CORES_PER_MIDDLEWARE_CORE_WHERE_SHARED = 6;

    private static final int FEWEST_MIDDLEWARE_CORES = 2;
    private static final int MOST_MIDDLEWARE_CORES = 8;
    /** Number of cores shared by engines for each core that Satellites do not use. */
    private static final int CORES_PER_RESERVED_CORE = 5;

    record Result(Sharing sharing, CpuSet middleware, CpuSet master, List<CpuSet> satellites) {}

    private final Topology topology;
    private final List<Core> cores;
    private final int satellites;
    private final OptionalInt masterWanted;
    private final int middleware;
    private final boolean middlewareAsked;
    private final boolean asked;
    private final boolean nodesHoldPackages;

    private CorePlacement(Topology topology, int satellites, PlanRequest request) {
        this.topology = topology;
        this.cores = topology.cores();
        this.satellites = satellites;
        this.masterWanted = request.masterCores();
        long packages = cores.stream().map(Core::packageNumber).distinct().count();
        this.nodesHoldPackages =
                topology.numaNodes().size() > 1 && topology.numaNodes().size() < packages;
        this.middlewareAsked = request.middlewareCores().isPresent();
        this.asked = middlewareAsked || masterWanted.isPresent();
        this.middleware = request.middlewareCores().orElseGet(this::defaultMiddleware);
    }

    private int defaultMiddleware() {
        if (cores.size() < FEWEST_DEDICATED) {
            return 1;
        }
        int share = enginesMayShare()
                ? Math.round((float) cores.size() / CORES_PER_MIDDLEWARE_CORE_WHERE_SHARED)
                : cores.size() / CORES_PER_MIDDLEWARE_CORE;
        return Math.max(FEWEST_MIDDLEWARE_CORES, Math.min(MOST_MIDDLEWARE_CORES, share));
    }

    static Result place(Topology topology, int satellites, PlanRequest request) {
        return new CorePlacement(topology, satellites, request).place();
    }

    private Result place() {
        if (!asked && (topology.limitedByQuota() || cores.size() < FEWEST_RESERVED)) {
            return everywhere(Sharing.SHARED, topology.cpus());
        }
        if (!asked && cores.size() < FEWEST_DEDICATED) {
            return everywhere(Sharing.RESERVED, cpus(cores.size() < FEWEST_FOR_TWO_RESERVED ? 1 : 2, cores.size()));
        }
        if (enginesMayShare() && middleware + 1 < cores.size()) {
            return enginesShare();
        }
        Result result = wholeDomains(this::outer);
        if (result == null) {
            result = wholeDomains(Core::die);
        }
        if (result == null) {
            result = runs(middleware);
        }
        if (result == null && !middlewareAsked) {
            result = runs(1);
        }
        return result == null ? satellitesShare() : result;
    }

    private Result everywhere(Sharing sharing, CpuSet forSatellites) {
        return new Result(sharing, topology.cpus(), topology.cpus(), Collections.nCopies(satellites, forSatellites));
    }

    private boolean enginesMayShare() {
        return satellites > 0 && masterWanted.isEmpty() && topology.isUniform();
    }

    private Result enginesShare() {
        int reserved = Math.max(1, (cores.size() - middleware) / CORES_PER_RESERVED_CORE);
        return new Result(
                Sharing.ENGINES_SHARE,
                cpus(0, middleware),
                cpus(middleware, cores.size()),
                Collections.nCopies(satellites, cpus(middleware + reserved, cores.size())));
    }

    /**
     * Gives each Satellite as many whole domains as possible while the rest suffices for middleware and Master; null if not even
     * one is possible.
     */
    private @Nullable Result wholeDomains(ToIntFunction<Core> domain) {
        List<int[]> domains = boundaries(domain);
        int size = domains.get(0)[1] - domains.get(0)[0];
        boolean regular = domains.stream().allMatch(d -> d[1] - d[0] == size)
                && cores.stream().allMatch(core -> core.kind() == cores.get(0).kind());
        if (satellites == 0 || !regular) {
            return null;
        }
        for (int each = domains.size() / satellites; each > 0; each--) {
            int first = domains.size() - satellites * each;
            int needed = middleware + masterWanted.orElse((each * size + 1) / 2);
            if (first * size < needed || crossesOuter(domains, first, each)) {
                continue;
            }
            List<CpuSet> sets = new ArrayList<>();
            for (int satellite = 0; satellite < satellites; satellite++) {
                int from = first + satellite * each;
                sets.add(cpus(domains.get(from)[0], domains.get(from + each - 1)[1]));
            }
            int masterEnd = masterWanted.isPresent() ? middleware + masterWanted.getAsInt() : first * size;
            return new Result(Sharing.DEDICATED, cpus(0, middleware), cpus(middleware, masterEnd), sets);
        }
        return null;
    }

    /** Whether a Satellite that has several domains, but no more cores than one outer domain, would lie in two outer domains. */
    private boolean crossesOuter(List<int[]> domains, int first, int each) {
        int[] one = boundaries(this::outer).get(0);
        for (int from = first; from < domains.size(); from += each) {
            int begin = domains.get(from)[0];
            int end = domains.get(from + each - 1)[1];
            if (end - begin <= one[1] - one[0] && outer(cores.get(begin)) != outer(cores.get(end - 1))) {
                return true;
            }
        }
        return false;
    }

    /** Returns the number of the package, or of the NUMA node if that is larger. */
    private int outer(Core core) {
        return nodesHoldPackages ? core.numaNode() : core.packageNumber();
    }

    /** Places runs of equal length for the Satellites, the longest that fit into packages; null if there are none. */
    private @Nullable Result runs(int forMiddleware) {
        int left = cores.size() - forMiddleware - masterWanted.orElse(0);
        int most = left / Math.max(1, satellites + (masterWanted.isPresent() ? 0 : 1));
        for (int length = most; length > 0; length--) {
            List<int[]> placed = firstFit(forMiddleware, length, boundaries(core -> withKind(core, core.die())));
            if (placed == null) {
                placed = firstFit(forMiddleware, length, boundaries(core -> withKind(core, core.numaNode())));
            }
            if (placed == null) {
                placed = firstFit(forMiddleware, length, boundaries(core -> withKind(core, outer(core))));
            }
            if (placed != null) {
                return ofRuns(placed);
            }
        }
        // The packages are too small for any run, so the runs are placed without regard to them.
        List<int[]> placed = most == 0 ? null : firstFit(forMiddleware, most, List.of(new int[] {0, cores.size()}));
        return placed == null ? null : ofRuns(placed);
    }

    private Result ofRuns(List<int[]> placed) {
        int[] master = placed.get(1);
        int masterEnd = master[1];
        int next = satellites > 0 ? placed.get(2)[0] : cores.size();
        if (masterWanted.isEmpty()) {
            masterEnd = Math.max(masterEnd, next);
        }
        List<CpuSet> sets = placed.subList(2, placed.size()).stream()
                .map(run -> cpus(run[0], run[1]))
                .toList();
        return new Result(
                Sharing.DEDICATED, cpus(placed.get(0)[0], placed.get(0)[1]), cpus(master[0], masterEnd), sets);
    }

    /**
     * Places middleware, Master and Satellites into domains: the Satellites from the last core downwards, so that the remaining
     * cores lie next to the Master. Returns null if they do not fit.
     */
    private @Nullable List<int[]> firstFit(int forMiddleware, int length, List<int[]> domains) {
        List<int[]> placed = new ArrayList<>();
        int domain = domains.size() - 1;
        int end = cores.size();
        for (int satellite = 0; satellite < satellites; satellite++) {
            while (domain >= 0 && end - length < domains.get(domain)[0]) {
                end = domains.get(domain)[0];
                domain--;
            }
            if (domain < 0) {
                return null;
            }
            placed.add(0, new int[] {end - length, end});
            end -= length;
        }
        int master = masterWanted.orElse(length);
        if (forMiddleware + master > end) {
            return null;
        }
        placed.add(0, new int[] {forMiddleware, forMiddleware + master});
        placed.add(0, new int[] {0, forMiddleware});
        return placed;
    }

    private Result satellitesShare() {
        int forMiddleware = middlewareAsked ? middleware : Math.max(1, Math.min(middleware, cores.size() / 4));
        int forMaster = Math.min(masterWanted.orElse(Math.max(1, cores.size() / 4)), cores.size() - forMiddleware - 1);
        int firstShared = forMiddleware + forMaster;
        return new Result(
                Sharing.SATELLITES_SHARE,
                cpus(0, forMiddleware),
                cpus(forMiddleware, firstShared),
                Collections.nCopies(satellites, cpus(firstShared, cores.size())));
    }

    /** Returns a number that differs for cores of one domain that are of different kinds. */
    private static int withKind(Core core, int domain) {
        return domain * CoreKind.values().length + core.kind().ordinal();
    }

    /** Returns the begin and end indices of each run of consecutive cores of one domain. */
    private List<int[]> boundaries(ToIntFunction<Core> domain) {
        List<int[]> found = new ArrayList<>();
        int begin = 0;
        for (int i = 1; i <= cores.size(); i++) {
            if (i == cores.size() || domain.applyAsInt(cores.get(i)) != domain.applyAsInt(cores.get(begin))) {
                found.add(new int[] {begin, i});
                begin = i;
            }
        }
        return found;
    }

    private CpuSet cpus(int from, int to) {
        return cores.subList(from, to).stream().map(Core::cpus).reduce(CpuSet.EMPTY, CpuSet::union);
    }
}
