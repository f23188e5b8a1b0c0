package io.multimed.engine.postgresql.writeset;

import io.multimed.engine.postgresql.catalog.QueriedRows;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The physical slots for the triggers of databases. The slot of a database holds the log, and tells the next run that triggers may be
 * left, for which it need not hold any.
 *
 * <p>The methods use connections of {@link MasterDatabase#connect}, in autocommit mode.
 */
final class CaptureSlots {
    /** The OID of the database follows. */
    private static final String PREFIX = "multimed_capture_";

    static final String NAMES = PREFIX + "[0-9]+";

    private static final String DATABASES = "SELECT s.slot_name, coalesce(d.datname, '') FROM pg_replication_slots s"
            + " LEFT JOIN pg_database d ON s.slot_name = '" + PREFIX + "' || d.oid WHERE s.slot_name ~ '^" + NAMES
            + "$'";

    private static final String HOLDING =
            "SELECT slot_name FROM pg_replication_slots WHERE slot_name = ? AND restart_lsn IS NOT NULL";

    private CaptureSlots() {}

    /** Returns the name of the slot of the connection's database. */
    static String name(Connection master) throws SQLException {
        return PREFIX + MasterDatabase.oid(master);
    }

    /** Makes the slot of the connection's database anew, which holds the log from now on. */
    static void hold(Connection master) throws SQLException, InterruptedException {
        String slot = name(master);
        ReplicationSlots.drop(master, slot);
        create(master, slot, true);
    }

    /** Has a slot hold no log any more, and ends the process that uses it. The slot stays, if there is one. */
    static void letGo(Connection master, String slot) throws SQLException, InterruptedException {
        if (!QueriedRows.of(master, HOLDING, slot).isEmpty()) {
            ReplicationSlots.drop(master, slot);
            create(master, slot, false);
        }
    }

    private static void create(Connection master, String slot, boolean holding) throws SQLException {
        QueriedRows.of(
                master, "SELECT slot_name FROM pg_create_physical_replication_slot('" + slot + "', " + holding + ")");
    }

    /** Drops the slots of databases that are gone: no physical slot goes with its database. */
    static void dropOfGone(Connection master) throws SQLException, InterruptedException {
        for (Map.Entry<String, String> slot : databases(master).entrySet()) {
            if (slot.getValue().isEmpty()) {
                ReplicationSlots.drop(master, slot.getKey());
            }
        }
    }

    /** Returns the databases that have slots, by their slots; a database that is gone has an empty name. */
    static Map<String, String> databases(Connection master) throws SQLException {
        Map<String, String> databases = new LinkedHashMap<>();
        for (List<String> row : QueriedRows.of(master, DATABASES)) {
            databases.put(row.get(0), row.get(1));
        }
        return databases;
    }
}
