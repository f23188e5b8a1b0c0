package io.multimed.bench.system;

import io.multimed.bench.client.Query;
import io.multimed.engine.postgresql.NodeAddress;
import io.multimed.engine.postgresql.catalog.AdminConnection;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * An engine of a system, accessed past all middleware.
 *
 * @param tables that it carries; empty: all
 */
public record Node(String name, NodeAddress address, List<String> tables) {
    private static final String CHOSEN = """
            SELECT name, current_setting(name) FROM pg_settings
             WHERE source NOT IN ('default', 'override', 'client')
               AND context IN ('postmaster', 'sighup', 'superuser', 'user')
               AND name !~ '(file|directory|directories|primary_conninfo|^lc_|cluster_name|search_config)'
                OR name IN ('fsync', 'synchronous_commit', 'full_page_writes', 'wal_level', 'shared_buffers', 'data_checksums',
                            'default_transaction_isolation', 'max_wal_size', 'checkpoint_timeout', 'jit')""";

    public Node {
        tables = List.copyOf(tables);
    }

    /** Makes an engine that carries every table. */
    Node(String name, NodeAddress address) {
        this(name, address, List.of());
    }

    /** Whether it carries only some of the tables. */
    public boolean partial() {
        return !tables.isEmpty();
    }

    public Connection open(String database) throws SQLException {
        return AdminConnection.open(address, "postgres", database);
    }

    /**
     * Returns the settings that were chosen to differ from PostgreSQL's defaults, without names of files; those of durability,
     * isolation and memory in any case.
     */
    public Map<String, String> settings(String database) throws SQLException {
        Map<String, String> settings = new TreeMap<>();
        try (Connection connection = open(database);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(CHOSEN)) {
            while (rows.next()) {
                settings.put(rows.getString(1), rows.getString(2));
            }
        }
        return settings;
    }

    /** Returns the pid of the process that applies the Master's log; empty where there is none. */
    OptionalLong replayPid() throws SQLException {
        try (Connection connection = open("postgres");
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT pid FROM pg_stat_get_activity(NULL) WHERE backend_type = 'startup'")) {
            return row.next() ? OptionalLong.of(row.getLong(1)) : OptionalLong.empty();
        }
    }

    /** Returns the size of its files in memory; 0 where they lie on a disk, or this user may not read them. */
    public long memoryDiskBytes() {
        try (Connection connection = open("postgres")) {
            Path data = Path.of(Query.text(connection, "SELECT current_setting('data_directory')"));
            return Files.getFileStore(data).type().equals("tmpfs") ? size(data) : 0;
        } catch (SQLException | IOException e) {
            return 0;
        }
    }

    /** Returns the size of all files below, without those that disappear meanwhile. */
    private static long size(Path directory) throws IOException {
        LongAdder bytes = new LongAdder();
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                bytes.add(attributes.size());
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException gone) {
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException gone) {
                return FileVisitResult.CONTINUE;
            }
        });
        return bytes.sum();
    }
}
