package io.multimed.server.config;

import io.multimed.core.node.NodeContents;
import io.multimed.model.NodeId;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A Satellite that carries some tables of one database: {@code [satellites.NAME]}.
 *
 * @param database the database of its tables
 * @param tables with their schemas, as in SQL
 * @param columns of tables of which it carries some columns alone: by the table's name as above, the names in the catalog
 * @param queries whose tables it carries as well, whichever they are
 * @param indexes statements that create indexes and statistics on its engine alone
 * @param serves the reads that it takes
 * @param cores number of physical cores that no other engine uses; if empty, it shares cores as the full Satellites do
 */
public record PartialSatellite(
        NodeId id,
        String database,
        List<String> tables,
        Map<String, Set<String>> columns,
        List<String> queries,
        List<String> indexes,
        NodeContents.Takes serves,
        OptionalInt cores) {
    public PartialSatellite {
        tables = List.copyOf(tables);
        // Sorted, so that the same configuration has the same text in every process.
        Map<String, Set<String>> sorted = new TreeMap<>();
        columns.forEach((table, names) -> sorted.put(table, Collections.unmodifiableSet(new TreeSet<>(names))));
        columns = Collections.unmodifiableMap(sorted);
        queries = List.copyOf(queries);
        indexes = List.copyOf(indexes);
    }
}
