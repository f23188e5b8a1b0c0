package io.multimed.sql;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** The reviewed list of PostgreSQL's own functions on partial Satellites: {@code functions-on-partials.txt}. */
final class FunctionsOnPartials {
    /** The sections of the list. The file explains each of them. */
    enum Section {
        SAME,
        OTHER
    }

    private static final Map<String, Section> SECTIONS = load();

    private FunctionsOnPartials() {}

    /** Whether a harmless function of this name returns on every partial Satellite what it returns on the Master. */
    static boolean areSame(String name) {
        Section section = SECTIONS.get(name);
        return section == null
                ? BuiltInFunctions.section(name) == BuiltInFunctions.Section.IMMUTABLE
                : section == Section.SAME;
    }

    static Map<String, Section> all() {
        return SECTIONS;
    }

    private static Map<String, Section> load() {
        Map<String, Section> sections = new HashMap<>();
        Section section = Section.OTHER;
        for (String line : BuiltInFunctions.lines("functions-on-partials.txt")) {
            if (line.startsWith("[")) {
                section = Section.valueOf(line.substring(1, line.length() - 1).toUpperCase(Locale.ROOT));
                continue;
            }
            for (String name : line.split(" ")) {
                if (sections.put(name, section) != null) {
                    throw new IllegalStateException(name + " stands twice");
                }
            }
        }
        return Map.copyOf(sections);
    }
}
