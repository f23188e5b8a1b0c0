package io.multimed.core.propagation;

import io.multimed.core.node.ComputationalNode;
import io.multimed.model.NodeId;
import io.multimed.model.Role;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.J_Result;

/** A loop that was woken checks its readers while a feed publishes more. */
@JCStressTest
@Outcome(id = "100", expect = Expect.ACCEPTABLE, desc = "seen, in this look or in one that it was woken for")
@Outcome(id = "50", expect = Expect.FORBIDDEN, desc = "missed: nobody will look again")
@State
public class ProgressDuringRecheck {
    private final ComputationalNode satellite = new ComputationalNode(NodeId.MASTER, Role.SATELLITE);
    private final FreshnessGate gate = new FreshnessGate(() -> {});
    private volatile Runnable signal = () -> {};
    private volatile long seen;
    private final FreshnessGate.Waiters waiters =
            gate.register(task -> signal = task, () -> seen = Math.max(seen, satellite.applied()));

    public ProgressDuringRecheck() {
        waiters.waiting(1);
        satellite.applied(50);
        gate.progressed();
    }

    @Actor
    public void feed() {
        satellite.applied(100);
        gate.progressed();
    }

    @Actor
    public void loop() {
        Runnable look = signal;
        signal = () -> {};
        look.run();
    }

    @Arbiter
    public void atLast(J_Result result) {
        signal.run();
        result.r1 = seen;
    }
}
