package io.multimed.engine.postgresql.partial;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The queries for the parts of a {@link CatalogDigest}, made for the columns that the catalogs of one release have. Columns that a later
 * release adds are compared until somebody has found that they change no answer. Immutable.
 */
final class CatalogQueries {
    /** Temporary objects are known to their sessions alone, which stay on the Master. */
    private static final String TEMPORARY = """
            temporary (oid) AS (
                SELECT oid FROM pg_namespace WHERE nspname LIKE 'pg\\_temp\\_%' OR nspname LIKE 'pg\\_toast\\_temp\\_%'
            ), temporary_types (oid) AS (
                SELECT oid FROM pg_type WHERE typnamespace IN (SELECT oid FROM temporary)
            )
            """;

    /**
     * The relations that a partial Satellite keeps: carried tables, composite types, and views over nothing else. System objects have
     * OIDs below 16384.
     */
    private static final String REMAINING = """
            , uses (view, relation) AS (
                SELECT DISTINCT r.ev_class, d.refobjid
                  FROM pg_rewrite r
                  JOIN pg_class v ON v.oid = r.ev_class AND v.relkind = 'v'
                  JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
                   AND d.refclassid = 'pg_class'::regclass
                 WHERE r.ev_class >= 16384 AND d.refobjid >= 16384 AND d.refobjid <> r.ev_class
            ), outside (view) AS (
                SELECT u.view FROM uses u JOIN pg_class c ON c.oid = u.relation
                 WHERE c.relkind <> 'v' AND u.relation NOT IN (SELECT oid FROM carried)
                UNION
                SELECT u.view FROM uses u JOIN outside o ON o.view = u.relation
            ), remaining (oid, name) AS (
                SELECT c.oid, n.nspname || '.' || c.relname
                  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                 WHERE c.oid IN (SELECT oid FROM carried)
                    OR (c.oid >= 16384 AND c.relnamespace NOT IN (SELECT oid FROM temporary)
                        AND (c.relkind = 'c' OR (c.relkind = 'v' AND c.oid NOT IN (SELECT view FROM outside))))
            )
            """;

    private static final String COLUMNS = """
            SELECT c.relname, a.attname, a.atttypid::regtype::text
              FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid AND c.relnamespace = 'pg_catalog'::regnamespace
             WHERE c.relname = ANY (?) AND a.attnum > 0 AND NOT a.attisdropped
             ORDER BY a.attnum""";

    private static final String NO_TEMPORARY = "NOT IN (SELECT oid FROM temporary)";
    private static final String NO_TEMPORARY_TYPE = "NOT IN (SELECT oid FROM temporary_types)";

    /**
     * The rows of a catalog that count.
     *
     * @param name of the catalog, whose rows are {@code t}
     * @param except its columns that change no answer
     * @param more expression to be compared as well; empty for none
     * @param object expression for the name of the object to which a row belongs; empty for none
     * @param rest of the query
     */
    private record Rows(CatalogPart part, String name, Set<String> except, String more, String object, String rest) {}

    private static Rows ofRelation(String name, String relation, String... except) {
        return new Rows(
                CatalogPart.TABLES, name, Set.of(except), "", "r.name", "JOIN remaining r ON r.oid = t." + relation);
    }

    private static Rows others(String name, String object, String condition, String... except) {
        String named = object.isEmpty() ? "" : "CASE WHEN t.oid >= 16384 THEN t." + object + " END";
        return new Rows(CatalogPart.OTHERS, name, Set.of(except), "", named, "WHERE " + condition);
    }

    private static Rows shared(String name, String object, String condition, String... except) {
        return new Rows(CatalogPart.SHARED, name, Set.of(except), "", object, "WHERE " + condition);
    }

    private static final String OF_FAMILY = "IN (SELECT oid FROM %s WHERE %s NOT IN (SELECT oid FROM temporary))";

