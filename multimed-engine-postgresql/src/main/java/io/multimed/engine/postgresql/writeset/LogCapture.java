package io.multimed.engine.postgresql.writeset;

import io.multimed.core.spi.EngineException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** PostgreSQL decodes its log: a publication names the tables, and a logical slot holds what is to be decoded. */
final class LogCapture implements Capture {
    static final String PUBLICATION = "multimed";

    private final MasterDatabase database;
    private final PublishedTables publication = new PublishedTables(PUBLICATION);

    LogCapture(MasterDatabase database) {
        this.database = database;
    }

    @Override
    public Begun begin(Connection master, Collection<String> tables, boolean hasSource, Duration patience)
            throws SQLException, EngineException, InterruptedException {
        // Once the slot is there, the publication must have been, or its changes up to then could not be decoded.
        Set<String> added = publication.add(master, tables).stream()
                .map(oid -> Long.toString(oid))
                .collect(Collectors.toSet());
        if (hasSource) {
            return new Begun(added, null, 0);
        }
        LogicalSlot fresh = slot(master);
        fresh.drop(master);
        long from = fresh.create(database, patience);
        publication.settle();
        return new Begun(added, new LogSource(database, fresh), from);
    }

    private static LogicalSlot slot(Connection master) throws SQLException {
        return new LogicalSlot("multimed_" + MasterDatabase.oid(master), PUBLICATION);
    }

    @Override
    public void awaitWriters(Connection master, Collection<String> tables, Duration patience)
            throws SQLException, EngineException, InterruptedException {
        publication.awaitWriters(master, tables, patience);
    }

    @Override
    public Map<String, String> wanted(Connection master, Collection<String> tables) throws SQLException {
        Map<String, String> wanted = new LinkedHashMap<>();
        PublishedTables.wanted(master, tables).forEach((oid, name) -> wanted.put(Long.toString(oid), name));
        return wanted;
    }

    @Override
    public String damage(Connection master) throws SQLException {
        return publication.isIncomplete(master)
                ? "Somebody has taken tables out of the publication " + PUBLICATION + "."
                : "";
    }

    @Override
    public void retain(Connection master, Collection<String> tables) throws SQLException {
        publication.retain(master, tables);
    }

    /** The slot goes first: it holds the log. */
    @Override
    public void drop(Connection master) throws SQLException, InterruptedException {
        slot(master).drop(master);
        publication.drop(master);
    }
}
