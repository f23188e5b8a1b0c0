package io.multimed.jdbc;

import java.util.List;
import java.util.Map;

/** A database inside this process, seen through JMX as {@code io.multimed:type=Database,name="jdbc:h2:mem:shop"}. */
public interface DatabaseMXBean {
    /** The SCN of the last commit. */
    long getCommitted();

    /** Master first. */
    List<NodeBean> getNodes();

    /** Reads by themselves and read-only transactions that Satellites took. */
    long getReadsOnSatellites();

    /** Those that might have run on Satellites and did not, by why. */
    Map<String, Long> getReadsOnMaster();

    /** Rows of Satellites that were compared with the Master's since the database was opened. */
    long getRowsCompared();

    /** Satellites that differed from the Master and were made anew. */
    long getDifferencesFound();

    /** How often a read had to wait for what it must see, or applied it itself. */
    long getFreshnessWaits();

    /** How long these took in all, in microseconds. */
    long getFreshnessWaitTotalMicros();

    /** Which half of these took at most, in steps of an eighth. */
    double getFreshnessWaitMedianMicros();

    /** Which 99 of 100 of these took at most. */
    double getFreshnessWaitP99Micros();
}
