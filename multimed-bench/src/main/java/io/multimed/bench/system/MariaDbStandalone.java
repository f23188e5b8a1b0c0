package io.multimed.bench.system;

import io.multimed.bench.BenchException;
import io.multimed.engine.mariadb.binaries.MariaDbBinaries;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One MariaDB with all cores and all the memory.
 *
 * @param how in words for readers
 * @param tuning of its settings; may be empty
 */
record MariaDbStandalone(String name, String how, Equipment<MariaDbBinaries> equipment, Map<String, String> tuning)
        implements SystemUnderTest {
    MariaDbStandalone {
        tuning = Map.copyOf(tuning);
    }

    @Override
    public String description() {
        return "one MariaDB " + equipment.binaries().version() + ", " + how
                + (tuning.isEmpty() ? "" : ": " + new TreeMap<>(tuning));
    }

    @Override
    public RunningSystem start(Path data, Path files) throws BenchException, InterruptedException {
        Map<String, String> settings = new LinkedHashMap<>(tuning);
        settings.put("max_connections", Integer.toString(equipment.clients() + Standalone.SPARE_CONNECTIONS));
        settings.put("innodb_flush_log_at_trx_commit", "1");
        settings.put("transaction_isolation", MariaDbSystems.ISOLATION);
        return new Running(MariaDbServer.start(
                "mariadb",
                equipment.binaries(),
                equipment.workspace().user(),
                equipment.cores(),
                data,
                files,
                settings));
    }

    private record Running(MariaDbServer server) implements RunningSystem {
        @Override
        public Address address() {
            return Address.mariadb(server.port());
        }

        @Override
        public List<Node> nodes() {
            return List.of(server.node());
        }

        @Override
        public Map<String, Long> processes() {
            return Map.of(server.node().name(), server.pid());
        }

        @Override
        public void close() {
            server.close();
        }
    }
}
