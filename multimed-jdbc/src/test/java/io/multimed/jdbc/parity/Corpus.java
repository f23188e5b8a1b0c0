package io.multimed.jdbc.parity;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** A file of features: a name, {@code =>}, statements separated by {@code ;;}. */
final class Corpus {
    record Feature(String name, List<String> statements) {
        @Override
        public String toString() {
            return name;
        }
    }

    private Corpus() {}

    static List<Feature> read(String resource) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(Corpus.class.getResourceAsStream(resource)), StandardCharsets.UTF_8))) {
            return lines.lines()
                    .filter(line -> !line.startsWith("#") && !line.isBlank())
                    .map(Corpus::feature)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Feature feature(String line) {
        int arrow = line.indexOf(" => ");
        return new Feature(
                line.substring(0, arrow),
                List.of(line.substring(arrow + 4).split(";;", -1)).stream()
                        .map(String::strip)
                        .toList());
    }
}
