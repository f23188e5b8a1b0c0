package io.multimed.jdbc;

import io.multimed.engine.embedded.EmbeddedDatabase;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The JMX bean of a database. Any thread. */
record DatabaseBean(EmbeddedDatabase database) implements DatabaseMXBean {
    private static final double NANOS_PER_MICRO = 1e3;

    @Override
    public long getCommitted() {
        return database.committed();
    }

    @Override
    public List<NodeBean> getNodes() {
        return database.nodes().stream().map(NodeBean::of).toList();
    }

    @Override
    public long getReadsOnSatellites() {
        return database.reads().onSatellites();
    }

    @Override
    public Map<String, Long> getReadsOnMaster() {
        return database.reads().onMaster();
    }

    @Override
    public long getRowsCompared() {
        return database.comparisons().rows();
    }

    @Override
    public long getDifferencesFound() {
        return database.comparisons().differences();
    }

    @Override
    public long getFreshnessWaits() {
        return database.reads().waits();
    }

    @Override
    public long getFreshnessWaitTotalMicros() {
        return TimeUnit.NANOSECONDS.toMicros(database.reads().waitedNanos());
    }

    @Override
    public double getFreshnessWaitMedianMicros() {
        return database.reads().medianNanos() / NANOS_PER_MICRO;
    }

    @Override
    public double getFreshnessWaitP99Micros() {
        return database.reads().p99Nanos() / NANOS_PER_MICRO;
    }
}
