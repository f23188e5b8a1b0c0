package io.multimed.endpoint.mysql.session;

import io.multimed.endpoint.mysql.backend.OwnConnection;
import io.multimed.sql.mysql.MysqlStatement;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The base tables of InnoDB: the only ones that Satellites read. Views, sequences, system tables and tables of other engines are left to
 * the Master. Read again after each change of a schema; until then every table is unknown, and the Master executes the reads. Thread-safe.
 */
public final class BaseTables {
    private static final String QUERY = "SELECT HEX(CONVERT(CONCAT(TABLE_SCHEMA, CHAR(0), TABLE_NAME) USING utf8mb4))"
            + " FROM information_schema.TABLES WHERE TABLE_TYPE='BASE TABLE' AND ENGINE='InnoDB'"
            + " AND TABLE_SCHEMA NOT IN ('mysql','sys','information_schema','performance_schema')";

    /**
     * Routines and triggers that may make temporary tables, also by statements that they put together. The two of MariaDB's own put
     * together nothing but ALTER TABLE.
     */
    private static final String ROUTINES = "SELECT (SELECT COUNT(*) FROM information_schema.ROUTINES"
            + " WHERE ROUTINE_SCHEMA<>'sys' AND NOT (ROUTINE_SCHEMA='mysql'"
            + " AND ROUTINE_NAME IN ('AddGeometryColumn','DropGeometryColumn')) AND (ROUTINE_DEFINITION IS NULL OR ROUTINE_DEFINITION LIKE '%TEMPORARY%'"
            + " OR ROUTINE_DEFINITION LIKE '%EXECUTE%'))"
            + " + (SELECT COUNT(*) FROM information_schema.TRIGGERS WHERE ACTION_STATEMENT LIKE '%TEMPORARY%'"
            + " OR ACTION_STATEMENT LIKE '%EXECUTE%')";

    /**
     * Counts the objects that may leave unseen state in a session, which no other connection can be told: triggers and views
     * by words that contain an at sign or such a name; routines, which only triggers and views call unseen; sequences, by defaults of columns too.
     */
    private static final String LEAVING = "SELECT SUM(n) FROM ("
            + "SELECT COUNT(*) n FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA NOT IN ('sys', 'mysql')"
            + " AND ACTION_STATEMENT REGEXP '@|_LOCK|EXECUTE|LAST_INSERT_ID|TEMPORARY|SESSION|[[:space:]]SET[[:space:]]+"
            + "(LOCAL|sql_|time_zone|foreign_key|unique_ch|check_con|timestamp|insert_id|lc_|character_set|collation_|group_concat|rand_seed)'"
            + " UNION ALL SELECT COUNT(*) FROM information_schema.VIEWS WHERE TABLE_SCHEMA NOT IN ('sys', 'mysql')"
            + " AND VIEW_DEFINITION REGEXP '_LOCK|LAST_INSERT_ID|LAST_GTID|CONNECTION_ID|PSEUDO_THREAD_ID'"
            + " UNION ALL SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_TYPE='SEQUENCE'"
            + " UNION ALL SELECT COUNT(*) FROM information_schema.ROUTINES"
            + " WHERE ROUTINE_SCHEMA NOT IN ('sys', 'mysql') AND (ROUTINE_DEFINITION IS NULL"
            + " OR ROUTINE_DEFINITION REGEXP '@|_LOCK|EXECUTE|LAST_INSERT_ID|[[:space:]]SET[[:space:]]|TEMPORARY')"
            + " AND ((SELECT COUNT(*) FROM information_schema.VIEWS WHERE TABLE_SCHEMA NOT IN ('sys', 'mysql')) > 0"
            + " OR (SELECT COUNT(*) FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA NOT IN ('sys', 'mysql')) > 0)"
            + ") leaving";

    private record Known(long changes, Set<String> names, boolean harmlessRoutines) {}

    private final LongSupplier schemaChanges;
    private final AtomicBoolean reading = new AtomicBoolean();
    /** Whether a routine or trigger has been seen that may leave something; one that is gone may have done so. */
    private volatile boolean routinesLeave;

    private volatile Known known = new Known(-1, Set.of(), false);

    /** @param schemaChanges number of changes of schemas so far */
    public BaseTables(LongSupplier schemaChanges) {
        this.schemaChanges = schemaChanges;
    }

    /**
     * Whether all names are those of base tables now.
     *
     * @param database of the session, in UTF-8
     * @param own a connection of this loop, with which the tables are read again if need be
     */
    boolean containAll(Set<String> names, byte[] database, OwnConnection own) {
        Known present = known;
        long changes = schemaChanges.getAsLong();
        if (present.changes() != changes) {
            read(changes, own);
            return false;
        }
        String prefix = new String(database, StandardCharsets.UTF_8) + MysqlStatement.SEPARATOR;
        for (String name : names) {
            boolean isQualified = name.indexOf(MysqlStatement.SEPARATOR) >= 0;
            if (!present.names().contains(isQualified ? name : prefix + name)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the tables are known as they are now. If not, they are read again. */
    boolean areKnown(OwnConnection own) {
        long changes = schemaChanges.getAsLong();
        if (known.changes() != changes) {
            read(changes, own);
            return false;
        }
        return true;
    }

    /** Whether no routine or trigger is known that makes temporary tables. */
    boolean areRoutinesHarmless(OwnConnection own) {
        Known present = known;
        long changes = schemaChanges.getAsLong();
        if (present.changes() != changes) {
            read(changes, own);
            return false;
        }
        return present.harmlessRoutines();
    }

    /** Whether no routine or trigger has been known that leaves something in sessions. */
    boolean doRoutinesLeaveNothing(OwnConnection own) {
        return areKnown(own) && !routinesLeave;
    }

    private void read(long changes, OwnConnection own) {
        if (!reading.compareAndSet(false, true)) {
            return;
        }
        own.execute(List.of(QUERY, ROUTINES, LEAVING), answers -> {
            if (answers != null && answers.get(0).error() == null) {
                List<@Nullable String> count = answers.get(1).onlyRow();
                Set<String> names = new HashSet<>();
                for (List<@Nullable String> row : answers.get(0).rows()) {
                    String hex = row.get(0);
                    if (hex != null) {
                        names.add(new String(java.util.HexFormat.of().parseHex(hex), StandardCharsets.UTF_8));
                    }
                }
                List<@Nullable String> leaving = answers.get(2).onlyRow();
                routinesLeave |= leaving == null || !"0".equals(leaving.get(0));
                known = new Known(changes, names, count != null && "0".equals(count.get(0)));
            }
            reading.set(false);
        });
    }
}
