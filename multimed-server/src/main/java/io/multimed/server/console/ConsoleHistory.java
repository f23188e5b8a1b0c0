package io.multimed.server.console;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.tasks.HeardTask;
import io.multimed.server.status.InstanceStatus;
import io.multimed.server.status.NodeStatus;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last hour of an instance in steps of some seconds. A thread of its own looks at counters that are kept anyway, so transactions lose
 * no time by it.
 *
 * <p>How long transactions took is not measured but follows from how many were under way and how many ended (Little's law).
 */
public final class ConsoleHistory implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ConsoleHistory.class);
    private static final long LOOK_MILLIS = 100;
    private static final int LOOKS_PER_STATUS = 10;
    private static final int LOOKS_PER_SAMPLE = 50;
    private static final int MOST_SAMPLES = 720;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MILLIS_PER_SECOND = 1e3;

    private final List<ComputationalNode> nodes;
    private final Supplier<InstanceStatus> status;
    private final IntSupplier clients;
    private final LongSupplier units;
    private final NodeEvents events = new NodeEvents();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            task -> Thread.ofPlatform().daemon().name("multimed-console").unstarted(task));

    // The thread alone uses these:
    private final long[] activeSum;
    private final long[] served;
    private final double[] lag;
    private int looks;
    private long unitsBefore;
    private long sampledNanos;

    /** Guarded by itself. */
    private final ArrayDeque<Sample> samples = new ArrayDeque<>();

    /**
     * One step.
     *
     * @param millis its end, since the epoch
     * @param units answered in a second
     * @param nodes in the order of {@link #names}
     */
    public record Sample(long millis, int clients, double units, List<NodeSample> nodes) {}

    /**
     * One node in one step.
     *
     * @param transactions that ended in a second
     * @param active mean number of transactions under way
     * @param meanMillis mean time of a transaction; 0 if none ended
     * @param lagMillis the longest seen
     */
    public record NodeSample(double transactions, double active, double meanMillis, double lagMillis) {}

    /**
     * Creates the history.
     *
     * @param nodes the Master first
     * @param units number of units answered so far
     */
    public ConsoleHistory(
            List<ComputationalNode> nodes, Supplier<InstanceStatus> status, IntSupplier clients, LongSupplier units) {
        this.nodes = List.copyOf(nodes);
        this.status = status;
        this.clients = clients;
        this.units = units;
        activeSum = new long[nodes.size()];
        served = new long[nodes.size()];
        lag = new double[nodes.size()];
    }

    /** Begins to look. */
    @SuppressWarnings("FutureReturnValueIgnored") // The action survives its failures.
    public void start() {
        begin(System.nanoTime());
        timer.scheduleAtFixedRate(
                new HeardTask(this::look, failure -> log.warn("The console's history has a gap", failure)),
                0,
                LOOK_MILLIS,
                TimeUnit.MILLISECONDS);
    }

    private void begin(long nanos) {
        looks = 0;
        sampledNanos = nanos;
        unitsBefore = units.getAsLong();
        for (int i = 0; i < nodes.size(); i++) {
            activeSum[i] = 0;
            lag[i] = 0;
            served[i] = nodes.get(i).served();
        }
    }

    private void look() {
        for (int i = 0; i < nodes.size(); i++) {
            activeSum[i] += nodes.get(i).active();
        }
        if (looks % LOOKS_PER_STATUS == 0) {
            List<NodeStatus> now = status.get().nodes();
            events.look(System.currentTimeMillis(), now);
            for (int i = 0; i < Math.min(nodes.size(), now.size()); i++) {
                lag[i] = Math.max(lag[i], now.get(i).lagMillis());
            }
        }
        looks++;
        if (looks >= LOOKS_PER_SAMPLE) {
            long nanos = System.nanoTime();
            add(sample((nanos - sampledNanos) / NANOS_PER_SECOND));
            begin(nanos);
        }
    }

    private Sample sample(double seconds) {
        List<NodeSample> ofNodes = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            double active = (double) activeSum[i] / looks;
            double transactions = (nodes.get(i).served() - served[i]) / seconds;
            double mean = transactions > 0 ? active / transactions * MILLIS_PER_SECOND : 0;
            ofNodes.add(new NodeSample(transactions, active, mean, lag[i]));
        }
        return new Sample(
                System.currentTimeMillis(), clients.getAsInt(), (units.getAsLong() - unitsBefore) / seconds, ofNodes);
    }

    private void add(Sample sample) {
        synchronized (samples) {
            if (samples.size() >= MOST_SAMPLES) {
                samples.removeFirst();
            }
            samples.add(sample);
        }
    }

    /** Returns the names of the nodes, the Master's first. */
    List<String> names() {
        return nodes.stream().map(node -> node.id().name()).toList();
    }

    /** Returns the steps that ended later than this. */
    List<Sample> after(long millis) {
        synchronized (samples) {
            return samples.stream().filter(sample -> sample.millis > millis).toList();
        }
    }

    NodeEvents events() {
        return events;
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
