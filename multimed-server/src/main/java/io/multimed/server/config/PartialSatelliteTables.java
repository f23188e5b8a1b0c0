package io.multimed.server.config;

import static io.multimed.server.config.TomlValues.word;

import io.multimed.core.node.NodeContents;
import io.multimed.model.NodeId;
import io.multimed.model.plan.NodeRequest;
import io.multimed.model.topology.CpuSet;
import io.multimed.sql.QueriedTables;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The tables {@code [satellites.NAME]}, one for each partial Satellite.
 *
 * @param satellites in the order of the file
 * @param requests settings of their engines
 */
record PartialSatelliteTables(List<PartialSatellite> satellites, Map<NodeId, NodeRequest> requests) {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,29}");
    /** Names of other nodes, and of those that may come. */
    private static final Pattern OTHERS_NAME = Pattern.compile("master|middleware|satellites?(-.*)?");

    private static final String IDENTIFIER = "(?:\"(?:[^\"]|\"\")+\"|[\\p{L}_][\\p{L}\\p{N}_$]*)";
    /** The name of a table with its schema. */
    static final Pattern TABLE = Pattern.compile(IDENTIFIER + "\\." + IDENTIFIER);

    private static final Pattern COLUMN = Pattern.compile(IDENTIFIER);

    private static final Pattern INDEX = Pattern.compile(
            "\\s*CREATE\\s+(UNIQUE\\s+INDEX|INDEX|STATISTICS)\\b.*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    PartialSatelliteTables {
        satellites = List.copyOf(satellites);
        requests = Map.copyOf(requests);
    }

    static PartialSatelliteTables read(TomlTable all) {
        List<PartialSatellite> satellites = new ArrayList<>();
        Map<NodeId, NodeRequest> requests = new HashMap<>();
        for (String name : all.tableNames()) {
            TomlTable table = all.table(name);
            if (!NAME.matcher(name).matches() || OTHERS_NAME.matcher(name).matches()) {
                all.problem(
                        name,
                        "cannot be the name of a satellite: it must have at most 30 small letters, digits and dashes, begin with"
                                + " a letter, and not be the name of another node");
                continue;
            }
            NodeId id = new NodeId(name);
            if (table.names().contains("rows") && table.has("rows")) {
                table.problem(
                        "rows",
                        "cannot be: a read would find fewer rows there than on the master, and no text of a read shows that it"
                                + " needs the carried ones alone; keep these rows in a table of their own and carry that");
            }
            List<String> tables = tables(table);
            satellites.add(new PartialSatellite(
                    id,
                    table.text("database").orElse("postgres"),
                    tables,
                    columns(table.table("columns"), tables),
                    queries(table),
                    indexes(table),
                    word(table, "serves", NodeContents.Takes.class, NodeContents.Takes.ALL),
                    table.integer("cores", 1, ConfigurationReader.MOST_CORES)));
            Map<String, String> settings = NodeTables.settings(table, NodeTables.POSTGRESQL);
            if (!settings.isEmpty()) {
                requests.put(id, new NodeRequest(CpuSet.EMPTY, settings));
            }
            table.end();
        }
        if (satellites.size() > NodeContents.MOST_PARTIAL) {
            all.problem(
                    satellites.get(NodeContents.MOST_PARTIAL).id().name(),
                    "is one too many: there can be at most " + NodeContents.MOST_PARTIAL
                            + " satellites with tables of their own");
        }
        return new PartialSatelliteTables(satellites, requests);
    }

    private static List<String> tables(TomlTable table) {
        List<String> tables = table.texts("tables");
        if (tables.isEmpty() && table.texts("queries").isEmpty()) {
            table.problem(
                    "tables",
                    "must name at least one table, such as [\"public.orders\"], unless there are queries that read some");
        }
        Set<String> once = new HashSet<>();
        for (String name : tables) {
            if (!TABLE.matcher(name).matches()) {
                table.problem(
                        "tables",
                        "must name tables with their schemas, written as in SQL, such as \"public.orders\", not \""
                                + name + "\"");
            } else if (!once.add(name)) {
                table.problem("tables", "names " + name + " twice");
            }
        }
        return tables;
    }

    private static Map<String, Set<String>> columns(TomlTable table, List<String> tables) {
        Map<String, Set<String>> columns = new HashMap<>();
        for (String name : table.names()) {
            Set<String> carried = new HashSet<>();
            for (String column : table.texts(name)) {
                if (!COLUMN.matcher(column).matches()) {
                    table.problem(
                            name, "must list columns, written as in SQL, such as [\"id\"], not \"" + column + "\"");
                } else if (!carried.add(inCatalog(column))) {
                    table.problem(name, "lists " + column + " twice");
                }
            }
            if (!tables.contains(name)) {
                table.problem(name, "is none of the tables, which must be named as they are there");
            } else if (carried.isEmpty()) {
                table.problem(
                        name, "must list at least the columns by which its rows are told apart, such as [\"id\"]");
            }
            columns.put(name, carried);
        }
        return columns;
    }

    /** Returns the name that an identifier of SQL stands for. */
    private static String inCatalog(String identifier) {
        return identifier.startsWith("\"")
                ? identifier.substring(1, identifier.length() - 1).replace("\"\"", "\"")
                : identifier.toLowerCase(Locale.ROOT);
    }

    private static List<String> queries(TomlTable table) {
        List<String> queries = table.texts("queries");
        for (String sql : queries) {
            QueriedTables.refusal(sql)
                    .ifPresent(because -> table.problem("queries", "\"" + sql.strip() + "\" " + because));
        }
        return queries;
    }

    private static List<String> indexes(TomlTable table) {
        List<String> indexes = table.texts("indexes");
        for (String sql : indexes) {
            if (!INDEX.matcher(sql).matches()) {
                table.problem(
                        "indexes", "must hold CREATE INDEX and CREATE STATISTICS statements, not \"" + sql + "\"");
            }
        }
        return indexes;
    }
}
