package io.multimed.endpoint.pg;

import io.multimed.testkit.wire.Frontend;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;

/** A table that is locked until this is closed: a read of it takes as long as a test likes, however slow the machine is. */
final class LockedTable implements AutoCloseable {
    private final WireSession locker;

    private LockedTable(WireSession locker) {
        this.locker = locker;
    }

    /**
     * The client is reading it when this returns.
     *
     * @param as gives the read a shape of its own, which has held up nobody yet
     */
    static LockedTable readBy(WireSession client, EndpointOnOneEngine multimed, String as) throws Exception {
        WireSession locker = multimed.openEngine();
        String read = "SELECT count(*) AS " + as + " FROM locked";
        locker.rows("CREATE TABLE IF NOT EXISTS locked ()");
        // Shapes that are known are sent at once.
        client.rows(read);
        locker.rows("BEGIN; LOCK TABLE locked");
        client.send(Frontend.query(read));
        EndpointTest.await(() -> multimed.satellite.active() == 1);
        return new LockedTable(locker);
    }

    /** Lets the read go on. */
    @Override
    public void close() throws IOException {
        locker.close();
    }
}
