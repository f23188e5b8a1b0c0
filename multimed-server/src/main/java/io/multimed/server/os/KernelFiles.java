package io.multimed.server.os;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Reader for small files of the kernel, below a root directory. A missing or unreadable file yields an empty result. */
public final class KernelFiles {
    private static final int LONGEST = 16 << 20;

    private final Path root;

    public KernelFiles(Path root) {
        this.root = root;
    }

    /** Returns the text of a file given by its absolute path, without surrounding blanks. */
    public Optional<String> text(String path) {
        // Not Files.readString: it reads one byte of a file without a known size, and the rest of a number in /proc/sys
        // is
        // then at an end.
        try (InputStream in = new FileInputStream(below(path).toFile())) {
            return Optional.of(new String(in.readNBytes(LONGEST), StandardCharsets.UTF_8).strip());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    List<String> lines(String path) {
        return text(path).map(text -> text.lines().toList()).orElse(List.of());
    }

    /** Returns the number in a file. Values above {@code Long.MAX_VALUE}, and words such as "max", are not numbers. */
    OptionalLong number(String path) {
        String text = text(path).orElse("");
        return text.matches("-?[0-9]{1,18}") ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
    }

    /** Returns a number of bytes from a file with lines such as {@code MemTotal: 123 kB} or {@code Node 0 MemTotal: 123 kB}. */
    OptionalLong kilobytes(String path, String key) {
        for (String line : lines(path)) {
            int at = line.indexOf(key);
            String digits = at < 0 ? "" : line.substring(at + key.length()).replaceAll("[^0-9]", "");
            if (!digits.isEmpty()) {
                return OptionalLong.of(Long.parseLong(digits) * 1024);
            }
        }
        return OptionalLong.empty();
    }

    /** Returns the names in a directory that match {@code pattern}. */
    List<String> names(String directory, String pattern) {
        try (Stream<Path> entries = Files.list(below(directory))) {
            return entries.map(entry -> entry.getFileName().toString())
                    .filter(name -> name.matches(pattern))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    private Path below(String path) {
        return root.resolve(path.substring(1));
    }
}
