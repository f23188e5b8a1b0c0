package io.multimed.testkit.history;

/** How the snapshots of an engine that applies commits one after the other relate to their order. */
public enum Snapshots {
    /** Each snapshot is a prefix of the order. */
    PREFIXES,
    /**
     * A snapshot holds every commit that was there when it began. Of the commits that come while it is taken, it may hold a later one
     * and lack an earlier one. InnoDB of MariaDB collects the open transactions in this way, without a lock ({@code
     * trx_sys_t::snapshot_ids}).
     */
    COLLECTED
}
