package io.multimed.bench.experiment;

import io.multimed.bench.client.Query;
import io.multimed.bench.system.Node;
import io.multimed.bench.system.Template;
import java.sql.Connection;
import java.sql.SQLException;

/** The positions of the Master's log and of a Satellite in it, in bytes since the cluster was made. */
final class Positions implements AutoCloseable {
    private static final String WRITTEN = "SELECT pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::bigint";
    private static final String REPLAYED = "SELECT pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint";
    private static final String REPLAYING = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'startup'";

    /**
     * Positions read together, the Master's first: the Satellite cannot have replayed log beyond it, or only log written soon
     * after.
     */
    record At(long nanos, long written, long replayed) {
        private static final double MB = 1e6;
        private static final double NANOS = 1e9;

        double seconds(At later) {
            return (later.nanos - nanos) / NANOS;
        }

        double writtenMb(At later) {
            return (later.written - written) / MB;
        }

        double replayedMb(At later) {
            return (later.replayed - replayed) / MB;
        }

        /** Returns the Satellite's lag. */
        double behindMb() {
            return Math.max(0, written - replayed) / MB;
        }
    }

    private final Connection master;
    private final Connection satellite;

    Positions(Node master, Node satellite) throws SQLException {
        this.master = master.open(Template.DATABASE);
        try {
            this.satellite = satellite.open(Template.DATABASE);
        } catch (SQLException e) {
            this.master.close();
            throw e;
        }
    }

    At now() throws SQLException {
        long written = Query.number(master, WRITTEN);
        return new At(System.nanoTime(), written, Query.number(satellite, REPLAYED));
    }

    /** Returns the process that replays. */
    long replaying() throws SQLException {
        return Query.number(satellite, REPLAYING);
    }

    @Override
    public void close() throws SQLException {
        try (master) {
            satellite.close();
        }
    }
}
