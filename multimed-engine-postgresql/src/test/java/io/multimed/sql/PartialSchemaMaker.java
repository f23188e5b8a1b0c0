package io.multimed.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Random schemas and queries in which one name stands for many things: tables and views of several schemas, columns, aliases and
 * common table expressions. All tables have the same columns.
 */
final class PartialSchemaMaker {
    private static final List<String> SCHEMAS = List.of("a", "b", "c");
    private static final List<String> NAMES = List.of("items", "orders", "stock", "users", "seen");
    private static final List<String> COLUMNS = List.of("id", "n", "items", "orders");
    private static final String COLUMN_LIST = "id, n, items, orders";

    private final Random random;

    PartialSchemaMaker(Random random) {
        this.random = random;
    }

    /** Returns definitions, some of which PostgreSQL may refuse. */
    List<String> definitions() {
        List<String> definitions = new ArrayList<>();
        String columns = "(id int PRIMARY KEY, n int, items int, orders int)";
        SCHEMAS.forEach(schema -> definitions.add("CREATE SCHEMA " + schema));
        for (String schema : SCHEMAS) {
            definitions.add("SET search_path = " + schema + ", a, b, c");
            for (String name : NAMES) {
                String table = schema + "." + name;
                switch (random.nextInt(15)) {
                    case 0, 1, 2, 3, 4, 5 -> definitions.add("CREATE TABLE " + table + columns);
                    case 6, 7 -> {
                        definitions.add("CREATE TABLE " + table + columns + " PARTITION BY RANGE (id)");
                        definitions.add("CREATE TABLE " + pick(SCHEMAS) + "." + name + "_low PARTITION OF " + table
                                + " FOR VALUES FROM (0) TO (10)");
                        definitions.add("CREATE TABLE " + schema + "." + name + "_high PARTITION OF " + table
                                + " FOR VALUES FROM (10) TO (20)");
                    }
                    case 8, 9 -> {
                        definitions.add("CREATE TABLE " + table + columns);
                        definitions.add("CREATE TABLE " + schema + "." + name + "_heir () INHERITS (" + table + ")");
                    }
                    case 10, 11, 12, 13 -> definitions.addAll(severalTimes("CREATE VIEW " + table));
                    default -> {}
                }
            }
        }
        for (int i = 0; i < 4; i++) {
            definitions.addAll(severalTimes("CREATE VIEW " + SCHEMAS.get(i % 3) + ".view_" + i));
        }
        definitions.addAll(severalTimes("CREATE MATERIALIZED VIEW a.kept"));
        definitions.add("CREATE TYPE b.pair AS (id int, n " + pick(SCHEMAS) + "." + pick(NAMES) + ")");
        return definitions;
    }

    /** Returns definitions with different queries: the first that PostgreSQL accepts is the one that counts. */
    private List<String> severalTimes(String definition) {
        return Stream.generate(() -> definition + " AS " + query()).limit(8).toList();
    }

    String query() {
        return query(0);
    }

    /** Returns a query with the columns of a table. */
    private String query(int depth) {
        if (depth < 2 && random.nextInt(6) == 0) {
            String name = random.nextInt(4) == 0 ? pick(NAMES) : "x" + depth;
            String columns = random.nextBoolean() ? "" : " (" + COLUMN_LIST + ")";
            String materialized = random.nextBoolean() ? "" : "NOT MATERIALIZED ";
            return "WITH " + name + columns + " AS " + materialized + "(" + query(depth + 1) + ") "
                    + select(depth + 1, name);
        }
        if (depth < 2 && random.nextInt(7) == 0) {
            String operation = pickOf(" UNION ", " UNION ALL ", " EXCEPT ");
            return "(" + query(depth + 1) + ")" + operation + "(" + query(depth + 1) + ")";
        }
        return switch (random.nextInt(12)) {
            case 0 -> "TABLE " + relation();
            case 1 -> "SELECT * FROM (VALUES (1, 2, 3, 4), (5, 6, 7, 8)) AS v (" + COLUMN_LIST + ")";
            default -> select(depth, null);
        };
    }

