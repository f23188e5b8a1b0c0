package io.multimed.server.satellite;

import io.multimed.core.spi.EngineException;
import io.multimed.engine.postgresql.catalog.QueriedTableFinder;
import io.multimed.engine.postgresql.indexes.MovedIndex;
import io.multimed.model.NodeId;
import io.multimed.server.config.PartialSatellite;
import io.multimed.server.master.MasterConnections;
import io.multimed.sql.ClassifierOptions;
import io.multimed.sql.PartialTables;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The tables that the partial Satellites carry: those that the configuration names, and those that their queries read. The latter are
 * worked out before each copy, so that they stay the same as long as the Satellite serves.
 *
 * <p>Thread-safe.
 */
public final class PartialContents {
    private final List<PartialSatellite> satellites;
    private final MasterConnections master;
    private final ClassifierOptions options;
    private final Supplier<List<MovedIndex>> moved;
    private final Map<NodeId, List<String>> tables = new ConcurrentHashMap<>();
    private volatile Runnable onChange = () -> {};

    /**
     * @param options by which reads are classified
     * @param moved the indexes that partial Satellites have and the Master has not
     */
    public PartialContents(
            List<PartialSatellite> satellites,
            MasterConnections master,
            ClassifierOptions options,
            Supplier<List<MovedIndex>> moved) {
        this.moved = moved;
        this.satellites = List.copyOf(satellites);
        this.master = master;
        this.options = options;
        satellites.forEach(satellite -> tables.put(satellite.id(), satellite.tables()));
    }

    /**
     * Sets what is called when a Satellite is about to be copied with other tables than before. It must return at once; no read that
     * was classified before may be placed when the Satellite serves again.
     */
    public void onChange(Runnable heard) {
        onChange = heard;
    }

    /** Returns the tables, with the bits of the nodes, and which of them have indexes that the Master has not. */
    public PartialTables tables() {
        List<PartialTables.Node> nodes = new ArrayList<>();
        for (PartialSatellite satellite : satellites) {
            Set<String> indexed = new HashSet<>();
            for (MovedIndex index : moved.get()) {
                if (index.database().equals(satellite.database())) {
                    indexed.add(index.table());
                }
            }
            nodes.add(new PartialTables.Node(
                    nodes.size(), satellite.database(), of(satellite.id()), indexed, satellite.columns()));
        }
        return new PartialTables(nodes);
    }

    /** Returns the tables of one Satellite, with their schemas, as in SQL; none for a full one. */
    public List<String> of(NodeId satellite) {
        return tables.getOrDefault(satellite, List.of());
    }

    /** Returns the indexes that partial Satellites have and the Master has not. */
    List<MovedIndex> moved() {
        return moved.get();
    }

    /**
     * Works out the tables with which a Satellite is copied next. The Satellite must not serve; blocks.
     *
     * @throws EngineException if it cannot answer one of its queries: with the reason
     */
    List<String> choose(PartialSatellite satellite) throws EngineException {
        if (satellite.queries().isEmpty()) {
            return satellite.tables();
        }
        Set<String> chosen = new LinkedHashSet<>(satellite.tables());
        try (Connection connection = master.open(satellite.database())) {
            chosen.addAll(QueriedTableFinder.find(connection, satellite.database(), satellite.queries(), options));
        } catch (SQLException e) {
            throw new EngineException(
                    "Cannot ask the Master for the tables of the queries of " + satellite.id() + ": " + e.getMessage()
                            + ".",
                    e);
        }
        if (chosen.isEmpty()) {
            throw new EngineException("The queries of " + satellite.id() + " read no table.");
        }
        List<String> now = List.copyOf(chosen);
        if (!now.equals(tables.put(satellite.id(), now))) {
            onChange.run();
        }
        return now;
    }
}
