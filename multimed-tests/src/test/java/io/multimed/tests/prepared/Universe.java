package io.multimed.tests.prepared;

import java.util.List;
import java.util.Random;

/** Schemas in which the same names refer to different objects. */
final class Universe {
    static final List<String> SCHEMAS = List.of("s1", "s2", "s3", "public", "r1", "r2");
    static final List<String> ROLES = List.of("r1", "r2");

    private static final List<String> TYPES = List.of(
            "integer",
            "bigint",
            "real",
            "double precision",
            "timestamp",
            "timestamptz",
            "date",
            "text",
            "varchar(4)",
            "numeric(6,2)",
            "mood");

    private final Random random;

    Universe(Random random) {
        this.random = random;
    }

    /** Returns statements that make everything anew. */
    List<String> create() {
        StringBuilder sql = new StringBuilder();
        for (String schema : SCHEMAS) {
            sql.append("DROP SCHEMA IF EXISTS ").append(schema).append(" CASCADE;");
            sql.append("CREATE SCHEMA ").append(schema).append(';');
            sql.append("SET search_path TO ").append(schema).append(';');
            sql.append(type(schema)).append(';');
            sql.append(table(schema, "t")).append(';');
            sql.append(table(schema, "ev")).append(';');
            sql.append(function(schema)).append(';');
        }
        for (String role : ROLES) {
            sql.append("GRANT ALL ON ALL TABLES IN SCHEMA ")
                    .append(String.join(", ", SCHEMAS))
                    .append(" TO ")
                    .append(role)
                    .append(';');
            sql.append("GRANT ALL ON SCHEMA ")
                    .append(String.join(", ", SCHEMAS))
                    .append(" TO ")
                    .append(role)
                    .append(';');
        }
        sql.append("RESET search_path;");
        sql.append("CREATE FUNCTION public.lead_to(path text) RETURNS void LANGUAGE plpgsql AS"
                + " $$BEGIN PERFORM set_config('search_path', path, false); END$$;");
        sql.append("CREATE FUNCTION public.rows_of_t() RETURNS SETOF text STABLE LANGUAGE plpgsql AS"
                + " $$BEGIN RETURN QUERY SELECT x::text FROM t x ORDER BY 1; END$$;");
        sql.append("CREATE FUNCTION public.make_temp() RETURNS void LANGUAGE plpgsql AS"
                + " $$BEGIN CREATE TEMP TABLE IF NOT EXISTS ev (a date, b text) ON COMMIT DROP; END$$");
        return List.of(sql.toString().split(";(?=CREATE FUNCTION public)"));
    }

    String type(String schema) {
        return "CREATE TYPE " + schema + ".mood AS ENUM ('" + schema + "', 'ok', '1')";
    }

    String table(String schema, String name) {
        String columns =
                name.equals("t") ? "a " + columnType(schema) : "a " + columnType(schema) + ", b " + columnType(schema);
        return "CREATE TABLE " + schema + "." + name + " (" + columns + ")";
    }

    String function(String schema) {
        String type = columnType(schema);
        return "CREATE FUNCTION " + schema + ".f(x " + type + ") RETURNS " + type
                + " LANGUAGE sql IMMUTABLE AS 'SELECT x'";
    }

    String temporaryTable() {
        String end = one(List.of("", " ON COMMIT DROP", " ON COMMIT DROP"));
        return random.nextBoolean()
                ? "CREATE TEMP TABLE t (a " + columnType("s1") + ")" + end
                : "CREATE TEMP TABLE ev (a " + columnType("s2") + ", b " + columnType("s3") + ")" + end;
    }

    /** Returns a definition in a schema; each one succeeds or fails alike on every server. */
    String definition() {
        String schema = one(SCHEMAS);
        return switch (random.nextInt(8)) {
            case 0 -> "ALTER TABLE " + schema + ".t ALTER a TYPE " + columnType(schema) + " USING NULL";
            case 1 -> "ALTER TABLE " + schema + ".ev ALTER b TYPE " + columnType(schema) + " USING NULL";
            case 2 -> "ALTER TABLE " + schema + ".t ADD c" + random.nextInt(3) + " " + columnType(schema);
            case 3 -> "ALTER TABLE " + schema + ".t DROP COLUMN IF EXISTS c" + random.nextInt(3);
            case 4 -> "DROP TABLE IF EXISTS " + schema + ".ev; " + table(schema, "ev");
            case 5 -> "DROP FUNCTION IF EXISTS " + schema + ".f";
            case 6 -> "DROP FUNCTION IF EXISTS " + schema + ".f; " + function(schema);
            default -> "DROP TYPE IF EXISTS " + schema + ".mood CASCADE; " + type(schema);
        };
    }

    /** Returns a statement that makes or drops a table, or a function, that may hide another of the same name. */
    String hiding() {
        String schema = one(List.of("s1", "s1", "s2"));
        String name = one(List.of("t", "t", "ev"));
        return switch (random.nextInt(8)) {
            case 0, 1, 2 -> "DROP TABLE IF EXISTS " + schema + "." + name;
            case 3 -> "ALTER TABLE IF EXISTS " + schema + "." + name + " RENAME TO gone";
            case 4 -> "DROP FUNCTION IF EXISTS " + schema + ".f";
            case 5 -> "DROP FUNCTION IF EXISTS " + schema + ".f; " + function(schema);
            default -> "CREATE TABLE IF NOT EXISTS" + table(schema, name).substring("CREATE TABLE".length());
        };
    }

    private String columnType(String schema) {
        String type = one(TYPES);
        return type.equals("mood") ? schema + ".mood" : type;
    }

    <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }
}
