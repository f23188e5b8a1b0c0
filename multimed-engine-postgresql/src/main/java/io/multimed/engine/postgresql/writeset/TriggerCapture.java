package io.multimed.engine.postgresql.writeset;

import io.multimed.core.spi.EngineException;
import io.multimed.engine.postgresql.catalog.QueriedRows;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Triggers capture the rows, and the log is their queue: for a Master that permits no logical decoding. A trigger writes the row into the
 * log as a message ({@code pg_logical_emit_message}), which PostgreSQL does whatever {@code wal_level} is, and Multimed reads the log from a
 * walsender as any standby does.
 *
 * <p>The first paper's Algorithm 1 has its triggers collect the rows, takes a lock at the commit, draws the SCN under it, puts the rows in a
 * queue and releases the lock, so that the queue has the order of the commits. PostgreSQL's log has that order by itself, with the
 * rows of a transaction in front of its commit record; and the end of that record is the SCN of all other Satellites. So commits need no
 * lock and wait for nothing, the SCN is the same as the relay's, no table has to be emptied behind the readers, and a rolled back
 * transaction costs nobody anything. The price is that the log has each changed row a second time, as text.
 *
 * <p>The trigger's function runs with the rights of its owner, under settings of its own, and calls output functions of types alone, never
 * a cast, which the owner of a table could define. Anybody may write messages into the log; those of the triggers begin with a secret. It is the
 * value of a sequence, since that is no part of a transaction's snapshot: the row of a table would be missing in one that is older. A
 * trigger fires whatever {@code session_replication_role} is. Whoever drops or disables it, alters its table or replaces its function,
 * changes the catalogs, and {@link io.multimed.engine.postgresql.partial.CatalogDigest} finds that before any later commit is shown.
 *
 * <p>Creating a trigger needs a moment in which nobody writes to the table. Writers wait for that only some milliseconds at a time.
 */
final class TriggerCapture implements Capture {
    static final String SCHEMA = "multimed_capture";
    private static final long FIRST_LOCK_MILLIS = 2;
    private static final long LAST_LOCK_MILLIS = 100;
    private static final long PAUSE_MILLIS = 20;
    /** The secret is in the upper half of the positive numbers. */
    private static final long LEAST_SECRET = 1L << 62;

    private static final String NOT_FREE = "55P03";

    private static final String FUNCTION = """
            CREATE OR REPLACE FUNCTION multimed_capture.capture() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
            SET search_path = pg_catalog, pg_temp SET datestyle = ISO SET intervalstyle = postgres SET extra_float_digits = 3
            SET bytea_output = hex SET lc_monetary = 'C' SET timezone = 'UTC' SET quote_all_identifiers = off AS $$
            DECLARE
                secret bigint := pg_sequence_last_value('multimed_capture.secret');
                words text;
                ignored pg_lsn;
            BEGIN
                IF TG_OP = 'INSERT' THEN
                    words := format('%s I %s %s %s %s', secret, TG_ARGV[0], pg_relation_filenode(TG_RELID), NEW.ctid, NEW);
                ELSIF TG_OP = 'UPDATE' THEN
                    words := format('%s U %s %s %s %s %s%s', secret, TG_ARGV[0], pg_relation_filenode(TG_RELID),
                        OLD.ctid, NEW.ctid, OLD, NEW);
                ELSIF TG_OP = 'DELETE' THEN
                    words := format('%s D %s %s %s %s', secret, TG_ARGV[0], pg_relation_filenode(TG_RELID), OLD.ctid, OLD);
                ELSE
                    words := format('%s %s %s %s', secret, CASE TG_WHEN WHEN 'BEFORE' THEN 'B' ELSE 'T' END, TG_ARGV[0],
                        pg_relation_filenode(TG_RELID));
                END IF;
                ignored := pg_logical_emit_message(true, 'multimed', CONTENT);
                RETURN NULL;
            END $$""";

