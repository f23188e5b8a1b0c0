package io.multimed.bench.system;

import io.multimed.bench.BenchException;
import io.multimed.engine.postgresql.binaries.EngineBinaries;
import io.multimed.engine.postgresql.cluster.MemorySettings;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One PostgreSQL with all cores and all the memory.
 *
 * <p>It has three forms: with PostgreSQL's own settings for its planner, with every setting that a Satellite of Multimed has,
 * and with these and as little durability as a Satellite.
 *
 * @param tuning beyond memory, and before durability; may be empty
 */
record Standalone(String name, Equipment<EngineBinaries> equipment, Map<String, String> tuning)
        implements SystemUnderTest {
    /** Connections for the harness itself. */
    static final int SPARE_CONNECTIONS = 20;

    Standalone {
        tuning = Map.copyOf(tuning);
    }

    @Override
    public String description() {
        return "one PostgreSQL " + equipment.binaries().version()
                + (tuning.isEmpty()
                        ? ", default planner settings"
                        : ", tuned as a Satellite is: " + new TreeMap<>(tuning));
    }

    @Override
    public EngineGroup start(Path data, Path files) throws BenchException, InterruptedException {
        return start(data, files, equipment.clients() + SPARE_CONNECTIONS);
    }

    EngineGroup start(Path data, Path files, int connections) throws BenchException, InterruptedException {
        Map<String, String> settings = durable(equipment.memoryBytes(), connections);
        settings.putAll(tuning);
        return new EngineGroup(
                List.of(PostgresServer.start(
                        PostgresServer.ALONE,
                        equipment.binaries(),
                        equipment.workspace().user(),
                        equipment.cores(),
                        data,
                        files,
                        settings)),
                List.of());
    }

    /** Returns the settings of an engine that loses no commit. */
    static Map<String, String> durable(long memoryBytes, int connections) {
        Map<String, String> settings = new LinkedHashMap<>(MemorySettings.of(memoryBytes));
        settings.put("max_connections", Integer.toString(connections));
        settings.put("fsync", "on");
        settings.put("synchronous_commit", "on");
        settings.put("full_page_writes", "on");
        settings.put("wal_level", "replica");
        return settings;
    }
}
