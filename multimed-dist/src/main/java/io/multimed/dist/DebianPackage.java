package io.multimed.dist;

import io.multimed.cli.command.Program;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.ar.ArArchiveEntry;
import org.apache.commons.compress.archivers.ar.ArArchiveOutputStream;

/**
 * A Debian package of a distribution, see deb(5). It is made without dpkg.
 *
 * <p>The distribution lies in {@code /usr/lib/multimed}. Manual page, completions, unit and configuration lie where the system looks
 * for them.
 */
final class DebianPackage {
    private static final String HOME = "./usr/lib/multimed";
    private static final String DOC = "./usr/share/doc/multimed";
    private static final String CONFIGURATION = "/etc/multimed/multimed.toml";
    private static final List<String> SCRIPTS = List.of("postinst", "prerm", "postrm");
    private static final int KILOBYTE = 1024;

    private final Distribution distribution;
    /** Trees of the distribution, and where they go. */
    private final Map<String, Path> trees = new TreeMap<>();

    private final Map<String, byte[]> files = new TreeMap<>();

    private DebianPackage(Distribution distribution) {
        this.distribution = distribution;
    }

    /** @param level of zstd */
    static Path make(Distribution distribution, int level) throws IOException {
        DebianPackage made = new DebianPackage(distribution);
        made.choose();
        return made.write(level);
    }

    static String version() {
        // A version with a tilde comes before the one without.
        return Program.VERSION.toLowerCase(Locale.ROOT).replace("-snapshot", "~snapshot");
    }

    private void choose() throws IOException {
        Path from = distribution.directory();
        for (String part : List.of("bin", "lib", "runtime", "engines")) {
            trees.put(HOME + "/" + part, from.resolve(part));
        }
        trees.put(DOC + "/licences", from.resolve("licences"));
        files.put(DOC + "/copyright", Files.readAllBytes(from.resolve("LICENSE")));
        files.put("./usr/share/man/man1/multimed.1.gz", compressed(from.resolve("share/man/man1/multimed.1")));
        trees.put(
                "./usr/share/bash-completion/completions/multimed",
                from.resolve("share/bash-completion/completions/multimed"));
        trees.put("./usr/share/zsh/vendor-completions/_multimed", from.resolve("share/zsh/site-functions/_multimed"));
        trees.put("." + CONFIGURATION, from.resolve("multimed.toml"));
        files.put("./usr/lib/systemd/system/multimed.service", resource("debian/multimed.service"));
    }

    private Path write(int level) throws IOException {
        Path file = distribution
                .directory()
                .resolveSibling("multimed_" + version() + "_" + distribution.platform().debian + ".deb");
        Path data = Files.createTempFile("multimed-dist", ".data");
        try {
            try (TreeArchive archive = TreeArchive.create(
                    Files.newOutputStream(data), level, distribution.source().time())) {
                archive.directory(".");
                for (Map.Entry<String, Path> tree : trees.entrySet()) {
                    archive.tree(tree.getValue(), tree.getKey());
                }
                for (Map.Entry<String, byte[]> small : files.entrySet()) {
                    archive.file(small.getKey(), small.getValue(), false);
                }
                archive.link("./usr/bin/multimed", "../lib/multimed/bin/multimed");
            }
            try (ArArchiveOutputStream archive = new ArArchiveOutputStream(Files.newOutputStream(file))) {
                member(archive, "debian-binary", "2.0\n".getBytes(StandardCharsets.US_ASCII));
                member(archive, "control.tar.gz", control());
                archive.putArchiveEntry(entry("data.tar.zst", Files.size(data)));
                Files.copy(data, archive);
                archive.closeArchiveEntry();
            }
        } finally {
            Files.delete(data);
        }
        return file;
    }

    private byte[] control() throws IOException {
        long bytes = 0;
        StringBuilder sums = new StringBuilder();
        for (Map.Entry<String, Path> tree : trees.entrySet()) {
            try (Stream<Path> walk = Files.walk(tree.getValue())) {
                for (Path path : walk.sorted().toList()) {
                    if (Files.isRegularFile(path, java.nio.file.LinkOption.NOFOLLOW_LINKS)) {
                        String below = tree.getValue().relativize(path).toString();
                        String name = below.isEmpty() ? tree.getKey() : tree.getKey() + "/" + below;
                        bytes += Files.size(path);
                        sums.append(sum(Files.readAllBytes(path), name));
                    }
                }
            }
        }
        for (Map.Entry<String, byte[]> small : files.entrySet()) {
            bytes += small.getValue().length;
            sums.append(sum(small.getValue(), small.getKey()));
        }
        String control = DistResources.text("debian/control")
                .replace("@VERSION@", version())
                .replace("@ARCHITECTURE@", distribution.platform().debian)
                .replace("@KILOBYTES@", Long.toString(bytes / KILOBYTE));
        ByteArrayOutputStream buffer = new ByteArrayOutputStream();
        try (TreeArchive archive = TreeArchive.over(
                new GZIPOutputStream(buffer), distribution.source().time())) {
            archive.directory(".");
            archive.file("./control", control.getBytes(StandardCharsets.UTF_8), false);
            archive.file("./conffiles", (CONFIGURATION + "\n").getBytes(StandardCharsets.UTF_8), false);
            archive.file("./md5sums", sums.toString().getBytes(StandardCharsets.UTF_8), false);
            for (String script : SCRIPTS) {
                archive.file("./" + script, resource("debian/" + script), true);
            }
        }
        return buffer.toByteArray();
    }

    private void member(ArArchiveOutputStream archive, String name, byte[] content) throws IOException {
        archive.putArchiveEntry(entry(name, content.length));
        archive.write(content);
        archive.closeArchiveEntry();
    }

    private ArArchiveEntry entry(String name, long size) {
        return new ArArchiveEntry(
                name, size, 0, 0, 0100644, distribution.source().time().getEpochSecond());
    }

    /** dpkg compares the installed files with these sums; the format knows no other ones. */
    private static String sum(byte[] content, String name) {
        try {
            byte[] digest = MessageDigest.getInstance("MD5").digest(content);
            return HexFormat.of().formatHex(digest) + "  " + name.substring(2) + "\n";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has MD5", e);
        }
    }

    private static byte[] compressed(Path file) throws IOException {
        ByteArrayOutputStream buffer = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(buffer)) {
            Files.copy(file, gzip);
        }
        return buffer.toByteArray();
    }

    private static byte[] resource(String name) throws IOException {
        return DistResources.text(name).getBytes(StandardCharsets.UTF_8);
    }
}
