package io.multimed.sql;

import java.util.List;
import java.util.Random;

/**
 * Generates random queries of PostgreSQL's grammar, of limited size. At every place where an expression, a table or a clause may
 * stand, one part can be hidden that makes the query no read, or a read that depends on the moment.
 */
final class StatementGrammar {
    /** The parts that can be hidden, by the places where they may stand. */
    record Hidden(List<String> expressions, List<String> tables, List<String> clauses) {}

    static final Hidden NOTHING = new Hidden(List.of(), List.of(), List.of());

    private static final List<String> WRITING_EXPRESSIONS = List.of(
            "nextval('s')",
            "pg_catalog.setval('s', 1)",
            "\"nextval\"('s')",
            "NextVal\n('s')",
            "nextval/* ( */('s')",
            "pg_notify('a', 'b')",
            "pg_advisory_lock(1)",
            "lo_unlink(1)",
            "user_function(a)",
            "s.user_function(a, b)",
            "t.user_function",
            "(t).user_function",
            "(t)./**/\"user_function\"",
            "a === b",
            "a OPERATOR(public.===) b",
            "'1'::bad_type",
            "bad_type '1'",
            "CAST(a AS bad_type[])",
            "query_to_xml('delete from t', true, true, '')",
            "(SELECT max(x) FROM bad_view)",
            "(SELECT last_value FROM counter)",
            "(SELECT 1 FROM pg_stat_activity)",
            "EXISTS (SELECT 1 FROM t FOR UPDATE)",
            "(WITH w AS (DELETE FROM t RETURNING a) SELECT a FROM w)",
            "current_setting('x')",
            "pg_backend_pid()",
            "treat(a AS lo_unlink)",
            "unknown_function(1)");

    private static final List<String> WRITING_TABLES = List.of(
            "bad_view",
            "s.bad_view",
            "\"bad_view\"",
            "counter c",
            "pg_locks",
            "pg_catalog.pg_stat_activity AS x(a, b)",
            "nextval('s')",
            "nextval('s') f(x)",
            "nextval('s') AS f",
            "ROWS FROM (generate_series(1, 2), nextval('s')) AS r(a, b)",
            "LATERAL user_function(1) WITH ORDINALITY",
            "user_function(a) AS (x int)",
            "t TABLESAMPLE user_function(1)",
            "(SELECT nextval('s')) AS n",
            "unlogged");

    private static final List<String> WRITING_CLAUSES =
            List.of("FOR UPDATE", "FOR NO KEY UPDATE OF t", "for share", "FOR KEY SHARE SKIP LOCKED");

    static final Hidden WRITES = new Hidden(WRITING_EXPRESSIONS, WRITING_TABLES, WRITING_CLAUSES);

    static final Hidden MOMENTS = new Hidden(
            List.of(
                    "now()",
                    "pg_catalog.\"now\"()",
                    "Now/* ( */\n()",
                    "current_timestamp",
                    "CURRENT_TIMESTAMP (3)",
                    "current_date",
                    "localtime",
                    "random()",
                    "gen_random_uuid()",
                    "age(a)",
                    "(a AT TIME ZONE 'UTC')",
                    "a::timetz",
                    "CAST(a AS time(3) with time zone)",
                    "declared_safe(a)",
                    "s.declared_safe(a, b)",
                    "t.declared_safe",
                    "(t)./**/\"declared_safe\"",
                    "a &&& b",
                    "a OPERATOR(public.&&&) b",
                    "'1'::moment_type",
                    "CAST(a AS moment_type[])",
                    "(SELECT max(x) FROM moment_view)",
                    "(SELECT 1 FROM pg_timezone_names)"),
            List.of(
                    "moment_view",
                    "s.\"moment_view\" AS x(a, b)",
                    "now() AS n",
                    "ROWS FROM (generate_series(1, 2), random()) AS r(a, b)",
                    "LATERAL declared_safe(1) WITH ORDINALITY",
                    "t TABLESAMPLE bernoulli (1)",
                    "t x tablesample System (1) REPEATABLE (2)",
                    "(SELECT clock_timestamp()) AS n"),
            List.of());

    private static final List<String> OPERATORS = List.of(
            "=", "<>", "<", ">=", "+", "-", "*", "/", "%", "||", "->", "->>", "@>", "~", "!~*", "&&", "#>>", "^");

    private final Random random;
    private final Hidden hides;
    private boolean hidden;
    private int budget;

    StatementGrammar(Random random, Hidden hides) {
        this.random = random;
        this.hides = hides;
    }

    /** Returns a query, with a hidden part if one was requested. */
    String statement() {
        String sql;
        do {
            hidden = false;
            budget = 25;
            sql = query(0);
        } while (hidden == hides.equals(NOTHING));
        return sql;
    }

    private boolean hide(List<String> something) {
        if (!something.isEmpty() && random.nextInt(Math.max(budget, 0) + 2) == 0) {
            hidden = true;
            return true;
        }
        return false;
    }

