package io.multimed.core.propagation;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZJ_Result;

/**
 * A commit that the relay has not received is acknowledged while the relay receives others; then a client that knows of the
 * acknowledgement reads.
 */
@JCStressTest
@Outcome(id = "false, 10", expect = Expect.ACCEPTABLE, desc = "not acknowledged yet")
@Outcome(id = "false, 100", expect = Expect.ACCEPTABLE, desc = "not acknowledged yet, and another is in the floor")
@Outcome(id = "false, -1", expect = Expect.ACCEPTABLE, desc = "not acknowledged yet, but doubted")
@Outcome(id = "true, -1", expect = Expect.ACCEPTABLE, desc = "acknowledged and doubted")
@Outcome(expect = Expect.FORBIDDEN, desc = "acknowledged, and a strong read would not see it")
@State
public class DoubtBeforeAcknowledgement {
    private final MasterLog log = new MasterLog(new MasterVisibility());
    private volatile boolean acknowledged;

    public DoubtBeforeAcknowledgement() {
        log.connected(10);
        log.received(10);
    }

    @Actor
    public void relay() {
        log.commit(100, 7);
        log.received(120);
    }

    @Actor
    public void loop() {
        log.doubt();
        acknowledged = true;
    }

    @Actor
    public void reader(ZJ_Result result) {
        result.r1 = acknowledged;
        result.r2 = log.floor();
    }
}
