package io.multimed.dist;

import com.github.luben.zstd.ZstdOutputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/** A tar archive, compressed, of files that belong to root. All have one time. */
final class TreeArchive implements AutoCloseable {
    private static final int DIRECTORY_MODE = 0755;
    private static final int FILE_MODE = 0644;

    private final TarArchiveOutputStream tar;
    private final FileTime time;
    private final Set<String> directories = new TreeSet<>();

    private TreeArchive(OutputStream out, Instant time) {
        tar = new TarArchiveOutputStream(out, StandardCharsets.UTF_8.name());
        // What dpkg understands of the ways to write a long name.
        tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_GNU);
        this.time = FileTime.from(time);
    }

    /** @param level of zstd, 1 to 22 */
    static TreeArchive create(OutputStream target, int level, Instant time) throws IOException {
        ZstdOutputStream compressed = new ZstdOutputStream(new BufferedOutputStream(target, 1 << 16), level);
        compressed.setWorkers(Runtime.getRuntime().availableProcessors());
        return new TreeArchive(new BufferedOutputStream(compressed, 1 << 16), time);
    }

    /** Archives for a stream that compresses by itself. */
    static TreeArchive over(OutputStream target, Instant time) {
        return new TreeArchive(target, time);
    }

    /** Adds a directory or file, and all below it. */
    void tree(Path source, String name) throws IOException {
        List<Path> paths;
        try (Stream<Path> walk = Files.walk(source)) {
            paths = walk.sorted().toList();
        }
        for (Path path : paths) {
            String relative = source.relativize(path).toString();
            String entry = relative.isEmpty() ? name : name + "/" + relative;
            if (Files.isSymbolicLink(path)) {
                link(entry, Files.readSymbolicLink(path).toString());
            } else if (Files.isDirectory(path)) {
                directory(entry);
            } else {
                parents(entry);
                TarArchiveEntry header = new TarArchiveEntry(entry);
                header.setSize(Files.size(path));
                int mode = (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
                put(header, (mode & 0100) == 0 ? FILE_MODE : DIRECTORY_MODE);
                Files.copy(path, tar);
                tar.closeArchiveEntry();
            }
        }
    }

    void directory(String name) throws IOException {
        if (directories.contains(name)) {
            return;
        }
        parents(name);
        directories.add(name);
        put(new TarArchiveEntry(name + "/"), DIRECTORY_MODE);
        tar.closeArchiveEntry();
    }

    void link(String name, String target) throws IOException {
        parents(name);
        TarArchiveEntry header = new TarArchiveEntry(name, TarConstants.LF_SYMLINK);
        header.setLinkName(target);
        put(header, 0777);
        tar.closeArchiveEntry();
    }

    void file(String name, byte[] content, boolean executable) throws IOException {
        parents(name);
        TarArchiveEntry header = new TarArchiveEntry(name);
        header.setSize(content.length);
        put(header, executable ? DIRECTORY_MODE : FILE_MODE);
        tar.write(content);
        tar.closeArchiveEntry();
    }

    private void parents(String name) throws IOException {
        int slash = name.lastIndexOf('/');
        if (slash > 0) {
            directory(name.substring(0, slash));
        }
    }

    private void put(TarArchiveEntry header, int mode) throws IOException {
        header.setMode(mode);
        header.setIds(0, 0);
        header.setNames("root", "root");
        header.setLastModifiedTime(time);
        tar.putArchiveEntry(header);
    }

    @Override
    public void close() throws IOException {
        tar.close();
    }
}