    private String select(int depth, String expression) {
        List<String> aliases = new ArrayList<>();
        String from = from(depth, aliases, expression);
        StringBuilder sql = new StringBuilder("SELECT ");
        boolean grouped = random.nextInt(6) == 0;
        if (grouped) {
            String first = column(aliases);
            String second = column(aliases);
            sql.append("min(").append(column(aliases)).append(") AS id, count(*)::int AS n, ");
            sql.append(first).append(" AS items, sum(").append(column(aliases)).append(")::int orders FROM ");
            sql.append(from)
                    .append(where(depth, aliases))
                    .append(" GROUP BY ")
                    .append(first)
                    .append(", ")
                    .append(second);
            sql.append(random.nextBoolean() ? "" : " ORDER BY 1, " + second);
            return sql.toString();
        }
        sql.append(random.nextInt(8) == 0 ? "DISTINCT " : "");
        for (int i = 0; i < COLUMNS.size(); i++) {
            sql.append(i == 0 ? "" : ", ").append(number(depth, aliases));
            sql.append(random.nextBoolean() ? " AS " : " ").append(COLUMNS.get(i));
        }
        sql.append(" FROM ").append(from).append(where(depth, aliases));
        if (random.nextInt(4) == 0) {
            sql.append(" ORDER BY 2, 1, items");
        }
        return sql.append(random.nextInt(6) == 0 ? " LIMIT 3" : "").toString();
    }

    /** Adds the aliases by which columns can be qualified. */
    private String from(int depth, List<String> aliases, String expression) {
        StringBuilder from = new StringBuilder(item(depth, aliases, expression));
        for (int i = random.nextInt(3); i > 0; i--) {
            switch (random.nextInt(6)) {
                case 0, 1 -> from.append(", ").append(item(depth, aliases, null));
                case 2 -> from.append(" CROSS JOIN ").append(item(depth, aliases, null));
                case 3 -> {
                    String left = pick(aliases) + "." + pick(COLUMNS);
                    from.append(" LEFT JOIN ").append(item(depth, aliases, null));
                    from.append(" ON ")
                            .append(left)
                            .append(" = ")
                            .append(aliases.get(aliases.size() - 1) + "." + pick(COLUMNS));
                }
                case 4 ->
                    from.append(", LATERAL (")
                            .append(query(depth + 1))
                            .append(") ")
                            .append(alias(aliases));
                default -> {
                    from.insert(0, '(')
                            .append(" JOIN ")
                            .append(item(depth, aliases, null))
                            .append(" ON true)");
                }
            }
        }
        return from.toString();
    }

    private String item(int depth, List<String> aliases, String expression) {
        if (expression != null) {
            return expression + " " + alias(aliases);
        }
        if (depth < 3 && random.nextInt(5) == 0) {
            return "(" + query(depth + 1) + ") AS " + alias(aliases);
        }
        return switch (random.nextInt(9)) {
            case 0 -> "ONLY " + relation() + " " + alias(aliases);
            case 1 -> "ONLY (" + relation() + ") " + alias(aliases);
            case 2 -> relation() + " AS " + alias(aliases) + " (" + COLUMN_LIST + ")";
            case 3 -> "(SELECT g AS id, g AS n, g AS items, g orders FROM generate_series(1, 3) g) " + alias(aliases);
            case 4 -> {
                String name = pick(NAMES);
                if (aliases.contains(name)) {
                    yield relation() + " " + alias(aliases);
                }
                aliases.add(name);
                yield random.nextBoolean() ? name : pick(SCHEMAS) + "." + name;
            }
            default -> relation() + pickOf(" ", " AS ") + alias(aliases);
        };
    }

    private String alias(List<String> aliases) {
        String alias = random.nextInt(3) == 0 ? pick(NAMES) : "t" + aliases.size();
        if (aliases.contains(alias)) {
            alias = "u" + aliases.size();
        }
        aliases.add(alias);
        return alias;
    }

