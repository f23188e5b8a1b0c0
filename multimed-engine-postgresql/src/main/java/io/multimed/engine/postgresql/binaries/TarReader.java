package io.multimed.engine.postgresql.binaries;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/**
 * Unpacks the plain ustar archives in which PostgreSQL's programs come: directories, files and relative links.
 *
 * <p>These sixty lines replace a library with four dependencies. Any other kind of entry is refused, and so is every name that
 * leads out of the target.
 */
final class TarReader {
    private static final int BLOCK = 512;

    private final InputStream in;
    private final Path target;

    TarReader(InputStream in, Path target) {
        this.in = in;
        this.target = target;
    }

    void unpack() throws IOException {
        byte[] header = new byte[BLOCK];
        while (in.readNBytes(header, 0, BLOCK) == BLOCK && header[0] != 0) {
            String prefix = text(header, 345, 155);
            String name = (prefix.isEmpty() ? "" : prefix + "/") + text(header, 0, 100);
            int mode = (int) octal(header, 100, 8);
            long size = octal(header, 124, 12);
            Path path = inside(target.resolve(name));
            switch (header[156]) {
                case '5' -> {
                    Files.createDirectories(path);
                    // The permissions are set again, because creation is subject to the umask.
                    Files.setPosixFilePermissions(path, permissions(0755));
                }
                case '2' -> {
                    Path link = Path.of(text(header, 157, 100));
                    inside(path.resolveSibling(link));
                    Files.createDirectories(parent(path));
                    Files.createSymbolicLink(path, link);
                }
                case '0', 0 -> {
                    Files.createDirectories(parent(path));
                    file(path, size);
                    Files.setPosixFilePermissions(path, permissions(mode));
                }
                default -> throw new IOException("unexpected entry in archive: " + name);
            }
        }
    }

    private void file(Path path, long size) throws IOException {
        try (var out = Files.newOutputStream(path)) {
            byte[] buffer = new byte[1 << 16];
            for (long left = size; left > 0; ) {
                int read = in.read(buffer, 0, (int) Math.min(left, buffer.length));
                if (read < 0) {
                    throw new EOFException("archive ends within " + path.getFileName());
                }
                out.write(buffer, 0, read);
                left -= read;
            }
        }
        in.skipNBytes((BLOCK - size % BLOCK) % BLOCK);
    }

    private Path inside(Path path) throws IOException {
        Path normal = path.normalize();
        if (!normal.startsWith(target)) {
            throw new IOException("archive entry leads out of its directory: " + path);
        }
        return normal;
    }

    private static Path parent(Path path) throws IOException {
        Path parent = path.getParent();
        if (parent == null) {
            throw new IOException("archive entry without a name");
        }
        return parent;
    }

    /**
     * Returns the permissions of an unpacked file: all users may read it, and execute it if the archive lets its owner do so.
     * The user that runs the engines needs both.
     */
    private static Set<PosixFilePermission> permissions(int mode) {
        Set<PosixFilePermission> permissions = EnumSet.of(
                PosixFilePermission.OWNER_READ,
                PosixFilePermission.OWNER_WRITE,
                PosixFilePermission.GROUP_READ,
                PosixFilePermission.OTHERS_READ);
        if ((mode & 0100) != 0) {
            permissions.addAll(EnumSet.of(
                    PosixFilePermission.OWNER_EXECUTE,
                    PosixFilePermission.GROUP_EXECUTE,
                    PosixFilePermission.OTHERS_EXECUTE));
        }
        return permissions;
    }

    private static String text(byte[] header, int offset, int length) {
        int end = offset;
        while (end < offset + length && header[end] != 0) {
            end++;
        }
        return new String(header, offset, end - offset, StandardCharsets.UTF_8);
    }

    private static long octal(byte[] header, int offset, int length) throws IOException {
        String digits = text(header, offset, length).strip();
        try {
            return digits.isEmpty() ? 0 : Long.parseLong(digits, 8);
        } catch (NumberFormatException e) {
            throw new IOException("not a number in archive: " + digits, e);
        }
    }
}
