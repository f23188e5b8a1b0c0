package io.multimed.endpoint.pg;

import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;

/**
 * A table that is locked until this object is closed. So a read of it takes as long as the test needs, however slow the machine is.
 */
final class LockedTable implements AutoCloseable {
    private final WireSession locker;

    private LockedTable(WireSession locker) {
        this.locker = locker;
    }

    /**
     * Locks the table and lets the client read it; returns when the read is under way.
     *
     * @param as gives the read a shape of its own, which has not held up other reads yet
     */
    static LockedTable readBy(WireSession client, EndpointOnOneEngine multimed, String as) throws Exception {
        WireSession locker = multimed.openEngine();
        String read = "SELECT count(*) AS " + as + " FROM locked";
        locker.rows("CREATE TABLE IF NOT EXISTS locked ()");
        // Reads of a known shape are sent at once.
        client.rows(read);
        locker.rows("BEGIN; LOCK TABLE locked");
        client.send(FrontendBytes.query(read));
        EndpointTest.await(() -> multimed.satellite.active() == 1);
        return new LockedTable(locker);
    }

    /** Lets the read continue. */
    @Override
    public void close() throws IOException {
        locker.close();
    }
}
