package io.multimed.core.propagation;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZJ_Result;

/** A commit is received, published, confirmed and acknowledged; then a client that knows of the acknowledgement reads. */
@JCStressTest
@Outcome(id = "false, 10", expect = Expect.ACCEPTABLE, desc = "not acknowledged yet")
@Outcome(id = "false, 100", expect = Expect.ACCEPTABLE, desc = "not acknowledged yet, but in the floor")
@Outcome(id = "true, 100", expect = Expect.ACCEPTABLE, desc = "acknowledged and in the floor")
@Outcome(expect = Expect.FORBIDDEN, desc = "acknowledged, and a strong read would not see it")
@State
public class FloorBeforeConfirmation {
    private final MasterLog log = new MasterLog(new MasterVisibility());
    private volatile boolean acknowledged;

    public FloorBeforeConfirmation() {
        log.connected(10);
        log.received(10);
    }

    @Actor
    public void relay() {
        log.commit(100, 7);
        log.received(120);
        acknowledged = true;
    }

    @Actor
    public void reader(ZJ_Result result) {
        result.r1 = acknowledged;
        result.r2 = log.floor();
    }
}