    private static final String ALL_TABLES = """
            WITH RECURSIVE carried (oid) AS (
                SELECT to_regclass(n)::oid FROM unnest(?::text[]) AS n WHERE to_regclass(n) IS NOT NULL
                UNION
                SELECT i.inhrelid FROM pg_inherits i JOIN carried c ON c.oid = i.inhparent
            )
            SELECT k.oid, n.nspname, k.relname, k.relreplident, a.attname, a.atttypid, coalesce(k.relreplident = 'f' OR EXISTS (
                    SELECT FROM pg_index x WHERE x.indrelid = k.oid AND x.indisvalid AND x.indimmediate
                       AND a.attnum = ANY ((x.indkey::int2[])[0:x.indnkeyatts - 1])
                       AND CASE k.relreplident WHEN 'd' THEN x.indisprimary ELSE x.indisreplident END), false)
              FROM carried JOIN pg_class k USING (oid) JOIN pg_namespace n ON n.oid = k.relnamespace
              LEFT JOIN pg_attribute a ON a.attrelid = k.oid AND a.attnum > 0 AND NOT a.attisdropped
             WHERE k.relkind = 'r'
             ORDER BY k.oid, a.attnum""";

    /** The triggers that work, by table and argument. */
    private static final String INSTALLED = """
            SELECT t.tgrelid || ' ' || encode(substr(t.tgargs, 1, length(t.tgargs) - 1), 'escape')
              FROM pg_trigger t
             WHERE t.tgfoid = to_regproc('multimed_capture.capture') AND NOT t.tgisinternal
             GROUP BY 1 HAVING count(*) = 3 AND every(t.tgenabled = 'A')""";

    private static final String WITH_TRIGGERS = """
            SELECT DISTINCT t.tgrelid, format('%I.%I', n.nspname, c.relname)
              FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE t.tgfoid = to_regproc('multimed_capture.capture') AND NOT t.tgisinternal""";

    private static final String FOREIGN_SCHEMA = """
            SELECT nspowner::regrole::text FROM pg_namespace WHERE nspname = 'multimed_capture' AND nspowner <> current_user::regrole""";

    private static final String LAST_VALUE = "SELECT pg_sequence_last_value(to_regclass('multimed_capture.secret'))";

    private final MasterDatabase database;
    private final Map<String, CapturedTable> tables = new ConcurrentHashMap<>();
    /** Tokens of tables whose triggers were made since the log is held. */
    private final Set<String> held = ConcurrentHashMap.newKeySet();

    private final SecureRandom random = new SecureRandom();
    /** Guarded by the callers' lock. */
    private String secret = "";

    TriggerCapture(MasterDatabase database) {
        this.database = database;
    }

    @Override
    public Begun begin(Connection master, Collection<String> names, boolean hasSource, Duration patience)
            throws SQLException, EngineException, InterruptedException {
        for (String without : PublishedTables.withoutIdentity(master, names).values()) {
            throw new EngineException(without);
        }
        if (!hasSource) {
            String content = content(master);
            // The log is held before the first trigger can write into it.
            held.clear();
            CaptureSlots.hold(master);
            makeObjects(master, content);
        }
        // A table that is altered from now on has another mark.
        Set<String> marks =
                read(master, names).stream().map(CapturedTable::token).collect(Collectors.toSet());
        long from = MasterDatabase.number(master, "SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint");
        ChangeSource source = hasSource
                ? null
                : new CapturedSource(
                        database, CaptureSlots.name(master), MasterDatabase.oid(master), secret, tables::get);
        return new Begun(marks, source, from);
    }

