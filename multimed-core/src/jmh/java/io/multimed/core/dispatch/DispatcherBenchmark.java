package io.multimed.core.dispatch;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.Nodes;
import io.multimed.core.propagation.FreshnessGate;
import io.multimed.model.NodeId;
import io.multimed.model.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Cost of placing a read on its event loop, and of a Satellite's progress report on the relay's thread. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class DispatcherBenchmark {
    @Param({"1", "4"})
    private int satellites;

    private final FreshnessGate gate = new FreshnessGate(() -> {});
    private final ComputationalNode master = new ComputationalNode(NodeId.MASTER, Role.MASTER);
    private final ReadNeeds needs = new ReadNeeds();
    private Nodes nodes = new Nodes(master, List.of());
    private long required = 100;

    @Setup
    public void setup() {
        List<ComputationalNode> list = new ArrayList<>();
        for (int number = 1; number <= satellites; number++) {
            ComputationalNode node = new ComputationalNode(NodeId.satellite(number), Role.SATELLITE);
            node.serving(true);
            node.applied(required);
            list.add(node);
        }
        nodes = new Nodes(master, list);
        gate.register(Runnable::run, () -> {});
    }

    /** Places a read and counts it, as a session does. */
    @Benchmark
    public long placeAndCount() {
        if (Dispatcher.place(required, needs, nodes) instanceof Placement.OnSatellite there) {
            there.node().transactionBegan();
            there.node().transactionEnded();
            return there.node().applied();
        }
        return 0;
    }

    /** Only places the read, and keeps the result. */
    @Benchmark
    public Placement place() {
        return Dispatcher.place(required, needs, nodes);
    }

    @Benchmark
    public void progressWhenNobodyWaits() {
        gate.progressed();
    }
}
