package io.multimed.protocol.mysql;

import java.util.List;

/**
 * SQL that asks MariaDB which commits its engines show. {@code START TRANSACTION WITH CONSISTENT SNAPSHOT} takes its snapshot under the
 * lock under which engines commit in the order of the binary log, and reads under the same lock how far in the log they have come. So
 * every commit up to that position is in each later snapshot, and none that still waits for a replica is.
 */
public final class ShownCommits {
    public static final String BEGIN = "START TRANSACTION WITH CONSISTENT SNAPSHOT";
    /** Yields the position as a list of GTIDs. */
    public static final String QUERY = "SELECT BINLOG_GTID_POS("
            + "(SELECT VARIABLE_VALUE FROM information_schema.SESSION_STATUS"
            + " WHERE VARIABLE_NAME='BINLOG_SNAPSHOT_FILE'),"
            + "(SELECT VARIABLE_VALUE FROM information_schema.SESSION_STATUS"
            + " WHERE VARIABLE_NAME='BINLOG_SNAPSHOT_POSITION'))";

    public static final String END = "COMMIT";

    /** The statements in their order. */
    public static final List<String> STATEMENTS = List.of(BEGIN, QUERY, END);

    private ShownCommits() {}
}
