package io.multimed.core.dispatch;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.Nodes;
import io.multimed.core.propagation.MasterLog;
import java.util.List;

/**
 * Places reads: on the least loaded Satellite that holds their data and is fresh enough, otherwise wait, otherwise the Master.
 * Satellites for reads of one length come before others, and those that alone have the indexes for a read are even awaited before others
 * are taken. Transactions weigh more on nodes on which the read is known to take longer. Stateless and thread-safe.
 *
 * <p>Called for every read. It takes no lock, and does not allocate either if the caller matches the result at once
 * (DispatcherBenchmark shows it), so results need not be cached.
 */
public final class Dispatcher {
    private static final Placement RELAY_AWAY = new Placement.OnMaster(Reason.FLOOR_UNKNOWN);
    private static final Placement NO_SATELLITE = new Placement.OnMaster(Reason.NO_SATELLITE);
    private static final Placement OVERDUE = new Placement.OnMaster(Reason.OVERDUE);

    private Dispatcher() {}

    /**
     * Places one read.
     *
     * @param required the SCN that the read must see, or {@link MasterLog#UNKNOWN}
     */
    public static Placement place(long required, ReadNeeds needs, Nodes nodes) {
        if (required == MasterLog.UNKNOWN) {
            return RELAY_AWAY;
        }
        ComputationalNode best = null;
        boolean bestIsPreferred = false;
        boolean anyServing = false;
        boolean anyWorthAwaiting = false;
        boolean preferredIsWorthAwaiting = false;
        int leastLoad = Integer.MAX_VALUE;
        boolean needsMatter = nodes.needsMatter();
        List<ComputationalNode> satellites = nodes.satellites();
        for (int i = 0; i < satellites.size(); i++) {
            ComputationalNode node = satellites.get(i);
            if (!node.serving() || (needsMatter && !needs.areTakenBy(node))) {
                continue;
            }
            anyServing = true;
            anyWorthAwaiting |= !node.isOverdue();
            int load = needsMatter ? needs.loadOf(node) : node.active();
            boolean preferred = needsMatter && needs.arePreferredBy(node);
            boolean better = preferred == bestIsPreferred ? load < leastLoad : preferred;
            boolean fresh = node.applied() >= required;
            preferredIsWorthAwaiting |= preferred && !fresh && !node.isOverdue();
            if (better && fresh) {
                best = node;
                leastLoad = load;
                bestIsPreferred = preferred;
            }
        }
        if (best != null && (bestIsPreferred || !preferredIsWorthAwaiting || !needs.areIndexedInPart())) {
            return new Placement.OnSatellite(best);
        }
        if (anyWorthAwaiting) {
            return new Placement.AwaitFreshness(required);
        }
        return anyServing ? OVERDUE : NO_SATELLITE;
    }

    /**
     * Records that a reader has waited for {@code required} as long as it may, and goes to the Master. Other readers will not wait
     * for the late Satellites until these have applied {@code required}.
     */
    public static void awaitedInVain(long required, ReadNeeds needs, Nodes nodes) {
        for (ComputationalNode node : nodes.satellites()) {
            if (needs.areTakenBy(node) && node.applied() < required) {
                node.awaitedInVain(required);
            }
        }
    }
}