    private static final List<Rows> ALL = List.of(
            new Rows(
                    CatalogPart.TABLES,
                    "pg_class",
                    // Statistics, places, and hints that VACUUM corrects.
                    Set.of(
                            "relfilenode",
                            "reltablespace",
                            "relam",
                            "relpages",
                            "reltuples",
                            "relallvisible",
                            "relallfrozen",
                            "reltoastrelid",
                            "relhasindex",
                            "relhasrules",
                            "relhastriggers",
                            "relhassubclass",
                            "relrewrite",
                            "relfrozenxid",
                            "relminmxid",
                            "reloptions"),
                    // Options of a table are about its storage, those of a view about rights.
                    "CASE WHEN t.relkind = 'v' THEN t.reloptions END",
                    "r.name",
                    "JOIN remaining r ON r.oid = t.oid"),
            new Rows(
                    CatalogPart.TABLES,
                    "pg_attribute",
                    // A missing value goes when the table is rewritten. Defaults are for INSERT.
                    Set.of(
                            "attstattarget",
                            "attcacheoff",
                            "attoptions",
                            "attstorage",
                            "attcompression",
                            "atthasdef",
                            "atthasmissing",
                            "attmissingval"),
                    "",
                    "r.name",
                    "JOIN remaining r ON r.oid = t.attrelid WHERE t.attnum > 0"),
            new Rows(
                    CatalogPart.TABLES,
                    "pg_attrdef",
                    Set.of(),
                    "",
                    "r.name",
                    "JOIN remaining r ON r.oid = t.adrelid JOIN pg_attribute a ON a.attrelid = t.adrelid"
                            + " AND a.attnum = t.adnum AND a.attgenerated <> ''"),
            new Rows(
                    CatalogPart.TABLES,
                    "pg_constraint",
                    Set.of("conindid"),
                    "",
                    "coalesce(r.name, CASE WHEN t.oid >= 16384 THEN t.conname END)",
                    "LEFT JOIN remaining r ON r.oid = t.conrelid WHERE t.contype NOT IN ('f', 't', 'u', 'x')"
                            + " AND (r.oid IS NOT NULL OR (t.contypid <> 0 AND t.connamespace " + NO_TEMPORARY + "))"),
            ofRelation("pg_policy", "polrelid"),
            ofRelation("pg_rewrite", "ev_class"),
            // The triggers that capture changes must be there without a gap: one that was disabled and enabled again
            // has another xmin.
            new Rows(
                    CatalogPart.TABLES,
                    "pg_trigger",
                    Set.of(),
                    "t.xmin",
                    "r.name",
                    "JOIN remaining r ON r.oid = t.tgrelid WHERE t.tgname IN ('multimed_rows', 'multimed_before', 'multimed_truncate')"),
            ofRelation("pg_partitioned_table", "partrelid"),
            new Rows(
                    CatalogPart.TABLES,
                    "pg_inherits",
                    Set.of(),
                    "",
                    "r.name",
                    "JOIN remaining r ON r.oid = t.inhrelid WHERE t.inhrelid IN (SELECT oid FROM carried)"),
            new Rows(
                    CatalogPart.TABLES,
                    "pg_index",
                    // REINDEX CONCURRENTLY makes another index.
                    Set.of(
                            "indexrelid",
                            "indisunique",
                            "indisexclusion",
                            "indisclustered",
                            "indisvalid",
                            "indcheckxmin",
                            "indisready",
                            "indislive",
                            "indoption"),
                    "",
                    "r.name",
                    "JOIN remaining r ON r.oid = t.indrelid WHERE t.indisprimary OR t.indisreplident"),
            new Rows(
                    CatalogPart.TABLES,
                    "pg_type",
                    Set.of(),
                    "",
                    "CASE WHEN t.oid >= 16384 THEN t.typname END",
                    "LEFT JOIN pg_type e ON e.oid = t.typelem AND t.typcategory = 'A'"
                            + " WHERE t.typnamespace " + NO_TEMPORARY
                            + " AND (t.typrelid = 0 OR t.typrelid IN (SELECT oid FROM remaining))"
                            + " AND (coalesce(e.typrelid, 0) = 0 OR e.typrelid IN (SELECT oid FROM remaining))"),
            others("pg_namespace", "nspname", "t.oid " + NO_TEMPORARY),
            others("pg_proc", "proname", "t.pronamespace " + NO_TEMPORARY),
            others("pg_aggregate", "", "t.aggfnoid " + OF_FAMILY.formatted("pg_proc", "pronamespace")),
            others("pg_enum", "enumlabel", "t.enumtypid " + NO_TEMPORARY_TYPE),
            others("pg_range", "", "t.rngtypid " + NO_TEMPORARY_TYPE),
            others("pg_operator", "oprname", "t.oprnamespace " + NO_TEMPORARY),
            others("pg_opclass", "opcname", "t.opcnamespace " + NO_TEMPORARY),
            others("pg_opfamily", "opfname", "t.opfnamespace " + NO_TEMPORARY),
            others("pg_amop", "", "t.amopfamily " + OF_FAMILY.formatted("pg_opfamily", "opfnamespace")),
            others("pg_amproc", "", "t.amprocfamily " + OF_FAMILY.formatted("pg_opfamily", "opfnamespace")),
            others("pg_am", "amname", "true"),
            others("pg_cast", "", "t.castsource " + NO_TEMPORARY_TYPE + " AND t.casttarget " + NO_TEMPORARY_TYPE),
            others("pg_transform", "", "true"),
            others("pg_collation", "collname", "t.collnamespace " + NO_TEMPORARY),
            others("pg_conversion", "conname", "t.connamespace " + NO_TEMPORARY),
            others("pg_language", "lanname", "true"),
            others("pg_extension", "extname", "true", "extconfig", "extcondition"),
            others("pg_ts_config", "cfgname", "t.cfgnamespace " + NO_TEMPORARY),
            others("pg_ts_config_map", "", "t.mapcfg " + OF_FAMILY.formatted("pg_ts_config", "cfgnamespace")),
            others("pg_ts_dict", "dictname", "t.dictnamespace " + NO_TEMPORARY),
            others("pg_ts_parser", "prsname", "t.prsnamespace " + NO_TEMPORARY),
            others("pg_ts_template", "tmplname", "t.tmplnamespace " + NO_TEMPORARY),
            // Multimed itself checks passwords.
            shared("pg_authid", "t.rolname", "true", "rolpassword"),
            shared("pg_auth_members", "", "true"),
            shared("pg_parameter_acl", "", "true"),
            shared(
                    "pg_database",
                    "",
                    "t.datname = current_database()",
                    "datfrozenxid",
                    "datminmxid",
                    "dattablespace",
                    "dathasloginevt"),
            shared(
                    "pg_db_role_setting",
                    "",
                    "t.setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))"));