    private <T> T any(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private boolean chance(int of) {
        return random.nextInt(of) == 0;
    }

    private String space() {
        return any(List.of(" ", "  ", "\n", "\t", "/* x */", " -- y\n", " /* /* ' */ */ "));
    }

    private String query(int depth) {
        budget--;
        StringBuilder sql = new StringBuilder();
        if (chance(6)) {
            sql.append("WITH w1").append(chance(2) ? "(a, b)" : "").append(" AS ");
            sql.append(chance(3) ? "NOT MATERIALIZED " : "").append('(');
            sql.append(depth > 3 ? "SELECT 1" : query(depth + 1)).append(')');
            sql.append(chance(2) ? ", w2(c) AS (VALUES (1))" : "").append(space());
        }
        if (chance(12)) {
            return sql.append("VALUES (")
                    .append(expression(depth))
                    .append(", 1)")
                    .toString();
        }
        sql.append("SELECT").append(space());
        sql.append(chance(8) ? "DISTINCT ON (a) " : chance(8) ? "DISTINCT " : "");
        sql.append(expressions(depth));
        if (!chance(6)) {
            sql.append(space()).append("FROM").append(space()).append(table(depth));
            if (chance(3)) {
                sql.append(", ").append(table(depth));
            }
            if (chance(3)) {
                sql.append(" LEFT JOIN ")
                        .append(table(depth))
                        .append(" ON (")
                        .append(expression(depth))
                        .append(')');
            }
        }
        sql.append(chance(2) ? " WHERE " + expression(depth) : "");
        sql.append(chance(6) ? " GROUP BY a, ROLLUP (b, c)" : "");
        sql.append(chance(8) ? " HAVING " + expression(depth) : "");
        sql.append(chance(10) ? " UNION ALL (SELECT " + expressions(depth) + ")" : "");
        sql.append(chance(4) ? " ORDER BY " + expression(depth) + " DESC NULLS LAST" : "");
        sql.append(chance(4) ? " LIMIT 10 OFFSET 5" : "");
        if (hide(hides.clauses())) {
            sql.append(space()).append(any(hides.clauses()));
        }
        return sql.toString();
    }

    private String expressions(int depth) {
        StringBuilder list = new StringBuilder(expression(depth));
        while (chance(2)) {
            list.append(',').append(space()).append(expression(depth)).append(chance(3) ? " AS x" : "");
        }
        return list.toString();
    }

    private String table(int depth) {
        budget--;
        if (hide(hides.tables())) {
            return any(hides.tables());
        }
        return switch (depth > 4 || budget < 0 ? 0 : random.nextInt(7)) {
            case 1 -> "s.t AS x";
            case 2 -> "generate_series(1, 10) g(i)";
            case 3 -> "(" + query(depth + 1) + ") q(a, b)";
            case 4 -> "LATERAL (" + query(depth + 1) + ") AS l";
            case 5 -> "good_view v";
            case 6 -> "json_to_record('{}') AS j(a int, b text)";
            default -> "t";
        };
    }

    private String expression(int depth) {
        budget--;
        if (hide(hides.expressions())) {
            return any(hides.expressions());
        }
        int deeper = depth + 1;
        return switch (depth > 4 || budget < 0 ? random.nextInt(6) : random.nextInt(20)) {
            case 0 -> "a";
            case 1 -> "t.\"b c\"";
            case 2 -> any(List.of("1", "2.5", "$1", "0x1f", ".5"));
            case 3 -> any(List.of("'it''s nextval('", "E'\\'nextval('", "$x$ nextval(' $x$", "'a'\n'b'"));
            case 4 -> "NULL";
            case 5 -> "current_user";
            case 6, 7 -> expression(deeper) + ' ' + any(OPERATORS) + ' ' + expression(deeper);
            case 8 ->
                any(List.of("lower", "coalesce", "pg_catalog.abs", "greatest", "left", "length", "concat"))
                        + chooseSpace() + "(" + expression(deeper) + ", " + expression(deeper) + ")";
            case 9 -> "count(" + expression(deeper) + ") FILTER (WHERE " + expression(deeper) + ")";
            case 10 -> "sum(a) OVER (PARTITION BY " + expression(deeper) + " ORDER BY " + expression(deeper) + ")";
            case 11 -> "CASE WHEN " + expression(deeper) + " THEN " + expression(deeper) + " ELSE b END";
            case 12 -> "(" + expression(deeper) + ")";
            case 13 -> "EXISTS (" + query(deeper) + ")";
            case 14 -> "(" + expression(deeper) + " IN (1, 2, " + expression(deeper) + "))";
            case 15 -> "(" + query(deeper) + ")";
            case 16 -> "CAST((" + expression(deeper) + ") AS numeric(10, 2))";
            case 17 -> "ARRAY[" + expression(deeper) + ", 1]";
            case 18 -> "extract(year FROM (" + expression(deeper) + "))";
            default -> "((" + expression(deeper) + ") IS NOT NULL)";
        };
    }

    private String chooseSpace() {
        return chance(3) ? space() : "";
    }
}
