package io.multimed.engine.embedded.statements;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.SQLException;

/**
 * A temporary directory.
 *
 * @param path to it
 */
record Place(Path path) {
    static Place create() throws SQLException {
        try {
            return new Place(Files.createTempDirectory("multimed-"));
        } catch (IOException e) {
            throw new SQLException(
                    "There is no room for replicas in " + System.getProperty("java.io.tmpdir"), "58030", e);
        }
    }

    /** With all that is in it. Idempotent. */
    void delete() {
        try {
            Files.walkFileTree(path, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path directory, IOException failure) throws IOException {
                    Files.deleteIfExists(directory);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            System.getLogger("io.multimed.engine.embedded")
                    .log(System.Logger.Level.DEBUG, "a temporary directory stays behind: " + path, e);
        }
    }
}
