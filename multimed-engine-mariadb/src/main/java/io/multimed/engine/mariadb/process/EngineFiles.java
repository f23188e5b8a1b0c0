package io.multimed.engine.mariadb.process;

import io.multimed.core.spi.EngineException;
import io.multimed.engine.process.EngineUser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32;

/**
 * A node's private directory: its socket, its settings file, and the statements that it executes when it starts.
 *
 * <p>Its mode, 0700, keeps other users away from the engine.
 *
 * @param directory as {@link #place} gives it
 */
public record EngineFiles(Path directory, EngineUser user) {
    /** The length of sun_path on Linux, less the final NUL. */
    private static final int LONGEST_SOCKET_PATH = 107;

    private static final String SOCKET = "engine.sock";
    private static final Set<PosixFilePermission> OWNERS_ALONE = PosixFilePermissions.fromString("rw-------");

    /** Returns the files in the preferred directory, or below {@code /tmp} if a socket's path would be too long or out of reach. */
    public static EngineFiles place(Path preferred, EngineUser user) {
        Path absolute = preferred.toAbsolutePath().normalize();
        String socket = absolute.resolve(SOCKET).toString();
        if (socket.getBytes(StandardCharsets.UTF_8).length <= LONGEST_SOCKET_PATH && reaches(user, absolute)) {
            return new EngineFiles(absolute, user);
        }
        CRC32 crc = new CRC32();
        crc.update(absolute.toString().getBytes(StandardCharsets.UTF_8));
        return new EngineFiles(Path.of("/tmp", String.format("multimed-%d-%08x", user.uid(), crc.getValue())), user);
    }

    private static boolean reaches(EngineUser user, Path directory) {
        try {
            user.requireReach("The directory", directory);
            return true;
        } catch (EngineException e) {
            return false;
        }
    }

    public Path socket() {
        return directory.resolve(SOCKET);
    }

    public Path settings() {
        return directory.resolve("my.cnf");
    }

    Path statements() {
        return directory.resolve("start.sql");
    }

    /** Makes the directory if it is missing. */
    public void make() throws EngineException {
        user.privateDirectory(directory);
    }

    /** Writes the settings file. Its directory must exist. */
    public void writeSettings(Map<String, String> settings) throws EngineException {
        StringBuilder text = new StringBuilder("# Written by Multimed at each start.\n[mariadbd]\n");
        settings.forEach((name, value) ->
                text.append(name).append(" = ").append(quoted(value)).append('\n'));
        write(settings(), text.toString());
    }

    /** Returns a value as settings files have it: quoted, since a number sign would begin a comment. */
    private static String quoted(String value) {
        if (value.indexOf('\n') >= 0) {
            throw new IllegalArgumentException("a setting's value with more than one line");
        }
        return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** Writes the statements that the engine executes before it accepts connections, one a line. */
    void writeStatements(String text) throws EngineException {
        write(statements(), text);
    }

    /** Writes a certificate and its key, which the settings then name. */
    void writeCertificate(Map<String, String> settings) throws EngineException {
        SocketCertificate made = SocketCertificate.make();
        Path certificate = directory.resolve("engine.crt");
        Path key = directory.resolve("engine.key");
        write(certificate, made.certificate());
        write(key, made.key());
        settings.put("ssl_cert", certificate.toString());
        settings.put("ssl_key", key.toString());
    }

    /** Deletes the statements, which contain a password. */
    void deleteStatements() throws EngineException {
        Path file = statements();
        try {
            user.files(() -> Files.deleteIfExists(file));
        } catch (IOException e) {
            throw new EngineException("Cannot delete " + file + ": " + e + ".", e);
        }
    }

    private void write(Path file, String content) throws EngineException {
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        try {
            user.files(() -> {
                Files.deleteIfExists(fresh);
                Files.createFile(fresh, PosixFilePermissions.asFileAttribute(OWNERS_ALONE));
                Files.writeString(fresh, content, StandardOpenOption.WRITE);
                return Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
            });
        } catch (IOException e) {
            throw new EngineException("Cannot write " + file + ": " + e + ".", e);
        }
    }
}
