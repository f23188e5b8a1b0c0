package io.multimed.engine.mariadb;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A position in the Master's binary log, as {@code gtid_binlog_pos} names it: the last GTID of each replication domain.
 *
 * @param gtids by domain, each as {@code DOMAIN-SERVER-SEQUENCE}
 */
public record GtidPosition(Map<Long, String> gtids) {
    /** The domain whose sequence numbers are the SCNs. */
    public static final long DOMAIN = 0;

    public GtidPosition {
        gtids = Map.copyOf(gtids);
    }

    /** @throws IllegalArgumentException if the text is no position */
    public static GtidPosition parse(String text) {
        Map<Long, String> gtids = new TreeMap<>();
        for (String gtid : text.split(",")) {
            if (gtid.isBlank()) {
                continue;
            }
            String[] parts = gtid.strip().split("-");
            if (parts.length != 3) {
                throw new IllegalArgumentException("not a GTID: " + gtid);
            }
            Long.parseLong(parts[2]);
            gtids.put(Long.parseLong(parts[0]), gtid.strip());
        }
        return new GtidPosition(gtids);
    }

    /** Returns the SCN: the sequence number in domain 0, or 0 if there is none. */
    public long scn() {
        String gtid = gtids.get(DOMAIN);
        return gtid == null ? 0 : Long.parseLong(gtid.substring(gtid.lastIndexOf('-') + 1));
    }

    /** Whether there are GTIDs of other domains, whose order to domain 0 is not known. */
    public boolean hasOtherDomains() {
        return gtids.keySet().stream().anyMatch(domain -> domain != DOMAIN);
    }

    @Override
    public String toString() {
        return new TreeMap<>(gtids).values().stream().collect(Collectors.joining(","));
    }
}
