package io.multimed.engine.postgresql.copy;

import io.multimed.core.spi.EngineException;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The files of a data directory that are to be copied, and their targets, as found at one moment. One thread.
 *
 * <p>Links are followed in the search, never copied: a copied link would let the Satellite write into the Master's files. Those
 * of tablespaces are made anew, towards directories of the Satellite's own.
 */
final class CopyPlan {
    static final Path CONTROL_FILE = Path.of("global", "pg_control");

    /**
     * A file to copy.
     *
     * @param size in bytes when it was found; changes beyond it come with the log
     */
    record Item(Path source, Path target, long size) {}

    private final Path source;
    private final Path target;
    private final Path tablespaces;
    private final String releasePrefix;
    private final LeftOutFiles leftOut;
    private final List<Item> files = new ArrayList<>();
    private final List<Path> directories = new ArrayList<>();
    private final Map<Path, Path> links = new LinkedHashMap<>();
    private long bytes;

    private CopyPlan(Path source, Path target, Path tablespaces, int major, LeftOutFiles leftOut) {
        this.source = source;
        this.target = target;
        this.tablespaces = tablespaces;
        this.releasePrefix = "PG_" + major + "_";
        this.leftOut = leftOut;
    }

    /**
     * Makes the plan for a data directory.
     *
     * @param tablespaces where the copy keeps the tablespaces that lie outside the data directory
     * @param major of the cluster: a tablespace's directory may serve clusters of several releases
     */
    static CopyPlan of(Path source, Path target, Path tablespaces, int major, LeftOutFiles leftOut)
            throws EngineException {
        CopyPlan plan = new CopyPlan(source, target, tablespaces, major, leftOut);
        try {
            plan.lookAtTop();
        } catch (IOException | DirectoryIteratorException e) {
            throw new EngineException("Cannot read the Master's data directory " + source + ": " + e + ".", e);
        }
        plan.files.sort(Comparator.comparingLong(Item::size).reversed());
        return plan;
    }

    /** Returns the files without the control file, largest first, so that two threads end at about the same time. */
    List<Item> files() {
        return files;
    }

    /** Returns the directories to make, parents before children. */
    List<Path> directories() {
        return directories;
    }

    /** Returns the symbolic links to make: the link, and its target. */
    Map<Path, Path> links() {
        return links;
    }

    long bytes() {
        return bytes;
    }

    private void lookAtTop() throws IOException {
        directories.add(target);
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(source)) {
            for (Path entry : entries) {
                String name = entry.getFileName().toString();
                Path copy = target.resolve(name);
                if (!Files.isDirectory(entry)) {
                    if (CopyRules.copiesTopFile(name)) {
                        file(entry, copy);
                    }
                } else if (CopyRules.copiesEmpty(name)) {
                    directories.add(copy);
                } else if (name.equals("pg_tblspc")) {
                    directories.add(copy);
                    lookAtTablespaces(entry, copy);
                } else if (!CopyRules.copiesNothingOf(name) && CopyRules.copiesFile(name)) {
                    directory(entry, copy);
                }
            }
        }
        directories.add(target.resolve("pg_wal").resolve("archive_status"));
    }

    private void lookAtTablespaces(Path entry, Path copy) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(entry)) {
            for (Path tablespace : entries) {
                String oid = tablespace.getFileName().toString();
                if (!Files.isSymbolicLink(tablespace)) {
                    // An in-place tablespace lies within the data directory.
                    directory(tablespace, copy.resolve(oid));
                    continue;
                }
                if (directories.stream().noneMatch(tablespaces::equals)) {
                    directories.add(tablespaces);
                }
                Path own = tablespaces.resolve(oid);
                directories.add(own);
                links.put(copy.resolve(oid), own);
                try (DirectoryStream<Path> releases = Files.newDirectoryStream(tablespace, releasePrefix + "*")) {
                    for (Path release : releases) {
                        directory(release, own.resolve(release.getFileName().toString()));
                    }
                }
            }
        }
    }

    private void directory(Path directory, Path copy) throws IOException {
        List<Path> entries = new ArrayList<>();
        Set<String> initForks = new HashSet<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
            for (Path entry : stream) {
                String name = entry.getFileName().toString();
                String unlogged = CopyRules.initForkOf(name);
                if (unlogged != null) {
                    initForks.add(unlogged);
                }
                if (CopyRules.copiesFile(name) && !leftOut.contains(directory, name)) {
                    entries.add(entry);
                }
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            // A database was dropped meanwhile; the log contains that, too.
            return;
        }
        directories.add(copy);
        for (Path entry : entries) {
            String name = entry.getFileName().toString();
            if (!CopyRules.isUnlogged(name, initForks)) {
                file(entry, copy.resolve(name));
            }
        }
    }

    /** Adds a file, or a directory below the first level. */
    private void file(Path entry, Path copy) throws IOException {
        BasicFileAttributes attributes;
        try {
            attributes = Files.readAttributes(entry, BasicFileAttributes.class);
        } catch (NoSuchFileException e) {
            return;
        }
        if (attributes.isDirectory()) {
            directory(entry, copy);
        } else if (attributes.isRegularFile() && !copy.equals(target.resolve(CONTROL_FILE))) {
            files.add(new Item(entry, copy, attributes.size()));
            bytes += attributes.size();
        }
    }
}
