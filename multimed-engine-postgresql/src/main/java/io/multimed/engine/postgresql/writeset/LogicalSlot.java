package io.multimed.engine.postgresql.writeset;

import io.multimed.core.spi.EngineException;
import io.multimed.engine.postgresql.wire.Lsn;
import io.multimed.engine.postgresql.wire.MasterRefusedException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A logical slot and the publication that it decodes.
 *
 * @param slot its name: lower-case letters, digits and underscores
 * @param publication the name of the publication whose tables it is about
 */
record LogicalSlot(String slot, String publication) {
    private static final Logger LOG = LoggerFactory.getLogger(LogicalSlot.class);
    private static final int MAX_NAME = 63;
    private static final Duration ANSWER = Duration.ofSeconds(10);

    private static final String BLOCKERS = """
            SELECT pg_catalog.string_agg(coalesce(a.name, 'a prepared transaction, see pg_prepared_xacts'), '; ')
            FROM pg_catalog.unnest(pg_catalog.pg_blocking_pids(?)) AS b(pid)
            LEFT JOIN LATERAL (SELECT pg_catalog.format('process %s of %s (%s), in a transaction since %s',
                pid, usename, state, xact_start) AS name FROM pg_catalog.pg_stat_activity WHERE pid = b.pid) AS a ON true""";

    LogicalSlot {
        if (!slot.matches("[a-z0-9_]{1," + MAX_NAME + "}")) {
            throw new IllegalArgumentException("not a slot's name: " + slot);
        }
    }

    /**
     * Creates the slot, which stays until it is dropped. PostgreSQL waits for all transactions that have written and not ended, so
     * this may take long.
     *
     * @return the position from which on the slot gives every commit
     * @throws EngineException if the Master refuses, or the time is over; the message names the transaction that was waited for
     */
    long create(MasterDatabase database, Duration patience) throws EngineException {
        try (DecodingConnection connection =
                DecodingConnection.open(database.master(), database.user(), database.database(), ANSWER)) {
            try {
                @Nullable
                String[] row = connection
                        .command("CREATE_REPLICATION_SLOT " + slot + " LOGICAL pgoutput (SNAPSHOT 'nothing')", patience)
                        .get(0);
                return Lsn.parse(Objects.requireNonNull(row[1]));
            } catch (SocketTimeoutException e) {
                String blocker = endCreation(database, connection.processId());
                throw new EngineException(
                        "The logical slot " + slot + " could not be created within " + patience.toSeconds()
                                + " s: PostgreSQL waits for " + blocker + ".",
                        e);
            }
        } catch (IOException | MasterRefusedException e) {
            throw new EngineException("Cannot create the logical slot " + slot + ": " + e.getMessage() + ".", e);
        }
    }

    /** Ends a creation under way: its walsender would not notice that the connection is closed. Returns what it waits for. */
    private static String endCreation(MasterDatabase database, int process) {
        String blocker = null;
        try (Connection admin = database.connect();
                PreparedStatement names = admin.prepareStatement(BLOCKERS);
                PreparedStatement end = admin.prepareStatement("SELECT pg_terminate_backend(?)")) {
            names.setInt(1, process);
            try (ResultSet row = names.executeQuery()) {
                blocker = row.next() ? row.getString(1) : null;
            }
            end.setInt(1, process);
            end.execute();
        } catch (SQLException e) {
            LOG.debug("Ending the creation of a slot: {}", e.getMessage());
        }
        return blocker == null ? "transactions that are not known" : blocker;
    }

    /** Drops the slot if it exists, and ends the process that uses it. */
    void drop(Connection master) throws SQLException, InterruptedException {
        ReplicationSlots.drop(master, slot);
    }

    /** Drops the slots whose names match, of all databases. */
    static void dropMatching(Connection master, String pattern) throws SQLException, InterruptedException {
        for (List<String> left : matching(master, pattern)) {
            ReplicationSlots.drop(master, left.get(0));
        }
    }

    /** Returns the databases that have slots whose names match. */
    static Set<String> databases(Connection master, String pattern) throws SQLException {
        Set<String> databases = new HashSet<>();
        for (List<String> left : matching(master, pattern)) {
            databases.add(left.get(1));
        }
        return databases;
    }

    private static List<List<String>> matching(Connection master, String pattern) throws SQLException {
        List<List<String>> matching = new ArrayList<>();
        try (Statement statement = master.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT slot_name, coalesce(database, '') FROM pg_catalog.pg_replication_slots"
                                + " WHERE NOT temporary")) {
            while (rows.next()) {
                if (rows.getString(1).matches(pattern)) {
                    matching.add(List.of(rows.getString(1), rows.getString(2)));
                }
            }
        }
        return matching;
    }
}
