package io.multimed.core.propagation;

import io.multimed.core.node.ComputationalNode;
import io.multimed.model.NodeId;
import io.multimed.model.Role;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JZ_Result;

/** A commit is forwarded to a Satellite that shows it at once; then the reader continues on the Master. */
@JCStressTest
@Outcome(id = "0, true", expect = Expect.ACCEPTABLE, desc = "nothing was shown")
@Outcome(id = "120, false", expect = Expect.ACCEPTABLE, desc = "shown, so the Master has to be asked")
@Outcome(id = "0, false", expect = Expect.ACCEPTABLE_INTERESTING, desc = "asked without need")
@Outcome(expect = Expect.FORBIDDEN, desc = "shown, and taken for visible on the Master")
@State
public class ShownNeedsProbe {
    private final MasterVisibility visibility = new MasterVisibility();
    private final MasterLog log = new MasterLog(visibility);
    private final ComputationalNode satellite = new ComputationalNode(NodeId.MASTER, Role.SATELLITE);

    @Actor
    public void relay() {
        log.commit(100, 7);
        log.received(120);
        satellite.forwarded(120);
    }

    @Actor
    public void reader(JZ_Result result) {
        long shown = satellite.forwarded();
        visibility.shown(shown);
        result.r1 = shown;
        result.r2 = visibility.masterShowsAll();
    }
}
