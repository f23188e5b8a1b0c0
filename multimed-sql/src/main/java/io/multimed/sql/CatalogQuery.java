package io.multimed.sql;

/** Texts of the queries {@link DatabaseCatalog#QUERY} and {@link DatabaseCatalog#RELATIONS_QUERY}. */
final class CatalogQuery {
    private CatalogQuery() {}

    /**
     * Query for the parameters that functions set. It contains no backslashes, because sessions may have
     * standard_conforming_strings off.
     */
    static final String PARAMETERS_SET = """
            SELECT pg_catalog.lower(m[1]) FROM pg_catalog.pg_proc p, LATERAL pg_catalog.regexp_matches(p.prosrc,
              '(?:set_config[[:space:]]*[(][[:space:]]*''+|[[:<:]]set[[:space:]]+(?:local[[:space:]]+|session[[:space:]]+)?)'
              '([a-z_][[:alnum:]_]*(?:[.][a-z_][[:alnum:]_]*)+)', 'gi') m
            WHERE p.oid >= 16384
            UNION SELECT pg_catalog.lower(pg_catalog.split_part(c, '=', 1))
            FROM pg_catalog.pg_proc p, LATERAL pg_catalog.unnest(p.proconfig) c
            WHERE p.oid >= 16384 AND pg_catalog.split_part(c, '=', 1) LIKE '%.%'
            """;

    /**
     * Query for the relations and the bits of their holders. Partitions and heirs are held with the tables that they belong to. A
     * view's own bits are those of all partial Satellites, since its definition is judged. Names of relations, types and so on are
     * values of the types reg*, whose text depends on the catalogs: no partial Satellite holds a table with such a column, nor a
     * type of the user's made of them.
     */
    static final String RELATIONS = """
            WITH RECURSIVE
            carried (bit, oid) AS (
              SELECT n.bit, pg_catalog.to_regclass(n.name)::pg_catalog.oid
              FROM ROWS FROM (pg_catalog.unnest(?::pg_catalog.int4[]), pg_catalog.unnest(?::pg_catalog.text[])) AS n (bit, name)
            ),
            held (bit, oid) AS (
              SELECT bit, oid FROM carried WHERE oid IS NOT NULL
              UNION SELECT h.bit, i.inhrelid FROM held h JOIN pg_catalog.pg_inherits i ON i.inhparent = h.oid
            ),
            part (whole, part) AS (
              SELECT oid, typelem FROM pg_catalog.pg_type WHERE typelem <> 0
              UNION ALL SELECT oid, typbasetype FROM pg_catalog.pg_type WHERE typbasetype <> 0
              UNION ALL SELECT rngtypid, rngsubtype FROM pg_catalog.pg_range
              UNION ALL SELECT rngmultitypid, rngtypid FROM pg_catalog.pg_range
              UNION ALL SELECT t.oid, a.atttypid FROM pg_catalog.pg_type t
                JOIN pg_catalog.pg_attribute a ON a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped
                WHERE t.typrelid >= 16384
            ),
            naming (type) AS (
              SELECT oid FROM pg_catalog.pg_type
              WHERE typnamespace = 'pg_catalog'::pg_catalog.regnamespace AND typname LIKE 'reg%'
              UNION SELECT p.whole FROM naming n JOIN part p ON p.part = n.type
            )
            SELECT c.relname::text, CASE WHEN c.relkind = 'v' THEN ?::pg_catalog.int8
                WHEN c.reltype IN (SELECT type FROM naming) THEN 0
                ELSE (SELECT coalesce(pg_catalog.bit_or(1::pg_catalog.int8 << h.bit), 0) FROM held h WHERE h.oid = c.oid) END
              FROM pg_catalog.pg_class c
              WHERE c.oid >= 16384 AND c.relpersistence <> 't' AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
            UNION ALL SELECT t.typname::text, NULL
              FROM naming n JOIN pg_catalog.pg_type t ON t.oid = n.type
              WHERE t.oid >= 16384 AND (t.typrelid = 0 OR EXISTS
                (SELECT FROM pg_catalog.pg_class c WHERE c.oid = t.typrelid AND c.relkind = 'c'))
            """;