    private String relation() {
        return switch (random.nextInt(30)) {
            case 0 -> pickOf("items_low", "orders_high", "c.stock_heir", "b.users_low");
            case 1 -> pickOf("a.kept", "kept");
            case 2, 3 -> {
                int view = random.nextInt(4);
                yield (random.nextBoolean() ? "" : SCHEMAS.get(view % 3) + ".") + "view_" + view;
            }
            case 4, 5, 6 -> "\"" + pick(SCHEMAS) + "\".\"" + pick(NAMES) + "\"";
            case 7, 8, 9, 10 -> pick(SCHEMAS) + "." + pick(NAMES);
            default -> pick(NAMES);
        };
    }

    private String where(int depth, List<String> aliases) {
        return random.nextInt(2) == 0 ? "" : " WHERE " + condition(depth, aliases);
    }

    private String condition(int depth, List<String> aliases) {
        int kind = depth < 3 ? random.nextInt(10) : random.nextInt(6);
        return switch (kind) {
            case 0 -> column(aliases) + " > " + column(aliases);
            case 1 -> column(aliases) + " IN (1, " + column(aliases) + ", " + column(aliases) + ")";
            case 2 -> column(aliases) + " IS " + pickOf("", "NOT ") + "DISTINCT FROM " + column(aliases);
            case 3 -> "(" + column(aliases) + ", " + column(aliases) + ") <> (" + column(aliases) + ", 1)";
            case 4 -> column(aliases) + " = ANY (ARRAY[1, " + column(aliases) + "])";
            case 5 -> "NOT " + column(aliases) + " BETWEEN " + column(aliases) + " AND 9";
            case 6 -> "EXISTS (" + query(depth + 1) + ")";
            case 7 -> column(aliases) + " IN (SELECT z.items FROM (" + query(depth + 1) + ") z)";
            case 8 -> condition(depth + 1, aliases) + " AND " + condition(depth + 1, aliases);
            default -> "(" + condition(depth + 1, aliases) + " OR " + column(aliases) + " IS NULL)";
        };
    }

    private String number(int depth, List<String> aliases) {
        int kind = depth < 3 ? random.nextInt(14) : random.nextInt(12);
        return switch (kind) {
            case 0 -> "coalesce(" + column(aliases) + ", " + column(aliases) + ")";
            case 1 -> "CASE WHEN " + condition(depth + 1, aliases) + " THEN " + column(aliases) + " ELSE 1 END";
            case 2 -> "(SELECT max(" + pick(COLUMNS) + ") FROM " + relation() + ")";
            case 3 -> pickOf("7", "extract(day FROM now())::int", "length('x')");
            case 4 -> random.nextInt(3) > 0 ? column(aliases) : ofRow();
            case 5 -> "row_number() OVER (PARTITION BY " + column(aliases) + " ORDER BY " + column(aliases) + ")::int";
            case 12 -> "(SELECT max(z.id) FROM (" + query(depth + 1) + ") z)";
            case 13 -> "(SELECT " + column(aliases) + " FROM (" + query(depth + 1) + ") z LIMIT 1)";
            default -> column(aliases);
        };
    }

    /** Returns a number from a row of a relation that need not be read. */
    private String ofRow() {
        String type = pickOf("items", "a.orders", "b.stock", "users", "b.pair", "c.\"users\"");
        return switch (random.nextInt(4)) {
            case 0 -> "(NULL::" + type + ").id";
            case 1 -> "(CAST(NULL AS " + type + ")).id";
            case 2 -> "(" + type + (type.equals("b.pair") ? " '(1,)').id" : " '(1,2,3,4)').id");
            default -> "(SELECT min(j.id) FROM json_to_record('{}') AS j(id int, n " + type + "))";
        };
    }

    private String column(List<String> aliases) {
        String column = pick(COLUMNS);
        return aliases.size() == 1 && random.nextBoolean() ? column : pick(aliases) + "." + column;
    }

    private <T> T pick(List<T> choice) {
        return choice.get(random.nextInt(choice.size()));
    }

    private String pickOf(String... choice) {
        return choice[random.nextInt(choice.length)];
    }
}
