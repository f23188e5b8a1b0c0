package io.multimed.server.console;

import io.multimed.core.node.ComputationalNode;
import io.multimed.server.console.ConsoleHistory.NodeSample;
import io.multimed.server.console.ConsoleHistory.Sample;
import io.multimed.server.status.NodeStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The step of a {@link ConsoleHistory} that is under way. How long transactions took is not measured but follows from how many were under way
 * and how many ended (Little's law). One thread.
 */
final class HistoryStep {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MILLIS_PER_SECOND = 1e3;

    private final List<ComputationalNode> nodes;
    private final LongSupplier units;
    private final long[] activeSum;
    private final long[] servedBefore;
    private final double[] lag;
    private int looks;
    private long unitsBefore;
    private long beganNanos;

    /** @param units number of units answered so far */
    HistoryStep(List<ComputationalNode> nodes, LongSupplier units) {
        this.nodes = nodes;
        this.units = units;
        activeSum = new long[nodes.size()];
        servedBefore = new long[nodes.size()];
        lag = new double[nodes.size()];
    }

    void begin(long nanos) {
        looks = 0;
        beganNanos = nanos;
        unitsBefore = units.getAsLong();
        for (int i = 0; i < nodes.size(); i++) {
            activeSum[i] = 0;
            lag[i] = 0;
            servedBefore[i] = nodes.get(i).served();
        }
    }

    /** Looks at how many transactions are under way. */
    void look() {
        for (int i = 0; i < nodes.size(); i++) {
            activeSum[i] += nodes.get(i).active();
        }
        looks++;
    }

    /** Returns the number of looks since it began. */
    int looks() {
        return looks;
    }

    /** Takes the lags of the nodes, the longest of which count. */
    void status(List<NodeStatus> now) {
        for (int i = 0; i < Math.min(nodes.size(), now.size()); i++) {
            lag[i] = Math.max(lag[i], now.get(i).lagMillis());
        }
    }

    /**
     * Returns the step, which ends now.
     *
     * @param millis now, since the epoch
     * @param clients their number now
     */
    Sample end(long nanos, long millis, int clients) {
        double seconds = (nanos - beganNanos) / NANOS_PER_SECOND;
        List<NodeSample> ofNodes = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            double active = (double) activeSum[i] / looks;
            double transactions = (nodes.get(i).served() - servedBefore[i]) / seconds;
            double mean = transactions > 0 ? active / transactions * MILLIS_PER_SECOND : 0;
            ofNodes.add(new NodeSample(transactions, active, mean, lag[i]));
        }
        return new Sample(millis, clients, (units.getAsLong() - unitsBefore) / seconds, ofNodes);
    }
}
