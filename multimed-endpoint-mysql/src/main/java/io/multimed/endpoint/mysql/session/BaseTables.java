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

    private record Known(long changes, Set<String> names, boolean harmlessRoutines) {}

    private final LongSupplier schemaChanges;
    private final AtomicBoolean reading = new AtomicBoolean();
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

    private void read(long changes, OwnConnection own) {
        if (!reading.compareAndSet(false, true)) {
            return;
        }
        own.execute(List.of(QUERY, ROUTINES), answers -> {
            if (answers != null && answers.get(0).error() == null) {
                List<@Nullable String> count = answers.get(1).onlyRow();
                Set<String> names = new HashSet<>();
                for (List<@Nullable String> row : answers.get(0).rows()) {
                    String hex = row.get(0);
                    if (hex != null) {
                        names.add(new String(java.util.HexFormat.of().parseHex(hex), StandardCharsets.UTF_8));
                    }
                }
                known = new Known(changes, names, count != null && "0".equals(count.get(0)));
            }
            reading.set(false);
        });
    }
}
