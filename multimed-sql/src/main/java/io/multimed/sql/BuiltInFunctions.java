package io.multimed.sql;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The reviewed list of PostgreSQL's own functions: {@code built-in-functions.txt}. */
final class BuiltInFunctions {
    /** The sections of the list. The file explains each of them. */
    enum Section {
        IMMUTABLE,
        REVIEWED,
        MOMENT,
        MASTER,
        WRITES,
        PRIVATE,
        HIDDEN,
        SETTINGS,
        OPAQUE,
        INTERNAL;

        /** Whether functions of this section are on the allow-list. */
        boolean harmless() {
            return lasting() || this == MOMENT;
        }

        /** Whether functions of this section are harmless and return the same at any time while the data is the same. */
        boolean lasting() {
            return this == IMMUTABLE || this == REVIEWED;
        }
    }

    private static final Map<String, Section> SECTIONS = load();

    private BuiltInFunctions() {}

    /** Returns the section of a name without schema; null if PostgreSQL has no function of that name. */
    static @Nullable Section section(String name) {
        return SECTIONS.get(name);
    }

    static boolean harmless(String name) {
        Section section = SECTIONS.get(name);
        return section != null && section.harmless();
    }

    static Map<String, Section> all() {
        return SECTIONS;
    }

    private static Map<String, Section> load() {
        Map<String, Section> sections = new HashMap<>();
        Section section = Section.INTERNAL;
        for (String line : lines("built-in-functions.txt")) {
            if (line.startsWith("[")) {
                section = Section.valueOf(line.substring(1, line.length() - 1).toUpperCase(Locale.ROOT));
                continue;
            }
            for (String name : line.split(" ")) {
                Section other = sections.put(name, section);
                if (other != null) {
                    throw new IllegalStateException(name + " stands twice: in " + other + " and " + section);
                }
            }
        }
        return Map.copyOf(sections);
    }

    /** Returns the lines of a resource beside this class, without comments and empty lines. */
    static Iterable<String> lines(String resource) {
        try (InputStream in = Objects.requireNonNull(BuiltInFunctions.class.getResourceAsStream(resource), resource);
                BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            return reader.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
