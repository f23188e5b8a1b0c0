package io.multimed.engine.mariadb.cluster;

import io.multimed.core.spi.EngineException;
import io.multimed.engine.mariadb.binaries.MariaDbBinaries;
import io.multimed.engine.process.EngineTool;
import io.multimed.engine.process.EngineUser;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** The Master's data directory before an engine runs on it. */
final class MariaDbData {
    /** The mark of a complete directory, with the release that made it. */
    private static final String MADE_BY = "multimed-made-by";

    private MariaDbData() {}

    static boolean exists(Path dataDirectory) {
        return Files.isRegularFile(dataDirectory.resolve(MADE_BY));
    }

    /**
     * Makes the system tables in an empty directory, as {@code mariadb-install-db --auth-root-authentication-method=normal} does:
     * root may log in from this machine without a password.
     *
     * @throws EngineException if the directory holds something, or the engine fails; then the directory is not complete
     */
    static void initialise(Path dataDirectory, MariaDbBinaries binaries, EngineUser user)
            throws EngineException, InterruptedException {
        user.privateDirectory(dataDirectory);
        user.requireReach("The data directory", dataDirectory);
        requireEmpty(dataDirectory);
        List<Path> statements = binaries.systemTables();
        Process process;
        try {
            process = EngineTool.builder(
                            user,
                            List.of(
                                    binaries.server().toString(),
                                    "--no-defaults",
                                    "--bootstrap",
                                    "--silent-startup",
                                    "--datadir=" + dataDirectory,
                                    "--lc-messages-dir=" + binaries.share(),
                                    "--character-sets-dir=" + binaries.share().resolve("charsets"),
                                    "--innodb-log-file-size=16M",
                                    "--log-warnings=0",
                                    "--enforce-storage-engine=",
                                    "--max-allowed-packet=8M",
                                    "--net-buffer-length=16K"))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.PIPE)
                    .start();
        } catch (IOException e) {
            throw new EngineException("Cannot run " + binaries.server() + ": " + e.getMessage() + ".", e);
        }
        Thread feeder = Thread.ofPlatform()
                .daemon()
                .name("multimed-bootstrap")
                .start(() -> feed(process.getOutputStream(), statements));
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            feeder.join();
            if (process.waitFor() != 0) {
                throw new EngineException(
                        "MariaDB could not make its system tables in " + dataDirectory + ": " + reason(output) + ".");
            }
            String version = binaries.version();
            Path mark = dataDirectory.resolve(MADE_BY);
            user.files(() -> Files.writeString(mark, version + "\n", StandardOpenOption.CREATE_NEW));
        } catch (IOException e) {
            throw new EngineException("Cannot make " + dataDirectory + ": " + e.getMessage() + ".", e);
        } finally {
            process.destroyForcibly();
        }
    }

    private static void feed(OutputStream out, List<Path> statements) {
        try (out) {
            out.write("CREATE DATABASE IF NOT EXISTS mysql;\nUSE mysql;\nSET @auth_root_socket=NULL;\n"
                    .getBytes(StandardCharsets.UTF_8));
            for (Path file : statements) {
                Files.copy(file, out);
                out.write('\n');
            }
        } catch (IOException e) {
            // The engine has ended; its output has the reason.
            return;
        }
    }

    private static String reason(String output) {
        List<String> lines = output.lines().filter(line -> !line.isBlank()).toList();
        return lines.stream()
                .filter(line -> line.contains("ERROR"))
                .findFirst()
                .orElse(lines.isEmpty() ? "no message" : lines.getLast())
                .strip();
    }

    private static void requireEmpty(Path dataDirectory) throws EngineException {
        try (var entries = Files.list(dataDirectory)) {
            if (entries.findAny().isPresent()) {
                throw new EngineException("The directory " + dataDirectory + " is not empty.");
            }
        } catch (IOException e) {
            throw new EngineException("Cannot look into " + dataDirectory + ": " + e.getMessage() + ".", e);
        }
    }
}
