package io.multimed.core.propagation;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZJ_Result;

/** The relay loses the Master, which is restarted once there is no floor; then a client reads. */
@JCStressTest
@Outcome(id = "false, 10", expect = Expect.ACCEPTABLE, desc = "not restarted yet")
@Outcome(id = "false, -1", expect = Expect.ACCEPTABLE, desc = "withdrawn")
@Outcome(id = "true, -1", expect = Expect.ACCEPTABLE, desc = "restarted, and known to be")
@Outcome(expect = Expect.FORBIDDEN, desc = "restarted, and a strong read would rely on the old floor")
@State
public class FloorWithdrawnBeforeRestart {
    private final MasterLog log = new MasterLog(new MasterVisibility());

    public FloorWithdrawnBeforeRestart() {
        log.connected(10);
        log.received(10);
    }

    @Actor
    public void relay() {
        log.disconnected();
        // The rest of a chunk that was read before.
        log.commit(100, 7);
        log.received(120);
    }

    @Actor
    public void serverThenReader(ZJ_Result result) {
        result.r1 = log.floor() == MasterLog.UNKNOWN;
        result.r2 = log.floor();
    }
}
