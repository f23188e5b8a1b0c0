package io.multimed.engine.postgresql.writeset;

import io.multimed.core.spi.EngineException;
import io.multimed.engine.postgresql.catalog.QueriedRows;
import io.multimed.engine.postgresql.partial.TableFamilies;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The publication of a database: its tables are changed one by one, since each change has every reader of the log and every session
 * look at the table's entry anew.
 *
 * <p>PostgreSQL decides whether a change is published by the catalog as of that change. So the changes that a transaction made before
 * its table was added are not published, even if it commits later ({@link #awaitWriters}).
 *
 * <p>The methods use connections of {@link MasterDatabase#connect}, in autocommit mode.
 */
final class PublishedTables {
    private static final String ACTIONS = " (publish = 'insert, update, delete, truncate')";
    private static final long LOOK_MILLIS = 50;

    /** The tables by the names that were asked for, with their partitions and heirs; names that stand for nothing are left out. */
    private static final String CARRIED = """
            WITH RECURSIVE carried (root, oid) AS (
                SELECT n, to_regclass(n)::oid FROM unnest(?::text[]) AS n WHERE to_regclass(n) IS NOT NULL
                UNION
                SELECT c.root, i.inhrelid FROM pg_inherits i JOIN carried c ON c.oid = i.inhparent
            )
            """;

    /**
     * The tables for the publication: a partitioned table stands for its partitions, also those to come; a table with heirs does not.
     */
    private static final String WANTED = """
            WITH RECURSIVE wanted (oid) AS (
                SELECT to_regclass(n)::oid FROM unnest(?::text[]) AS n WHERE to_regclass(n) IS NOT NULL
                UNION
                SELECT i.inhrelid FROM pg_inherits i JOIN wanted w ON w.oid = i.inhparent
                    JOIN pg_class p ON p.oid = w.oid AND p.relkind = 'r'
            )
            """;

    private static final String PUBLISHED =
            "(SELECT r.prrelid AS oid FROM pg_publication_rel r JOIN pg_publication p ON p.oid = r.prpubid AND p.pubname = ?)";

    private static final String NAMES =
            " SELECT c.oid, format('%I.%I', n.nspname, c.relname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace";

    private static final String WANTED_NOW = WANTED + NAMES + " WHERE c.oid IN (SELECT oid FROM wanted) ORDER BY c.oid";

    private static final String MISSING = WANTED + NAMES
            + " WHERE c.oid IN (SELECT oid FROM wanted EXCEPT SELECT oid FROM " + PUBLISHED + " p) ORDER BY c.oid";

    private static final String SUPERFLUOUS = WANTED + NAMES + " WHERE c.oid IN (SELECT oid FROM " + PUBLISHED
            + " p EXCEPT SELECT oid FROM wanted) ORDER BY c.oid";

    private static final String REMOVED =
            "SELECT oid FROM pg_class WHERE oid = ANY (?::oid[]) AND oid NOT IN (SELECT oid FROM " + PUBLISHED + " p)";

    /** Tables whose UPDATE and DELETE the Master refuses once they are published. */
    private static final String WITHOUT_IDENTITY = CARRIED + """
            SELECT c.root, c.oid::regclass::text FROM carried c JOIN pg_class k ON k.oid = c.oid WHERE\s""" + TableFamilies.LACK_IDENTITY;

    /** The locks that a writer keeps to its end, and those that keep all writers away. */
    private static final List<String> WRITERS_LOCKS =
            List.of("RowExclusiveLock", "ShareRowExclusiveLock", "ExclusiveLock", "AccessExclusiveLock");

    /** The locks that also keep triggers from being created, as VACUUM and CREATE INDEX do. */
    private static final List<String> MORE_LOCKS = List.of("ShareUpdateExclusiveLock", "ShareLock");

    /** Transactions that hold locks on tables. */
    private static final String HOLDERS = CARRIED + """
            SELECT l.virtualtransaction, CASE WHEN a.pid IS NULL THEN 'a prepared transaction, see pg_prepared_xacts'
                       ELSE format('process %s of %s (%s), in a transaction since %s', a.pid, coalesce(a.usename, a.backend_type), a.state, a.xact_start) END
              FROM pg_locks l LEFT JOIN pg_stat_activity a ON a.pid = l.pid
             WHERE l.locktype = 'relation' AND l.granted AND l.relation IN (SELECT oid FROM carried)
               AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
               AND l.mode = ANY (?::text[])
               AND l.pid IS DISTINCT FROM pg_backend_pid()""";

    private final String publication;
    private final String name;

    /** The tables that were published by this object. Guarded by this, like the next. */
    private final Set<Long> published = new HashSet<>();
    /** Those of them whose earlier writers may not have ended. */
    private final Set<Long> unsettled = new HashSet<>();

    PublishedTables(String publication) {
        this.publication = publication;
        name = QualifiedName.quoted(publication);
    }

    /**
     * Makes the publication if it is missing, and adds tables.
     *
     * @param tables qualified, as in SQL; those that do not exist are left out
     * @return the OIDs of the tables that are in the publication now
     * @throws EngineException if a table's rows have no replica identity: with the remedy. Nothing has changed then
     */
    synchronized Set<Long> add(Connection master, Collection<String> tables) throws SQLException, EngineException {
        master.setAutoCommit(false);
        try (Statement statement = master.createStatement()) {
            if (QueriedRows.of(master, "SELECT pubname FROM pg_publication WHERE pubname = ?", publication)
                    .isEmpty()) {
                statement.execute("CREATE PUBLICATION " + name + " WITH" + ACTIONS);
            }
            // Each query has a snapshot of its own, and tables are created meanwhile.
            Set<Long> added = new HashSet<>(wanted(master, tables).keySet());
            Map<Long, String> missing = tables(master, MISSING, array(master, tables), publication);
            added.addAll(missing.keySet());
            if (!missing.isEmpty()) {
                // Nobody changes them until the end of this transaction; writers go on.
                statement.execute(
                        "LOCK TABLE " + String.join(", ", missing.values()) + " IN SHARE UPDATE EXCLUSIVE MODE");
            }
            for (Map.Entry<String, String> without :
                    withoutIdentity(master, tables).entrySet()) {
                throw new EngineException(without.getValue());
            }
            if (!missing.isEmpty()) {
                statement.execute(
                        "ALTER PUBLICATION " + name + " ADD TABLE ONLY " + String.join(", ONLY ", missing.values()));
            }
            unsettled.addAll(missing.keySet());
            master.commit();
            published.addAll(added);
            return added;
        } finally {
            master.rollback();
            master.setAutoCommit(true);
        }
    }

    /** Notes that no transaction under way has written to any of the tables: the slot was created after they were added. */
    synchronized void settle() {
        unsettled.clear();
    }

    /**
     * Waits until the transactions have ended that may have written to tables before they were added. From then on every commit's
     * changes of these tables are published whole. Returns at once if an earlier call has waited for these tables.
     *
     * @throws EngineException if the time is over; the message names the transaction that was waited for
     */
    void awaitWriters(Connection master, Collection<String> tables, Duration patience)
            throws SQLException, EngineException, InterruptedException {
        Set<Long> own = new HashSet<>(wanted(master, tables).keySet());
        synchronized (this) {
            own.retainAll(unsettled);
        }
        if (own.isEmpty()) {
            return;
        }
        long deadline = System.nanoTime() + patience.toNanos();
        Map<String, String> writers = writers(master, tables);
        while (!writers.isEmpty()) {
            if (System.nanoTime() > deadline) {
                throw new EngineException("The write sets of " + String.join(", ", tables) + " do not begin within "
                        + patience.toSeconds() + " s: they wait for "
                        + String.join("; ", new TreeSet<>(writers.values())) + ".");
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            writers.keySet().retainAll(writers(master, tables).keySet());
        }
        try (Statement statement = master.createStatement()) {
            // In releases before 15.13, 16.9 and 17.5, a reader of the log that met one of these transactions may go on
            // by the catalog as of their beginning. A further change tells it of the present one.
            statement.execute("ALTER PUBLICATION " + name + " SET" + ACTIONS);
        }
        synchronized (this) {
            unsettled.removeAll(own);
        }
    }

    /** Returns the transactions that have written to tables, or lock them as writers do, with what is known about them. */
    private static Map<String, String> writers(Connection master, Collection<String> tables) throws SQLException {
        return holders(master, tables, WRITERS_LOCKS);
    }

    /** Returns the transactions whose locks keep triggers of tables from being created, with what is known about them. */
    static Map<String, String> holders(Connection master, Collection<String> tables) throws SQLException {
        return holders(
                master,
                tables,
                Stream.concat(WRITERS_LOCKS.stream(), MORE_LOCKS.stream()).toList());
    }

    private static Map<String, String> holders(Connection master, Collection<String> tables, List<String> locks)
            throws SQLException {
        Map<String, String> holders = new LinkedHashMap<>();
        for (List<String> row : QueriedRows.of(master, HOLDERS, array(master, tables), array(master, locks))) {
            holders.put(row.get(0), row.get(1));
        }
        return holders;
    }

    /** Takes out all tables but these. */
    synchronized void retain(Connection master, Collection<String> tables) throws SQLException {
        Map<Long, String> superfluous = tables(master, SUPERFLUOUS, array(master, tables), publication);
        if (!superfluous.isEmpty()) {
            try (Statement statement = master.createStatement()) {
                statement.execute("ALTER PUBLICATION " + name + " DROP TABLE ONLY "
                        + String.join(", ONLY ", superfluous.values()));
            }
        }
        published.removeAll(superfluous.keySet());
        unsettled.removeAll(superfluous.keySet());
    }

    /** Whether somebody else has taken tables out: their changes are lost without a word. */
    synchronized boolean isIncomplete(Connection master) throws SQLException {
        return !QueriedRows.of(master, REMOVED, master.createArrayOf("oid", published.toArray()), publication)
                .isEmpty();
    }

    /** Returns those of the tables that lack a replica identity, or whose partitions do, with the reason and the remedy. */
    static Map<String, String> withoutIdentity(Connection master, Collection<String> tables) throws SQLException {
        Map<String, String> without = new LinkedHashMap<>();
        for (List<String> row : QueriedRows.of(master, WITHOUT_IDENTITY, array(master, tables))) {
            without.put(
                    row.get(0),
                    "A partial Satellite cannot carry " + row.get(1)
                            + ", whose rows have no replica identity: give it a primary key, or use ALTER TABLE "
                            + row.get(1) + " REPLICA IDENTITY.");
        }
        return without;
    }

    /** Returns the tables that have to be in the publication for these, by OID, with their names. */
    static Map<Long, String> wanted(Connection master, Collection<String> tables) throws SQLException {
        return tables(master, WANTED_NOW, array(master, tables));
    }

    /** Drops the publication if it exists. */
    synchronized void drop(Connection master) throws SQLException {
        try (Statement statement = master.createStatement()) {
            statement.execute("DROP PUBLICATION IF EXISTS " + name);
        }
        published.clear();
        unsettled.clear();
    }

    private static Array array(Connection master, Collection<String> tables) throws SQLException {
        return master.createArrayOf("text", tables.toArray());
    }

    private static Map<Long, String> tables(Connection master, String query, Object... parameters) throws SQLException {
        Map<Long, String> tables = new LinkedHashMap<>();
        for (List<String> row : QueriedRows.of(master, query, parameters)) {
            tables.put(Long.parseLong(row.get(0)), row.get(1));
        }
        return tables;
    }
}
