package io.multimed.core.propagation;

import java.io.IOException;

/**
 * The order in which received log is published. Freshness depends on this order.
 *
 * <ol>
 *   <li>Changes of catalogs are announced: after the acknowledgement of a commit, the client's next statement must be
 *       classified by the new catalog.
 *   <li>The floor is published: from the confirmation on, the Master may show the commits and acknowledge them.
 *   <li>The log is confirmed to the Master.
 *   <li>The log is forwarded to the Satellites.
 *   <li>Waiting readers are woken if there was no floor before.
 * </ol>
 *
 * <p>Relay thread.
 */
public final class LogPublication {
    /** The relay's connections. */
    public interface Output {
        /** Announces the changes of catalogs that were found in the log. */
        void announceCatalogChanges();

        /** Confirms to the Master that the log up to this position is in memory. */
        void confirm(long position) throws IOException;

        /** Forwards the log up to this position, which is the end of a whole record, to the Satellites. */
        void forward(long position);
    }

    private final MasterLog log;
    private final FreshnessGate gate;
    private final Output output;

    public LogPublication(MasterLog log, FreshnessGate gate, Output output) {
        this.log = log;
        this.gate = gate;
        this.output = output;
    }

    /**
     * Publishes received log, whose commits have been reported to the {@link MasterLog}.
     *
     * @param end of the log received
     * @param wholeRecords end of the last whole record in it
     * @throws IOException if the connection to the Master fails; nothing was forwarded then
     */
    public void publish(long end, long wholeRecords) throws IOException {
        boolean floorWasKnown = log.floor() != Floor.UNKNOWN;
        output.announceCatalogChanges();
        log.received(end);
        output.confirm(end);
        output.forward(wholeRecords);
        if (!floorWasKnown && log.floor() != Floor.UNKNOWN) {
            gate.progressed();
        }
    }
}
