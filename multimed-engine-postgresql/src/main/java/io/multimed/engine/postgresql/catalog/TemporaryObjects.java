package io.multimed.engine.postgresql.catalog;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The temporary objects that a database had when its schema was read, kept up to date since. They show whether later changes
 * concern temporary objects alone, which have no meaning for other sessions.
 *
 * <p>An object that was dropped was temporary if it is among them. Other sessions never saw it if its OID is higher than any
 * that existed when the schema was read. When the counter of OIDs has begun anew, the OIDs of new objects are lower. Then this
 * class knows nothing of them, and the schema is read again.
 *
 * <p>The thread that reads catalogs.
 */
public final class TemporaryObjects {
    private static final String OF_TEMPORARY_SCHEMA =
            "(n.nspname LIKE 'pg\\_temp\\_%' OR n.nspname LIKE 'pg\\_toast\\_temp\\_%')";

    private static final String ALL = """
            SELECT 'newest', greatest((SELECT max(oid) FROM pg_catalog.pg_class), (SELECT max(oid) FROM pg_catalog.pg_type),
              (SELECT max(oid) FROM pg_catalog.pg_constraint))::int8
            UNION ALL SELECT 'relation', oid::int8 FROM pg_catalog.pg_class WHERE relpersistence = 't'
            UNION ALL SELECT 'type', t.oid::int8 FROM pg_catalog.pg_type t
              JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace WHERE\s""" + OF_TEMPORARY_SCHEMA + """
             UNION ALL SELECT 'constraint', c.oid::int8 FROM pg_catalog.pg_constraint c
              JOIN pg_catalog.pg_class r ON r.oid = c.conrelid WHERE r.relpersistence = 't'
            UNION ALL SELECT 'schema', n.oid::int8 FROM pg_catalog.pg_namespace n WHERE\s""" + OF_TEMPORARY_SCHEMA;

    private static final String SOME =
            """
            SELECT 'relation', oid::int8, relpersistence = 't' FROM pg_catalog.pg_class WHERE oid = ANY (?::text::oid[])
            UNION ALL SELECT 'type', t.oid::int8,""" + ' ' + OF_TEMPORARY_SCHEMA + """
             FROM pg_catalog.pg_type t JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace WHERE t.oid = ANY (?::text::oid[])
            UNION ALL SELECT 'constraint', c.oid::int8, r.relpersistence IS NOT DISTINCT FROM 't'
              FROM pg_catalog.pg_constraint c LEFT JOIN pg_catalog.pg_class r ON r.oid = c.conrelid
              WHERE c.oid = ANY (?::text::oid[])
            UNION ALL SELECT 'namespace', n.oid::int8,""" + ' ' + OF_TEMPORARY_SCHEMA + """
             FROM pg_catalog.pg_namespace n WHERE n.oid = ANY (?::text::oid[])
            UNION ALL SELECT 'schema', n.oid::int8, true FROM pg_catalog.pg_namespace n WHERE\s""" + OF_TEMPORARY_SCHEMA;

    /** @param kind {@code relation}, {@code type}, {@code constraint} or {@code namespace} */
    private record Named(String kind, long oid) {}

    private final Set<Named> temporary = new HashSet<>();
    private final Set<Integer> schemas = new HashSet<>();
    private long newest;

    private TemporaryObjects() {}

    /** @param master in the transaction that reads the schema, so that both come from one snapshot */
    static TemporaryObjects read(Connection master) throws SQLException {
        TemporaryObjects objects = new TemporaryObjects();
        try (PreparedStatement statement = master.prepareStatement(ALL);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                switch (rows.getString(1)) {
                    case "newest" -> objects.newest = rows.getLong(2);
                    case "schema" -> objects.schemas.add((int) rows.getLong(2));
                    default -> objects.temporary.add(new Named(rows.getString(1), rows.getLong(2)));
                }
            }
        }
        return objects;
    }

    /**
     * Whether these changes since the schema was read affect temporary objects alone, so that other sessions see the same
     * objects as before.
     *
     * @param master shows all of the changes
     */
    public boolean areAll(ChangedObjects changed, Connection master) throws SQLException {
        if (changed.others()) {
            return false;
        }
        Set<Named> named = new HashSet<>();
        add(named, "relation", changed.relations());
        add(named, "type", changed.types());
        add(named, "constraint", changed.constraints());
        add(named, "namespace", changed.namespaces());
        Set<Named> there = new HashSet<>();
        Set<Integer> schemasNow = new HashSet<>();
        try (PreparedStatement statement = master.prepareStatement(SOME)) {
            statement.setString(1, array(changed.relations()));
            statement.setString(2, array(changed.types()));
            statement.setString(3, array(changed.constraints()));
            statement.setString(4, array(changed.namespaces()));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    if (rows.getString(1).equals("schema")) {
                        schemasNow.add((int) rows.getLong(2));
                        continue;
                    }
                    if (!rows.getBoolean(3)) {
                        return false;
                    }
                    there.add(new Named(rows.getString(1), rows.getLong(2)));
                }
            }
        }
        for (Named object : named) {
            boolean isSchema = object.kind().equals("namespace");
            if (isSchema ? !there.contains(object) : object.oid() <= newest && !temporary.contains(object)) {
                return false;
            }
        }
        temporary.removeAll(named);
        temporary.addAll(there);
        schemas.clear();
        schemas.addAll(schemasNow);
        return true;
    }

    /** Returns the OIDs of the schemas that held nothing but temporary objects at the last lookup. */
    public Set<Integer> schemas() {
        return Set.copyOf(schemas);
    }

    private static void add(Set<Named> named, String kind, Set<Integer> oids) {
        oids.forEach(oid -> named.add(new Named(kind, Integer.toUnsignedLong(oid))));
    }

    private static String array(Set<Integer> oids) {
        return oids.stream().map(Integer::toUnsignedString).collect(Collectors.joining(",", "{", "}"));
    }
}
