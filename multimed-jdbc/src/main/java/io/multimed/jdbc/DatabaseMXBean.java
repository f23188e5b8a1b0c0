package io.multimed.jdbc;

import java.util.List;
import java.util.Map;

/** A database inside this process, visible in JMX as {@code io.multimed:type=Database,name="jdbc:h2:mem:shop"}. */
public interface DatabaseMXBean {
    /** Returns the SCN of the last commit. */
    long getCommitted();

    /** Returns the state of all nodes, the Master first. */
    List<NodeBean> getNodes();

    /** Returns the number of single reads and read-only transactions that Satellites took. */
    long getReadsOnSatellites();

    /** Returns the numbers of reads that might have run on Satellites but did not, by reason. */
    Map<String, Long> getReadsOnMaster();

    /** Returns the number of the Satellites' rows that were compared with the Master's since the database was opened. */
    long getRowsCompared();

    /** Returns the number of Satellites that differed from the Master and were rebuilt. */
    long getDifferencesFound();

    /** Returns the number of times that a read had to wait for commits it must see, or applied them itself. */
    long getFreshnessWaits();

    /** Returns the sum of these times, in microseconds. */
    long getFreshnessWaitTotalMicros();

    /** Returns the upper bound of half of these times, in microseconds and steps of an eighth. */
    double getFreshnessWaitMedianMicros();

    /** Returns the upper bound of 99 % of these times, in microseconds. */
    double getFreshnessWaitP99Micros();
}
