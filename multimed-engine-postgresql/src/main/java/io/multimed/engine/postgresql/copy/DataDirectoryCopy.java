package io.multimed.engine.postgresql.copy;

import io.multimed.core.spi.CopyProgress;
import io.multimed.core.spi.EngineException;
import io.multimed.engine.files.NoRoomException;
import io.multimed.engine.postgresql.NodeAddress;
import io.multimed.engine.postgresql.catalog.AdminConnection;
import io.multimed.engine.process.CoreBinding;
import io.multimed.engine.process.EngineUser;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;

/**
 * One copy of a running Master's data directory.
 *
 * <p>The copy is an online backup: between its start and its end the Master logs whole pages, so files may be copied while they
 * are written. The log since the backup's start completes the copy, which itself holds no log. No commit waits for the copy,
 * and the end of the backup waits for nothing.
 *
 * @param master where the Master listens
 * @param superuser a role that may run backups
 * @param source the Master's data directory, only read
 * @param target made by the copy; must not exist
 * @param tablespaces made if there are tablespaces; must not exist
 * @param major the Master's release
 * @param leftOut files that the copy lacks
 * @param user owns the copy
 * @param binding where the copying threads run and the memory of a copy in tmpfs comes from
 */
public record DataDirectoryCopy(
        NodeAddress master,
        String superuser,
        Path source,
        Path target,
        Path tablespaces,
        int major,
        LeftOutFiles leftOut,
        EngineUser user,
        CoreBinding binding) {
    private static final FileAttribute<?> DIRECTORY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");

    /** Returns the size in bytes that a copy would have now. */
    public long estimate() throws EngineException {
        return CopyPlan.of(source, target, tablespaces, major, leftOut).bytes();
    }

    /**
     * Makes the copy; blocks until it is complete.
     *
     * @param progress called by the copying threads
     * @throws EngineException if it could not be completed; nothing of it is left then, as after an interrupt. A
     *     {@link NoRoomException} where it became full
     */
    public void run(CopyProgress progress) throws EngineException, InterruptedException {
        boolean complete = false;
        try (Connection connection = AdminConnection.open(master, superuser, "postgres")) {
            startBackup(connection);
            CopyPlan plan = CopyPlan.of(source, target, tablespaces, major, leftOut);
            makeDirectories(plan);
            new FileCopier(plan, user, progress).run(binding);
            // The control file comes last, as with pg_basebackup: it must not be older than any page that was copied.
            write(
                    target.resolve(CopyPlan.CONTROL_FILE),
                    ControlFileCopy.read(source.resolve(CopyPlan.CONTROL_FILE), user));
            write(target.resolve("backup_label"), endBackup(connection));
            complete = true;
        } catch (ClosedByInterruptException e) {
            throw new InterruptedException();
        } catch (IOException e) {
            throw NoRoomException.ifFull(target, "Cannot copy the Master's data to " + target + ": " + e + ".", e);
        } catch (SQLException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            throw new EngineException("The Master's online backup failed: " + e.getMessage() + ".", e);
        } finally {
            if (!complete) {
                delete(target, user);
                delete(tablespaces, user);
            }
        }
    }

    private static void startBackup(Connection connection) throws SQLException {
        // A fast start does not spread the checkpoint over minutes. The backup ends with the connection, however that
        // ends.
        try (PreparedStatement start = connection.prepareStatement("SELECT pg_backup_start('multimed', true)")) {
            start.execute();
        }
    }

    /**
     * Ends the backup.
     *
     * @return the content of backup_label, which contains the position at which recovery begins. The tablespace map is not
     *     used, since the links are made anew, to other places.
     */
    private static byte[] endBackup(Connection connection) throws SQLException {
        try (PreparedStatement stop = connection.prepareStatement("SELECT labelfile FROM pg_backup_stop(false)");
                ResultSet rows = stop.executeQuery()) {
            if (!rows.next()) {
                throw new SQLException("no backup label");
            }
            return rows.getBytes(1);
        }
    }

    private void makeDirectories(CopyPlan plan) throws IOException {
        for (Path directory : plan.directories()) {
            user.files(() -> Files.createDirectory(directory, DIRECTORY));
        }
        for (Map.Entry<Path, Path> link : plan.links().entrySet()) {
            Path own = link.getKey();
            Path place = link.getValue();
            user.files(() -> Files.createSymbolicLink(own, place));
        }
    }

    private void write(Path file, byte[] content) throws IOException {
        user.files(
                () -> Files.setPosixFilePermissions(Files.write(file, content, StandardOpenOption.CREATE_NEW), FILE));
    }

    private static void delete(Path tree, EngineUser user) {
        try {
            user.deleteTree(tree);
        } catch (IOException e) {
            // The next copy tries again and then reports the reason.
            return;
        }
    }
}
