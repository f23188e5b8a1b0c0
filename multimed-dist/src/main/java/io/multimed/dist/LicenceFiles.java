package io.multimed.dist;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** The licences of everything in a distribution; those of the runtime are in its own directory {@code legal}. */
final class LicenceFiles {
    private static final Pattern IN_JAR = Pattern.compile("(META-INF/)?(LICEN[CS]E|NOTICE|COPYING)(\\.(txt|md))?");
    private static final String APACHE = "LICENSE";

    /** Libraries whose jars have no licence in them, by the beginning of their names, with the files that contain it. */
    private static final Map<String, List<String>> ELSEWHERE = new LinkedHashMap<>();

    static {
        ELSEWHERE.put("multimed-", List.of(APACHE));
        ELSEWHERE.put("netty-", List.of(APACHE));
        ELSEWHERE.put("prometheus-metrics-exposition-formats-", List.of(APACHE, "protobuf.txt"));
        ELSEWHERE.put("prometheus-metrics-", List.of(APACHE));
        ELSEWHERE.put("opentelemetry-", List.of(APACHE));
        ELSEWHERE.put("jspecify-", List.of(APACHE));
        ELSEWHERE.put("tomlj-", List.of(APACHE));
        ELSEWHERE.put("uplot-", List.of("uPlot.txt"));
        ELSEWHERE.put("antlr4-runtime-", List.of("antlr4.txt"));
        // Its choice: LGPL or Apache.
        ELSEWHERE.put("jsqlparser-", List.of(APACHE));
    }

    /** The licences of PostgreSQL's programs and of the libraries beside them. */
    private static final List<String> POSTGRESQL =
            List.of("PostgreSQL.txt", "ICU.txt", "OpenSSL.txt", "libxml2-libxslt.txt", "zlib-liblzma-uuid.txt");

    private final Path checkout;
    private final Path target;

    /** @param checkout its own licence is that of Apache, too */
    LicenceFiles(Path checkout, Path target) {
        this.checkout = checkout;
        this.target = target;
    }

    void ofPostgresql() throws IOException {
        write("postgresql", POSTGRESQL);
    }

    /** @throws DistException if nobody has said what the licence is */
    void of(Path jar) throws IOException, DistException {
        String name = jar.getFileName().toString();
        String library = name.replaceFirst("\\.jar$", "");
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            List<? extends ZipEntry> own = Collections.list(zip.entries()).stream()
                    .filter(entry -> IN_JAR.matcher(entry.getName()).matches())
                    .toList();
            for (ZipEntry entry : own) {
                Path file = Path.of(entry.getName()).getFileName();
                Files.createDirectories(target.resolve(library));
                try (InputStream in = zip.getInputStream(entry)) {
                    Files.copy(in, target.resolve(library).resolve(String.valueOf(file)));
                }
            }
            if (!own.isEmpty()) {
                return;
            }
        }
        write(
                library,
                ELSEWHERE.entrySet().stream()
                        .filter(known -> name.startsWith(known.getKey()))
                        .map(Map.Entry::getValue)
                        .findFirst()
                        .orElseThrow(() -> new DistException(
                                name + " has no licence in it, and LicenceFiles does not say which one it is")));
    }

    private void write(String what, List<String> texts) throws IOException {
        Path directory = Files.createDirectories(target.resolve(what));
        for (String text : texts) {
            if (text.equals(APACHE)) {
                Files.copy(checkout.resolve(APACHE), directory.resolve(APACHE));
            } else {
                Files.writeString(directory.resolve(text), DistResources.text("licences/" + text));
            }
        }
    }
}
