package io.multimed.engine.postgresql.relay;

import io.multimed.engine.postgresql.wire.Lsn;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The Master's description of itself when the Relay connected; repeated to every Satellite's walreceiver.
 *
 * @param systemId of the database cluster, decimal
 * @param timeline present timeline
 * @param flushed end of the durable log at that moment
 * @param segmentSize bytes of a log segment
 * @param pageSize bytes of a log page
 * @param parameters reported server parameters, {@code server_version} among them
 * @param history content of the present timeline's history file; null on timeline 1
 */
record MasterIdentity(
        String systemId,
        int timeline,
        long flushed,
        int segmentSize,
        int pageSize,
        Map<String, String> parameters,
        @Nullable History history) {
    MasterIdentity {
        parameters = Map.copyOf(parameters);
    }

    /**
     * A timeline history file.
     *
     * @param name as the Master names it
     * @param content as the Master sent it
     */
    record History(byte[] name, byte[] content) {}

    /** Returns the major version, e.g. 18. */
    int majorVersion() {
        String version = parameters.getOrDefault("server_version", "");
        int digits = 0;
        while (digits < version.length() && Character.isDigit(version.charAt(digits))) {
            digits++;
        }
        return digits == 0 || digits > 4 ? 0 : Integer.parseInt(version.substring(0, digits));
    }

    /**
     * Returns why this Master cannot be followed; null if it can.
     *
     * @param before the Master that the Relay followed until now, if any
     * @param received up to where that Master's log was received
     */
    @Nullable
    String objection(@Nullable MasterIdentity before, long received) {
        int version = majorVersion();
        if (version < 15 || version > 18) {
            return "the master's version " + parameters.get("server_version") + " is not one of 15 to 18";
        }
        if (before == null) {
            return null;
        }
        if (!before.systemId.equals(systemId)) {
            return "the master is another database cluster: " + systemId + " instead of " + before.systemId;
        }
        if (before.timeline != timeline) {
            return "the master is on timeline " + timeline + " instead of " + before.timeline;
        }
        if (flushed < received) {
            return "the master's log ends at " + Lsn.format(flushed) + ", before what was received up to "
                    + Lsn.format(received);
        }
        return null;
    }
}
