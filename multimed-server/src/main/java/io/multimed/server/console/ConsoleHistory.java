package io.multimed.server.console;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.tasks.HeardTask;
import io.multimed.server.status.InstanceStatus;
import io.multimed.server.status.NodeStatus;
import java.util.ArrayDeque;
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
 */
public final class ConsoleHistory implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ConsoleHistory.class);
    private static final long LOOK_MILLIS = 100;
    private static final int LOOKS_PER_STATUS = 10;
    private static final int LOOKS_PER_SAMPLE = 50;
    private static final int MOST_SAMPLES = 720;

    private final List<ComputationalNode> nodes;
    private final Supplier<InstanceStatus> status;
    private final IntSupplier clients;
    private final NodeEvents events = new NodeEvents();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            task -> Thread.ofPlatform().daemon().name("multimed-console").unstarted(task));

    /** Used by the thread alone. */
    private final HistoryStep step;

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
        step = new HistoryStep(this.nodes, units);
    }

    /** Begins to look. */
    @SuppressWarnings("FutureReturnValueIgnored") // The action survives its failures.
    public void start() {
        step.begin(System.nanoTime());
        timer.scheduleAtFixedRate(
                new HeardTask(this::look, failure -> log.warn("The console's history has a gap", failure)),
                0,
                LOOK_MILLIS,
                TimeUnit.MILLISECONDS);
    }

    private void look() {
        if (step.looks() % LOOKS_PER_STATUS == 0) {
            List<NodeStatus> now = status.get().nodes();
            events.look(System.currentTimeMillis(), now);
            step.status(now);
        }
        step.look();
        if (step.looks() >= LOOKS_PER_SAMPLE) {
            long nanos = System.nanoTime();
            add(step.end(nanos, System.currentTimeMillis(), clients.getAsInt()));
            step.begin(nanos);
        }
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