    /**
     * Query for the columns of tables that partial Satellites carry without some. A table that does not exist has none.
     */
    static final String LIMITED_COLUMNS = """
            WITH carried (bit, oid, attname) AS (
              SELECT n.bit, pg_catalog.to_regclass(n.name)::pg_catalog.oid, n.attname
              FROM ROWS FROM (pg_catalog.unnest(?::pg_catalog.int4[]), pg_catalog.unnest(?::pg_catalog.text[]),
                pg_catalog.unnest(?::pg_catalog.text[])) AS n (bit, name, attname)
            )
            SELECT c.relname::text, l.bit, c.oid::pg_catalog.int8, a.attname::text,
                EXISTS (SELECT FROM carried k WHERE k.bit = l.bit AND k.oid = l.oid AND k.attname = a.attname)
              FROM (SELECT DISTINCT bit, oid FROM carried WHERE oid IS NOT NULL) AS l
              JOIN pg_catalog.pg_class c ON c.oid = l.oid
              JOIN pg_catalog.pg_attribute a ON a.attrelid = l.oid AND a.attnum > 0 AND NOT a.attisdropped
            """;

    /*
     * Query for the whole catalog. 16384 is FirstNormalObjectId (access/transam.h): objects made by initdb have lower OIDs,
     * objects made by users have this one or higher.
     *
     * <p>The owners of a name are joined by name only, so temporary objects of other sessions are left out.
     */
    static final String TEXT = """
            WITH
            rel AS (
              SELECT oid, relname::text AS name, relkind, relpersistence
              FROM pg_catalog.pg_class
              WHERE oid >= 16384 AND relpersistence <> 't' AND relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
            ),
            -- functions of the user that something depends on
            dep AS (
              SELECT d.classid, d.objid, p.proname::text AS fn
              FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_proc p ON p.oid = d.refobjid
              WHERE d.refclassid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND p.oid >= 16384
            ),
            hook AS (
              SELECT t.tgrelid AS relid, p.proname::text AS fn
              FROM pg_catalog.pg_trigger t JOIN pg_catalog.pg_proc p ON p.oid = t.tgfoid
              WHERE NOT t.tgisinternal AND p.oid >= 16384
              UNION SELECT t.tgrelid, d.fn FROM pg_catalog.pg_trigger t
                JOIN dep d ON d.objid = t.oid AND d.classid = 'pg_catalog.pg_trigger'::pg_catalog.regclass
              UNION SELECT a.adrelid, d.fn FROM pg_catalog.pg_attrdef a
                JOIN dep d ON d.objid = a.oid AND d.classid = 'pg_catalog.pg_attrdef'::pg_catalog.regclass
              UNION SELECT c.conrelid, d.fn FROM pg_catalog.pg_constraint c
                JOIN dep d ON d.objid = c.oid AND d.classid = 'pg_catalog.pg_constraint'::pg_catalog.regclass
                WHERE c.conrelid <> 0
              UNION SELECT i.indrelid, d.fn FROM pg_catalog.pg_index i
                JOIN dep d ON d.objid = i.indexrelid AND d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass
              UNION SELECT c.oid, d.fn FROM rel c
                JOIN dep d ON d.objid = c.oid AND d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass
              UNION SELECT o.polrelid, d.fn FROM pg_catalog.pg_policy o
                JOIN dep d ON d.objid = o.oid AND d.classid = 'pg_catalog.pg_policy'::pg_catalog.regclass
              UNION SELECT r.ev_class, '*' FROM pg_catalog.pg_rewrite r WHERE r.ev_type <> '1' AND r.oid >= 16384
            ),
            -- types made of other types
            part AS (
              SELECT oid AS whole, typelem AS part FROM pg_catalog.pg_type WHERE typelem >= 16384 AND typcategory = 'A'
              UNION SELECT oid, typbasetype FROM pg_catalog.pg_type WHERE typbasetype >= 16384
              UNION SELECT rngtypid, rngsubtype FROM pg_catalog.pg_range WHERE rngsubtype >= 16384
              UNION SELECT rngmultitypid, rngtypid FROM pg_catalog.pg_range WHERE rngtypid >= 16384
              UNION SELECT t.oid, a.atttypid FROM pg_catalog.pg_type t
                JOIN pg_catalog.pg_attribute a ON a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped
                WHERE t.typrelid >= 16384 AND a.atttypid >= 16384
            ),
            typ AS (
              SELECT oid, typname::text AS name FROM pg_catalog.pg_type
              WHERE oid >= 16384 AND typnamespace NOT IN (
                SELECT oid FROM pg_catalog.pg_namespace WHERE nspname LIKE 'pg\\_temp\\_%' OR nspname LIKE 'pg\\_toast%')
            ),
            -- functions of the user behind an operator class
            inclass AS (
              SELECT o.oid AS class, p.amproc::oid AS fn FROM pg_catalog.pg_opclass o
                JOIN pg_catalog.pg_amproc p ON p.amprocfamily = o.opcfamily WHERE o.oid >= 16384
              UNION SELECT o.oid, q.oprcode::oid FROM pg_catalog.pg_opclass o
                JOIN pg_catalog.pg_amop p ON p.amopfamily = o.opcfamily
                JOIN pg_catalog.pg_operator q ON q.oid = p.amopopr WHERE o.oid >= 16384
            ),
            -- operator classes by which a relation is searched
            searched AS (
              SELECT indrelid AS relid, pg_catalog.unnest(indclass::pg_catalog.oid[]) AS class FROM pg_catalog.pg_index
              UNION SELECT partrelid, pg_catalog.unnest(partclass::pg_catalog.oid[]) FROM pg_catalog.pg_partitioned_table
            ),
            behind AS (
              SELECT t.oid AS type, f.fn AS fn FROM pg_catalog.pg_type t,
                LATERAL (VALUES (t.typinput::oid), (t.typoutput::oid), (t.typreceive::oid), (t.typsend::oid),
                  (t.typmodin::oid), (t.typmodout::oid), (t.typsubscript::oid)) AS f (fn)
              WHERE t.oid >= 16384
              UNION SELECT rngtypid, f.fn FROM pg_catalog.pg_range,
                LATERAL (VALUES (rngcanonical::oid), (rngsubdiff::oid)) AS f (fn)
              UNION SELECT c.castsource, c.castfunc FROM pg_catalog.pg_cast c WHERE c.oid >= 16384
              UNION SELECT c.casttarget, c.castfunc FROM pg_catalog.pg_cast c WHERE c.oid >= 16384
              UNION SELECT o.opcintype, i.fn FROM pg_catalog.pg_opclass o JOIN inclass i ON i.class = o.oid
            )
            SELECT 'function' AS kind, p.proname::text AS name,
                p.provolatile::text || CASE l.lanname WHEN 'c' THEN 'c' WHEN 'internal' THEN 'i' WHEN 'sql' THEN 's' ELSE 'o' END
                || coalesce(e.extname::text || E'\\n' || coalesce((SELECT pg_catalog.string_agg(t.typname::text, ',' ORDER BY a.n)
                  FROM pg_catalog.unnest(p.proargtypes::pg_catalog.oid[]) WITH ORDINALITY AS a (type, n)
                  JOIN pg_catalog.pg_type t ON t.oid = a.type), ''), '') AS detail
              FROM pg_catalog.pg_proc p
              JOIN pg_catalog.pg_language l ON l.oid = p.prolang
              LEFT JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass
                AND d.objid = p.oid AND d.deptype = 'e'
              LEFT JOIN pg_catalog.pg_extension e ON e.oid = d.refobjid
              WHERE p.oid >= 16384
                AND p.prorettype NOT IN ('pg_catalog.trigger'::pg_catalog.regtype, 'pg_catalog.event_trigger'::pg_catalog.regtype)
            UNION SELECT 'definition', name, pg_catalog.pg_get_viewdef(oid) FROM rel WHERE relkind = 'v'
            UNION SELECT 'definition', r.name, 'SELECT ' || pg_catalog.pg_get_expr(o.polqual, o.polrelid)
              FROM pg_catalog.pg_policy o JOIN rel r ON r.oid = o.polrelid WHERE o.polqual IS NOT NULL
            UNION SELECT 'definition', t.name, 'SELECT ' || pg_catalog.pg_get_expr(c.conbin, 0)
              FROM pg_catalog.pg_constraint c JOIN typ t ON t.oid = c.contypid WHERE c.conbin IS NOT NULL
            UNION SELECT 'calls', t.name, p.proname::text
              FROM behind b JOIN typ t ON t.oid = b.type JOIN pg_catalog.pg_proc p ON p.oid = b.fn WHERE p.oid >= 16384
            UNION SELECT 'calls', r.name, p.proname::text
              FROM searched s JOIN rel r ON r.oid = s.relid JOIN inclass i ON i.class = s.class
              JOIN pg_catalog.pg_proc p ON p.oid = i.fn WHERE p.oid >= 16384
            UNION SELECT 'uses', w.name, p.name FROM part JOIN typ w ON w.oid = part.whole JOIN typ p ON p.oid = part.part
            -- reading or writing the parent reads or writes the child: partitions, inheritance
            UNION SELECT 'uses', p.name, c.name
              FROM pg_catalog.pg_inherits i JOIN rel p ON p.oid = i.inhparent JOIN rel c ON c.oid = i.inhrelid
            -- writing the parent may write the child: actions of foreign keys
            UNION SELECT 'writes', p.name, c.name
              FROM pg_catalog.pg_constraint f JOIN rel p ON p.oid = f.confrelid JOIN rel c ON c.oid = f.conrelid
              WHERE f.contype = 'f' AND (f.confdeltype NOT IN ('a', 'r') OR f.confupdtype NOT IN ('a', 'r'))
            UNION SELECT 'hook', r.name, h.fn FROM hook h JOIN rel r ON r.oid = h.relid
            UNION SELECT 'master', name, NULL FROM rel WHERE relkind IN ('S', 'f') OR relpersistence = 'u'
            UNION SELECT 'operator', o.oprname::text, p.proname::text
              FROM pg_catalog.pg_operator o JOIN pg_catalog.pg_proc p ON p.oid = o.oprcode WHERE o.oid >= 16384
            -- parameters with a qualified name that code sets, as far as its text tells
            UNION SELECT 'sets', parameter, NULL FROM (
            """ + PARAMETERS_SET + """
            ) AS sets (parameter)
            UNION SELECT 'everywhere', '', p.proname::text
              FROM pg_catalog.pg_cast c JOIN pg_catalog.pg_proc p ON p.oid = c.castfunc
              WHERE c.oid >= 16384 AND c.castsource < 16384 AND c.casttarget < 16384
            -- what sorts, groups and joins by a built-in type that has no order or hash of its own
            UNION SELECT 'everywhere', '', p.proname::text
              FROM pg_catalog.pg_opclass o JOIN pg_catalog.pg_am m ON m.oid = o.opcmethod AND m.amname IN ('btree', 'hash')
              JOIN inclass i ON i.class = o.oid JOIN pg_catalog.pg_proc p ON p.oid = i.fn
              WHERE o.opcdefault AND o.opcintype < 16384 AND p.oid >= 16384
            """;
}
