package io.multimed.endpoint.pg.hba;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Divides files of rules into lines and words, as PostgreSQL does, and follows their references to other files. */
final class HbaLines {
    /** The depth at which PostgreSQL takes references for a circle (CONF_FILE_MAX_DEPTH). */
    private static final int MOST_NESTED = 10;

    private final List<HbaLine> lines = new ArrayList<>();
    private final List<String> mistakes;

    private HbaLines(List<String> mistakes) {
        this.mistakes = mistakes;
    }

    /** @param mistakes receives what is wrong */
    static List<HbaLine> read(Path file, List<String> mistakes) {
        HbaLines reader = new HbaLines(mistakes);
        reader.file(file, "", 0);
        return reader.lines;
    }

    static List<HbaLine> parse(Path source, String text, List<String> mistakes) {
        HbaLines reader = new HbaLines(mistakes);
        reader.text(source, text, 0);
        return reader.lines;
    }

    /** @param place of the reference to the file */
    private void file(Path file, String place, int depth) {
        try {
            text(file, content(file, depth), depth);
        } catch (IOException e) {
            mistakes.add(place + reason(file, e));
        }
    }

    private static String content(Path file, int depth) throws IOException {
        if (depth > MOST_NESTED) {
            throw new IOException("files refer to each other more than " + MOST_NESTED + " levels deep");
        }
        return Files.readString(file, StandardCharsets.UTF_8);
    }

    private static String reason(Path file, IOException e) {
        return e instanceof NoSuchFileException
                ? file + ": there is no such file"
                : file + ": cannot be read: " + e.getMessage();
    }

    private void text(Path source, String text, int depth) {
        List<String> physical = text.lines().toList();
        int next = 0;
        while (next < physical.size()) {
            int number = next + 1;
            StringBuilder joined = new StringBuilder(physical.get(next++));
            while (!joined.isEmpty() && joined.charAt(joined.length() - 1) == '\\') {
                joined.setLength(joined.length() - 1);
                if (next == physical.size()) {
                    break;
                }
                joined.append(physical.get(next++));
            }
            line(source, number, joined.toString(), depth);
        }
    }

    private void line(Path source, int number, String text, int depth) {
        HbaLine place = new HbaLine(source, number, List.of());
        HbaWords words = new HbaWords(text);
        List<List<HbaToken>> fields = new ArrayList<>();
        for (List<HbaToken> field = field(words, place, depth);
                !field.isEmpty() || words.hasNext();
                field = field(words, place, depth)) {
            fields.add(field);
        }
        if (fields.isEmpty()) {
            return;
        }
        if (fields.size() == 2 && !fields.get(0).isEmpty() && !fields.get(1).isEmpty()) {
            String directive = fields.get(0).getFirst().text();
            if (directive.equals("include")
                    || directive.equals("include_if_exists")
                    || directive.equals("include_dir")) {
                include(
                        directive,
                        source.resolveSibling(fields.get(1).getFirst().text()),
                        place.place(),
                        depth);
                return;
            }
        }
        lines.add(new HbaLine(source, number, List.copyOf(fields)));
    }

    /** Reads words up to one that no comma follows. A word that begins with @ stands for those in a file. */
    private List<HbaToken> field(HbaWords words, HbaLine place, int depth) {
        List<HbaToken> field = new ArrayList<>();
        boolean more = words.hasNext();
        while (more) {
            HbaToken word = words.next();
            more = words.endedWithComma() && words.hasNext();
            if (!word.quoted() && word.text().length() > 1 && word.text().startsWith("@")) {
                field.addAll(list(place.file().resolveSibling(word.text().substring(1)), place.place(), depth + 1));
            } else {
                field.add(word);
            }
        }
        return field;
    }

    private List<HbaToken> list(Path file, String place, int depth) {
        List<HbaToken> all = new ArrayList<>();
        try {
            HbaLine here = new HbaLine(file, 1, List.of());
            for (String line : content(file, depth).lines().toList()) {
                HbaWords words = new HbaWords(line);
                while (words.hasNext()) {
                    all.addAll(field(words, here, depth));
                }
            }
        } catch (IOException e) {
            mistakes.add(place + reason(file, e));
        }
        return all;
    }

    private void include(String directive, Path named, String place, int depth) {
        switch (directive) {
            case "include_dir" -> {
                try (Stream<Path> listed = Files.list(named)) {
                    listed.filter(HbaLines::isIncluded).sorted().forEach(file -> file(file, place, depth + 1));
                } catch (IOException e) {
                    mistakes.add(place + reason(named, e));
                }
            }
            case "include_if_exists" -> {
                if (Files.exists(named)) {
                    file(named, place, depth + 1);
                }
            }
            default -> file(named, place, depth + 1);
        }
    }

    private static boolean isIncluded(Path file) {
        String name = file.getFileName().toString();
        return name.endsWith(".conf") && !name.startsWith(".") && !Files.isDirectory(file);
    }
}
