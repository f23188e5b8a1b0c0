package io.multimed.sql;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The reviewed list of functions of the extensions that come with PostgreSQL: {@code extension-functions.txt}. */
final class ExtensionFunctions {
    /** The sections of the list. The file explains each of them. */
    enum Section {
        LASTING,
        MOMENT,
        UNSAFE,
        HIDDEN;

        /** Whether functions of this section are on the allow-list. */
        boolean harmless() {
            return this == LASTING || this == MOMENT;
        }
    }

    /**
     * A function of an extension.
     *
     * @param signature the function's name and the types of its arguments
     * @param language as in {@link UserFunction}
     */
    record Listed(String extension, String signature, char language) {
        String name() {
            return signature.substring(0, signature.indexOf('('));
        }
    }

    private static final Map<Listed, Section> SECTIONS = load();
    /**
     * Names with at least one listed form that is unsafe. Other versions of the extension may have other forms, so unlisted forms
     * of these names count as unsafe too.
     */
    private static final Set<String> UNSAFE_NAMES = unsafeNames();

    private ExtensionFunctions() {}

    /** Returns the section of a function of this name; null if it is on no list. */
    static @Nullable Section section(String name, UserFunction function) {
        String extension = function.extension();
        if (extension.isEmpty()) {
            return null;
        }
        Section section =
                SECTIONS.get(new Listed(extension, name + '(' + function.arguments() + ')', function.language()));
        return section == null && UNSAFE_NAMES.contains(extension + ' ' + name) ? Section.UNSAFE : section;
    }

    static Map<Listed, Section> all() {
        return SECTIONS;
    }

    private static Map<Listed, Section> load() {
        Map<Listed, Section> sections = new HashMap<>();
        Section section = Section.UNSAFE;
        for (String line : BuiltInFunctions.lines("extension-functions.txt")) {
            if (line.startsWith("[")) {
                section = Section.valueOf(line.substring(1, line.length() - 1).toUpperCase(Locale.ROOT));
                continue;
            }
            int colon = line.indexOf(':');
            for (String function : line.substring(colon + 2).split(" ")) {
                int behind = function.indexOf(')') + 1;
                char language = behind == function.length() ? 'c' : function.charAt(behind + 1);
                Listed listed = new Listed(line.substring(0, colon), function.substring(0, behind), language);
                if (sections.put(listed, section) != null) {
                    throw new IllegalStateException(listed + " stands twice");
                }
            }
        }
        return Map.copyOf(sections);
    }

    private static Set<String> unsafeNames() {
        Set<String> names = new HashSet<>();
        SECTIONS.forEach((listed, section) -> {
            if (!section.harmless()) {
                names.add(listed.extension() + ' ' + listed.name());
            }
        });
        return Set.copyOf(names);
    }
}
