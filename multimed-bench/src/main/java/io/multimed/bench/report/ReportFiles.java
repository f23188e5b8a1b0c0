package io.multimed.bench.report;

import io.multimed.bench.BenchException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A page that needs no other file; its pictures and tables are also available separately.
 *
 * @param pictures SVG by name, without an ending
 * @param tables text by the name of its file
 */
public record ReportFiles(String page, Map<String, String> pictures, Map<String, String> tables) {
    public ReportFiles {
        pictures = Collections.unmodifiableMap(new LinkedHashMap<>(pictures));
        tables = Collections.unmodifiableMap(new LinkedHashMap<>(tables));
    }

    /**
     * Writes {@code NAME.html}, and its pictures and tables into a directory {@code NAME}, whose earlier ones are deleted.
     *
     * @return the page
     */
    public Path write(Path directory, String name) throws BenchException {
        Path page = directory.resolve(name + ".html");
        Path beside = directory.resolve(name);
        try {
            Files.writeString(page, this.page);
            if (Files.isDirectory(beside)) {
                removeEarlier(beside);
            }
            if (!pictures.isEmpty() || !tables.isEmpty()) {
                Files.createDirectories(beside);
            }
            for (Map.Entry<String, String> picture : pictures.entrySet()) {
                // A page knows what SVG is, a file has to say so.
                String file = picture.getValue().replaceFirst("<svg ", "<svg xmlns=\"http://www.w3.org/2000/svg\" ");
                Files.writeString(beside.resolve(picture.getKey() + ".svg"), file + "\n");
            }
            for (Map.Entry<String, String> table : tables.entrySet()) {
                Files.writeString(beside.resolve(table.getKey()), table.getValue());
            }
            return page;
        } catch (IOException e) {
            throw new BenchException("cannot write " + page + ": " + e, e);
        }
    }

    /** Removes earlier pictures and tables, which a reader would take for those of this page. */
    private static void removeEarlier(Path beside) throws IOException {
        try (DirectoryStream<Path> earlier = Files.newDirectoryStream(beside, "*.{svg,png,csv,md}")) {
            for (Path file : earlier) {
                Files.delete(file);
            }
        }
    }
}
