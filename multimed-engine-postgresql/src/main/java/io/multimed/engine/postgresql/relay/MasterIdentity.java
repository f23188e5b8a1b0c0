package io.multimed.engine.postgresql.relay;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the Master said of itself when the Relay connected; repeated to every Satellite's walreceiver.
 *
 * @param systemId of the database cluster, decimal
 * @param timeline present timeline
 * @param flushed end of the durable log at that moment
 * @param segmentSize bytes of a log segment
 * @param pageSize bytes of a log page
 * @param parameters reported server parameters, {@code server_version} among them
 * @param history how the present timeline came to be; null on timeline 1
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

    /** Major version, e.g. 18. */
    int majorVersion() {
        String version = parameters.getOrDefault("server_version", "");
        int digits = 0;
        while (digits < version.length() && Character.isDigit(version.charAt(digits))) {
            digits++;
        }
        return digits == 0 || digits > 4 ? 0 : Integer.parseInt(version.substring(0, digits));
    }
}
