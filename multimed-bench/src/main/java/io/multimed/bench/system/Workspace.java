package io.multimed.bench.system;

import io.multimed.bench.BenchException;
import io.multimed.core.spi.EngineException;
import io.multimed.engine.files.FileTree;
import io.multimed.engine.process.EngineTool;
import io.multimed.engine.process.EngineUser;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

/** The temporary directory of a benchmark: the loaded cluster, its copies, logs. It is deleted when closed. */
public final class Workspace implements AutoCloseable {
    private static final int ATTEMPTS = 20;

    private final Path directory;
    private final EngineUser user;

    private Workspace(Path directory, EngineUser user) {
        this.directory = directory;
        this.user = user;
    }

    /**
     * @param parent exists and is on the disk that is to be measured
     * @param preferred user of the engines where this process is root, if there is such a user
     */
    public static Workspace create(Path parent, String preferred) throws BenchException {
        try {
            EngineUser user = EngineUser.choose(preferred);
            Path directory = Files.createTempDirectory(parent.toAbsolutePath(), "multimed-bench-");
            // The engines' user must be able to pass through the directory.
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
            user.requireReach("The directory", directory);
            return new Workspace(directory, user);
        } catch (IOException e) {
            throw new BenchException("cannot make a directory in " + parent + ": " + e, e);
        } catch (EngineException e) {
            throw new BenchException(String.valueOf(e.getMessage()), e);
        }
    }

    public EngineUser user() {
        return user;
    }

    public Path path(String name) {
        return directory.resolve(name);
    }

    /** Makes a directory to which only the engines' user can write. */
    public Path directory(String name) throws BenchException {
        return below(directory, name);
    }

    /** Makes such a directory in a part of the workspace. */
    Path below(Path part, String name) throws BenchException {
        Path made = part.resolve(name);
        try {
            user.privateDirectory(made);
        } catch (EngineException e) {
            throw new BenchException(String.valueOf(e.getMessage()), e);
        }
        return made;
    }

    /** Copies a stopped cluster, with shared blocks on file systems that support them; returns once it is on disk. */
    public Path copy(Path cluster, Path target) throws BenchException, InterruptedException {
        try {
            EngineTool.run(
                    user,
                    List.of("cp", "-R", "--preserve=mode", "--reflink=auto", cluster.toString(), target.toString()),
                    Map.of());
            settle(target);
        } catch (EngineException e) {
            throw new BenchException(String.valueOf(e.getMessage()), e);
        }
        return target;
    }

    /** Waits until everything below is on disk: otherwise it would be written during the measurement of another system. */
    public void settle(Path tree) throws BenchException, InterruptedException {
        try {
            EngineTool.run(user, List.of("sync", "-f", tree.toString()), Map.of());
        } catch (EngineException e) {
            throw new BenchException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Returns the type of the file system, such as {@code ext4}. */
    public String fileSystem() {
        try {
            FileStore store = Files.getFileStore(directory);
            return store.type();
        } catch (IOException e) {
            return "unknown";
        }
    }

    /** Deletes one of its parts. */
    public void remove(Path part) throws BenchException {
        if (!part.startsWith(directory)) {
            throw new IllegalArgumentException(part + " is not in " + directory);
        }
        for (int attempt = 1; ; attempt++) {
            try {
                FileTree.delete(part);
                return;
            } catch (IOException | java.io.UncheckedIOException e) {
                // An engine that was killed a moment ago may still remove its own files.
                if (attempt == ATTEMPTS) {
                    throw new BenchException("cannot remove " + part + ": " + e, e);
                }
            }
        }
    }

    @Override
    public void close() throws BenchException {
        remove(directory);
    }
}