    /** By release. */
    private static final Map<Integer, CatalogQueries> KNOWN = new ConcurrentHashMap<>();

    private final Map<CatalogPart, String> texts;

    private CatalogQueries(Map<CatalogPart, String> texts) {
        this.texts = texts;
    }

    /** @param node in a transaction whose search path is {@code pg_catalog} */
    static CatalogQueries of(Connection node) throws SQLException {
        int release = node.getMetaData().getDatabaseMajorVersion();
        CatalogQueries known = KNOWN.get(release);
        if (known == null) {
            known = new CatalogQueries(texts(columns(node)));
            KNOWN.put(release, known);
        }
        return known;
    }

    /** Returns a query for catalog, object and hash. That of {@link CatalogPart#TABLES} has OIDs of tables as its parameter. */
    String text(CatalogPart part) {
        return texts.getOrDefault(part, "");
    }

    /** Returns, for each catalog, the columns that count, as expressions. */
    private static Map<String, List<String>> columns(Connection node) throws SQLException {
        Map<String, Set<String>> except = ALL.stream().collect(Collectors.toMap(Rows::name, Rows::except));
        Map<String, List<String>> columns = new HashMap<>();
        try (PreparedStatement statement = node.prepareStatement(COLUMNS)) {
            statement.setArray(1, node.createArrayOf("text", except.keySet().toArray()));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    String column = rows.getString(2);
                    if (!except.getOrDefault(rows.getString(1), Set.of()).contains(column)) {
                        columns.computeIfAbsent(rows.getString(1), name -> new ArrayList<>())
                                .add(expression("t." + column, rows.getString(3)));
                    }
                }
            }
        }
        return columns;
    }

    /** Returns text that is the same in any session, or a value whose text is. */
    private static String expression(String column, String type) {
        return switch (type) {
            case "regproc" -> column + "::oid";
            case "timestamp with time zone" -> "extract(epoch FROM " + column + ")";
            default -> column;
        };
    }

    private static Map<CatalogPart, String> texts(Map<String, List<String>> columns) {
        Map<CatalogPart, String> texts = new EnumMap<>(CatalogPart.class);
        for (CatalogPart part : CatalogPart.values()) {
            String rows = ALL.stream()
                    .filter(one -> one.part() == part)
                    .map(one -> text(one, columns.getOrDefault(one.name(), List.of())))
                    .collect(Collectors.joining("\nUNION ALL "));
            String before = switch (part) {
                case TABLES -> TableFamilies.QUERY + ", " + TEMPORARY + REMAINING;
                case OTHERS -> "WITH " + TEMPORARY;
                case SHARED -> "";
            };
            texts.put(part, before + rows);
        }
        return texts;
    }

    private static String text(Rows rows, List<String> columns) {
        List<String> compared = new ArrayList<>(columns);
        if (!rows.more().isEmpty()) {
            compared.add(rows.more());
        }
        String object = rows.object().isEmpty() ? "''" : "coalesce(" + rows.object() + ", '')";
        return "SELECT '" + rows.name() + "', " + object + "::text, sum(hashtextextended(ROW("
                + String.join(", ", compared) + ")::text COLLATE \"C\", 0))::text FROM " + rows.name() + " t "
                + rows.rest() + " GROUP BY 2";
    }
}
