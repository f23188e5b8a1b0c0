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
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A loop begins to wait for an SCN while a feed publishes it. */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "the loop saw it by itself")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "the loop was woken")
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "both")
@Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "missed: the reader would wait for its whole patience")
@State
public class MissedWakeUp {
    private final ComputationalNode satellite = new ComputationalNode(NodeId.MASTER, Role.SATELLITE);
    private final FreshnessGate gate = new FreshnessGate(() -> {});
    private volatile boolean woken;
    private final FreshnessGate.Waiters waiters = gate.register(Runnable::run, () -> woken = true);

    @Actor
    public void feed() {
        satellite.applied(100);
        gate.progressed();
    }

    @Actor
    public void loop(ZZ_Result result) {
        waiters.waiting(1);
        result.r1 = satellite.applied() >= 100;
    }

    @Arbiter
    public void atLast(ZZ_Result result) {
        result.r2 = woken;
    }
}
