package io.multimed.jdbc.url;

import io.multimed.jdbc.errors.Errors;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Multimed's own options of one connection. They are taken out of its URL and its properties; all other options stay. */
public final class OwnOptions {
    /** Names of the options in URLs and, possibly after {@link #PREFIX}, in properties; case is ignored. */
    static final List<String> NAMES =
            List.of("replicas", "policy", "propagation", "freshness", "route", "patience", "comparison");

    /** The options that have a meaning for a Multimed server. */
    private static final Set<String> REMOTE = Set.of("freshness", "route");

    static final String PREFIX = "multimed.";

    private final Map<String, String> values = new LinkedHashMap<>();

    /**
     * Takes Multimed's own options out of properties.
     *
     * @param others receives all other properties, as text
     * @throws SQLException 22023 if one of the options has two values, or a name claims to be Multimed's own and is none
     */
    static OwnOptions of(Properties given, Properties others) throws SQLException {
        OwnOptions own = new OwnOptions();
        for (Map.Entry<String, String> property : texts(given).entrySet()) {
            if (!own.takeProperty(property.getKey(), property.getValue())) {
                others.setProperty(property.getKey(), property.getValue());
            }
        }
        return own;
    }

    /**
     * Returns the properties as text, including defaults and values of other types, such as a number, or a password as a character
     * array.
     */
    private static Map<String, String> texts(Properties given) {
        Map<String, String> texts = new LinkedHashMap<>();
        for (String name : new TreeSet<>(given.stringPropertyNames())) {
            texts.put(name, given.getProperty(name));
        }
        given.forEach((name, value) -> {
            if (name instanceof String text && !(value instanceof String)) {
                texts.put(text, value instanceof char[] characters ? new String(characters) : value.toString());
            }
        });
        return texts;
    }

    private boolean takeProperty(String name, String value) throws SQLException {
        String lower = name.toLowerCase(Locale.ROOT);
        boolean prefixed = lower.startsWith(PREFIX);
        String plain = prefixed ? lower.substring(PREFIX.length()) : lower;
        if (!NAMES.contains(plain)) {
            if (prefixed) {
                throw unknown(name);
            }
            return false;
        }
        put(plain, value, "in the properties");
        return true;
    }

    /** Whether a URL's option of that name is Multimed's own. */
    static boolean isOne(String name) {
        return NAMES.contains(name.toLowerCase(Locale.ROOT));
    }

    static SQLException unknown(String name) {
        return Errors.invalid("There is no option " + name + ": use " + String.join(", ", NAMES) + ".");
    }

    private void put(String name, String value, String where) throws SQLException {
        String before = values.put(name, value);
        if (before != null && !before.equalsIgnoreCase(value)) {
            throw Errors.invalid("The option " + name + " is given twice " + where + ", as " + before + " and as "
                    + value + ": leave one of them out.");
        }
    }

    /**
     * Takes Multimed's own options out of those of a URL. An option in the URL overrides the same one in the properties.
     *
     * @return the others, in order
     */
    List<String> takeFrom(List<String> options) throws SQLException {
        OwnOptions inUrl = new OwnOptions();
        List<String> others = new ArrayList<>();
        for (String option : options) {
            int equals = option.indexOf('=');
            String name = equals < 0 ? "" : option.substring(0, equals).trim();
            if (isOne(name)) {
                inUrl.put(
                        name.toLowerCase(Locale.ROOT),
                        option.substring(equals + 1).trim(),
                        "in the URL");
            } else {
                others.add(option);
            }
        }
        values.putAll(inUrl.values);
        return others;
    }

    /** Returns all options given, by name, whether the URL and the properties are valid or not. */
    public static Map<String, String> shown(String url, Properties given) {
        OwnOptions own = new OwnOptions();
        texts(given).forEach((name, value) -> own.show(name, value));
        for (String part : url.split("[;?&]")) {
            int equals = part.indexOf('=');
            if (equals > 0) {
                own.show(
                        part.substring(0, equals).trim(),
                        part.substring(equals + 1).trim());
            }
        }
        return own.values;
    }

    private void show(String name, String value) {
        String lower = name.toLowerCase(Locale.ROOT);
        String plain = lower.startsWith(PREFIX) ? lower.substring(PREFIX.length()) : lower;
        if (NAMES.contains(plain)) {
            values.put(plain, value);
        }
    }

    @Nullable
    String get(String name) {
        return values.get(name);
    }

    String get(String name, String otherwise) {
        return values.getOrDefault(name, otherwise);
    }

    /**
     * Checks that a server knows the options.
     *
     * @throws SQLException 22023 if an option has no meaning for a server
     */
    void checkRemote() throws SQLException {
        for (String option : values.keySet()) {
            if (!REMOTE.contains(option)) {
                throw Errors.invalid("The option " + option + " is for replicas inside this process; a Multimed server"
                        + " has its own settings. Remove it from the URL or the properties.");
            }
        }
    }
}
