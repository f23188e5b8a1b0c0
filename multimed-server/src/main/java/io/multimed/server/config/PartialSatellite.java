package io.multimed.server.config;

import io.multimed.core.node.NodeContents;
import io.multimed.model.NodeId;
import java.util.List;
import java.util.OptionalInt;

/**
 * A Satellite that carries some tables of one database: {@code [satellites.NAME]}.
 *
 * @param database the database of its tables
 * @param tables with their schemas, as in SQL
 * @param queries whose tables it carries as well, whichever they are
 * @param indexes statements that create indexes and statistics on its engine alone
 * @param serves the reads that it takes
 * @param cores number of physical cores that no other engine uses; if empty, it shares cores as the full Satellites do
 */
public record PartialSatellite(
        NodeId id,
        String database,
        List<String> tables,
        List<String> queries,
        List<String> indexes,
        NodeContents.Takes serves,
        OptionalInt cores) {
    public PartialSatellite {
        tables = List.copyOf(tables);
        queries = List.copyOf(queries);
        indexes = List.copyOf(indexes);
    }
}