    /**
     * Makes the triggers. The lock for that is free only when every transaction has ended that has written to the table. Triggers that were
     * there before the log is held are made again therefore: transactions may have written what nobody holds.
     */
    @Override
    public void awaitWriters(Connection master, Collection<String> names, Duration patience)
            throws SQLException, EngineException, InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        for (CapturedTable table : read(master, names)) {
            // Whoever meets a message of the table, understands it.
            tables.put(table.token(), table);
            if (!held.contains(table.token()) || !installed(master).contains(installedAs(table))) {
                capture(master, table, deadline);
                held.add(table.token());
            }
        }
    }

    /** Returns the content of a message in UTF-8. A conversion that could fail would fail a write of the user's. */
    private String content(Connection master) throws SQLException, EngineException {
        String encoding = QueriedRows.of(master, "SELECT current_setting('server_encoding')")
                .get(0)
                .get(0);
        return switch (encoding) {
            case "UTF8", "SQL_ASCII" -> "words";
            case "LATIN1" -> "convert_to(words, 'UTF8')";
            default ->
                throw new EngineException("Triggers do not capture rows in the encoding " + encoding + " of database "
                        + database.database() + ": use satellites.capture = \"log\".");
        };
    }

    /** Makes the schema, the secret and the function, or takes those that are left. */
    private void makeObjects(Connection master, String content) throws SQLException, EngineException {
        for (List<String> foreign : QueriedRows.of(master, FOREIGN_SCHEMA)) {
            throw new EngineException("The schema " + SCHEMA + " of database " + database.database() + " belongs to "
                    + foreign.get(0) + ", but capture by triggers needs one of its own: rename or drop that schema.");
        }
        master.setAutoCommit(false);
        try {
            execute(master, "CREATE SCHEMA IF NOT EXISTS multimed_capture");
            execute(master, "REVOKE ALL ON SCHEMA multimed_capture FROM PUBLIC");
            // No nextval succeeds, and no setval to a value that a sequence usually has: it fails instead of losing
            // messages.
            execute(
                    master,
                    "CREATE SEQUENCE IF NOT EXISTS multimed_capture.secret MINVALUE " + LEAST_SECRET + " INCREMENT BY "
                            + LEAST_SECRET);
            execute(master, "REVOKE ALL ON SEQUENCE multimed_capture.secret FROM PUBLIC");
            // A secret that is there stays: transactions under way write it.
            if (MasterDatabase.number(master, LAST_VALUE) == 0) {
                execute(
                        master,
                        "SELECT setval('multimed_capture.secret', " + (LEAST_SECRET | random.nextLong() >>> 2) + ")");
            }
            execute(master, FUNCTION.replace("CONTENT", content));
            // Nobody else makes triggers of it, which would speak of other tables.
            execute(master, "REVOKE ALL ON FUNCTION multimed_capture.capture() FROM PUBLIC");
            master.commit();
        } finally {
            master.rollback();
            master.setAutoCommit(true);
        }
        secret = Long.toString(MasterDatabase.number(master, LAST_VALUE));
    }

    /** Makes the triggers of a table, as soon as nobody writes to it. */
    private static void capture(Connection master, CapturedTable table, long deadline)
            throws SQLException, EngineException, InterruptedException {
        String name = table.relation().name().quoted();
        long patience = FIRST_LOCK_MILLIS;
        while (true) {
            master.setAutoCommit(false);
            try {
                lock(master, name, "SHARE ROW EXCLUSIVE", patience);
                makeTriggers(master, name, table.token());
                master.commit();
                return;
            } catch (SQLException e) {
                master.rollback();
                if (!NOT_FREE.equals(e.getSQLState())) {
                    throw e;
                }
            } finally {
                master.setAutoCommit(true);
            }
            if (System.nanoTime() > deadline) {
                throw new EngineException("The triggers of " + name + " cannot be created: they wait for "
                        + String.join(
                                "; ",
                                PublishedTables.holders(master, List.of(name)).values()) + ".");
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS + patience);
            patience = Math.min(2 * patience, LAST_LOCK_MILLIS);
        }
    }

    private static void lock(Connection master, String name, String mode, long patience) throws SQLException {
        execute(master, "SET LOCAL lock_timeout = " + patience);
        // Whoever waits for an autovacuum worker cancels it after this time (ProcSleep, proc.c); it comes again later.
        execute(master, "SET LOCAL deadlock_timeout = 1");
        execute(master, "LOCK TABLE ONLY " + name + " IN " + mode + " MODE");
    }

    private static void makeTriggers(Connection master, String name, String token) throws SQLException {
        String body = " FOR EACH %s EXECUTE FUNCTION multimed_capture.capture('" + token + "')";
        execute(
                master,
                "CREATE OR REPLACE TRIGGER multimed_rows AFTER INSERT OR UPDATE OR DELETE ON " + name
                        + body.formatted("ROW"));
        execute(
                master,
                "CREATE OR REPLACE TRIGGER multimed_before BEFORE TRUNCATE ON " + name + body.formatted("STATEMENT"));
        execute(
                master,
                "CREATE OR REPLACE TRIGGER multimed_truncate AFTER TRUNCATE ON " + name + body.formatted("STATEMENT"));
        execute(
                master,
                "ALTER TABLE ONLY " + name
                        + " ENABLE ALWAYS TRIGGER multimed_rows, ENABLE ALWAYS TRIGGER multimed_before,"
                        + " ENABLE ALWAYS TRIGGER multimed_truncate");
    }

    private static String installedAs(CapturedTable table) {
        return CapturedTable.oid(table.token()) + " " + table.token();
    }

    private static Set<String> installed(Connection master) throws SQLException {
        return QueriedRows.of(master, INSTALLED).stream().map(row -> row.get(0)).collect(Collectors.toSet());
    }

    /** Reads the tables that hold rows, in their present form. */
    private static List<CapturedTable> read(Connection master, Collection<String> names) throws SQLException {
        Map<Integer, Relation> relations = new LinkedHashMap<>();
        for (List<@Nullable String> row :
                QueriedRows.of(master, ALL_TABLES, master.createArrayOf("text", names.toArray()))) {
            int oid = Integer.parseUnsignedInt(String.valueOf(row.get(0)));
            Relation known = relations.get(oid);
            List<Relation.Column> columns = new ArrayList<>(known == null ? List.of() : known.columns());
            String column = row.get(4);
            if (column != null) {
                columns.add(new Relation.Column(
                        column, "t".equals(row.get(6)), Integer.parseUnsignedInt(String.valueOf(row.get(5)))));
            }
            QualifiedName name = new QualifiedName(String.valueOf(row.get(1)), String.valueOf(row.get(2)));
            relations.put(
                    oid, new Relation(oid, name, String.valueOf(row.get(3)).charAt(0), columns));
        }
        return relations.values().stream().map(CapturedTable::of).toList();
    }

    @Override
    public Map<String, String> wanted(Connection master, Collection<String> names) throws SQLException {
        Map<String, String> wanted = new LinkedHashMap<>();
        for (CapturedTable table : read(master, names)) {
            wanted.put(table.token(), table.relation().name().toString());
        }
        return wanted;
    }

    /** Triggers are looked at with the other catalogs, at each change of them. */
    @Override
    public String damage(Connection master) throws SQLException {
        return secret.isEmpty()
                        || Long.toString(MasterDatabase.number(master, LAST_VALUE))
                                .equals(secret)
                ? ""
                : "Somebody has changed the sequence multimed_capture.secret.";
    }

    @Override
    public void retain(Connection master, Collection<String> names) throws SQLException {
        Set<String> kept = new TreeSet<>();
        read(master, names).forEach(table -> kept.add(CapturedTable.oid(table.token())));
        for (List<String> table : QueriedRows.of(master, WITH_TRIGGERS)) {
            if (!kept.contains(table.get(0))) {
                dropTriggers(master, table.get(1));
            }
        }
    }

    /** If others use the table, it fails and is tried again later: readers must not wait behind it. */
    private static void dropTriggers(Connection master, String name) throws SQLException {
        master.setAutoCommit(false);
        try {
            lock(master, name, "ACCESS EXCLUSIVE", LAST_LOCK_MILLIS);
            execute(master, "DROP TRIGGER IF EXISTS multimed_rows ON " + name);
            execute(master, "DROP TRIGGER IF EXISTS multimed_before ON " + name);
            execute(master, "DROP TRIGGER IF EXISTS multimed_truncate ON " + name);
            master.commit();
        } finally {
            master.rollback();
            master.setAutoCommit(true);
        }
    }

    @Override
    public void drop(Connection master) throws SQLException, InterruptedException {
        dropAll(master);
    }

    /**
     * Drops what this or an earlier run has made for the connection's database. Whoever uses a table, even as a reader, may have that fail;
     * so the log is let go of first. The slot goes last: as long as it is there, the next run knows that there is something to drop.
     */
    static void dropAll(Connection master) throws SQLException, InterruptedException {
        String slot = CaptureSlots.name(master);
        CaptureSlots.letGo(master, slot);
        dropObjects(master);
        ReplicationSlots.drop(master, slot);
    }

    /** Drops what this or an earlier run has made in the database, but for the slot. */
    static void dropObjects(Connection master) throws SQLException {
        for (List<String> table : QueriedRows.of(master, WITH_TRIGGERS)) {
            dropTriggers(master, table.get(1));
        }
        if (QueriedRows.of(master, FOREIGN_SCHEMA).isEmpty()) {
            execute(master, "DROP SCHEMA IF EXISTS multimed_capture CASCADE");
        }
    }

    private static void execute(Connection master, String sql) throws SQLException {
        try (Statement statement = master.createStatement()) {
            statement.execute(sql);
        }
    }
}
