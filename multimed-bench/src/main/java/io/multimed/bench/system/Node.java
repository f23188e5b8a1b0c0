package io.multimed.bench.system;

import io.multimed.bench.client.Query;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** An engine of a system, accessed past all middleware. Calls block; any thread. */
public interface Node {
    /**
     * Queries about an engine.
     *
     * @param databaseBytes size of the present database
     * @param loggedBytes size of what the engine has logged since it started, or since it was made
     * @param sessions names of what sessions at work wait for, or {@code running}, with the numbers of such sessions. Idle ones are
     *     left out, since they wait, too: for work
     * @param dataDirectory path of the engine's files
     */
    record Queries(String databaseBytes, String loggedBytes, String sessions, String dataDirectory) {}

    String name();

    /** Returns the tables that it carries; empty: all. */
    List<String> tables();

    /** Whether it carries only some of the tables. */
    default boolean partial() {
        return !tables().isEmpty();
    }

    Connection open(String database) throws SQLException;

    /**
     * Returns the settings that were chosen to differ from the engine's defaults, without names of files; those of durability, isolation
     * and memory in any case.
     */
    Map<String, String> settings(String database) throws SQLException;

    Queries queries();

    /**
     * Waits until this engine has applied all that the Master has committed.
     *
     * @param copy a connection to this engine
     * @return why it has not when {@code patience} has passed; empty if it has
     */
    String awaitApplied(Connection master, Connection copy, Duration patience)
            throws SQLException, InterruptedException;

    /** Returns the number of a table's rows and a sum over them, which is the same for the same rows in any order. */
    String contents(Connection connection, String table) throws SQLException;

    /** Returns the size of its files in memory; 0 where they lie on a disk, or this user may not read them. */
    default long memoryDiskBytes() {
        try (Connection connection = open(Template.DATABASE)) {
            Path data = Path.of(Query.text(connection, queries().dataDirectory()));
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
