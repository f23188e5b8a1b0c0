package io.multimed.sql;

import java.util.List;
import java.util.Random;

/** Random queries on the tables of {@link ReadsOnPostgresqlTest}, all of which the server can execute. */
final class QueryMaker {
    private final Random random;

    QueryMaker(Random random) {
        this.random = random;
    }

    String query() {
        return "SELECT " + number(0) + ", count(*) FILTER (WHERE " + condition() + "), sum(" + number(0) + ") FROM "
                + table() + " WHERE " + condition() + " GROUP BY a, b ORDER BY 1, 2, 3 LIMIT 20";
    }

    private String table() {
        return List.of(
                        "t",
                        "good_view",
                        "public.t AS t",
                        "(SELECT * FROM t WHERE b > 2) AS t",
                        "(TABLE good_view) q(a, b)")
                .get(random.nextInt(5));
    }

    private String number(int depth) {
        return switch (depth > 3 ? random.nextInt(3) : random.nextInt(8)) {
            case 0 -> "a";
            case 1 -> "b";
            case 2 -> String.valueOf(random.nextInt(9));
            case 3 -> "(" + number(depth + 1) + " + " + number(depth + 1) + ")";
            case 4 -> "greatest(" + number(depth + 1) + ", abs(-" + number(depth + 1) + "))";
            case 5 -> "CASE WHEN a > 50 THEN " + number(depth + 1) + " ELSE 0 END";
            case 6 -> "coalesce(nullif(" + number(depth + 1) + ", 3), length('x' || a::text))";
            default -> "(SELECT count(*)::int FROM t AS u WHERE u.b = " + random.nextInt(7) + ")";
        };
    }

    private String condition() {
        return List.of(
                        "a IN (1, 2, 3, b)",
                        "a BETWEEN 3 AND 90",
                        "a::text LIKE '1%'",
                        "NOT (b = 3 AND a <> 4)",
                        "EXISTS (SELECT 1 FROM t v WHERE v.b > 5)",
                        "(a, b) IN (SELECT a, b FROM good_view)",
                        "b = ANY (ARRAY[1, 2, 3])")
                .get(random.nextInt(7));
    }
}
