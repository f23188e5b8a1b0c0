package io.multimed.endpoint.pg;

import io.multimed.core.propagation.MasterLog;
import io.multimed.endpoint.pg.backend.CommitDoubts;
import io.multimed.endpoint.pg.services.EndpointServices;

/** Doubts recorded in the Master's log, which has no floor while there are any. */
final class LogDoubts implements CommitDoubts {
    private final MasterLog log;
    private final EndpointServices.Snapshots master;

    LogDoubts(EndpointServices services) {
        log = services.log();
        master = services.snapshots();
    }

    @Override
    public long begin() {
        long doubt = log.doubt();
        master.endDoubts();
        return doubt;
    }

    @Override
    public boolean isOver(long doubt) {
        return log.isOver(doubt);
    }
}
