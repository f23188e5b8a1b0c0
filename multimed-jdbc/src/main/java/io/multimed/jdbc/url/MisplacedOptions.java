package io.multimed.jdbc.url;

import io.multimed.jdbc.errors.Errors;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds options that are meant for Multimed but would have no effect: they are misspelt, or written in the place of the engine's
 * options. Most engines silently ignore unknown options.
 */
final class MisplacedOptions {
    /** A word with a value, and the sign before it: at the beginning of a text, or after a sign that separates options. */
    private static final Pattern OPTION =
            Pattern.compile("(?:^|(?<sign>[,;?&|#:\\s]))\\s*(?<name>[A-Za-z][\\w.\\- ]*?)\\s*=");

    /** Longest name that may have at most one wrong letter; longer ones may have two. */
    private static final int SHORT = 6;

    /** Result for a name that claims to be Multimed's and resembles none of its options. */
    private static final String ANY = "";

    /** The engine's URL, whose driver may know an option of that name. */
    private final String engineUrl;

    /** The sign that separates options from the text before them. */
    private final String separator;

    /**
     * Makes the check for one URL.
     *
     * @param engineUrl without Multimed's own options
     */
    MisplacedOptions(String engineUrl, String separator) {
        this.engineUrl = engineUrl;
        this.separator = separator;
    }

    /**
     * Checks the whole URL and the properties.
     *
     * @param database text in front of the options
     * @param options of the URL, Multimed's own among them
     * @param properties without Multimed's own
     * @throws SQLException 22023 with the right form
     */
    void check(String database, List<String> options, Properties properties) throws SQLException {
        checkDatabase(database);
        for (String option : options) {
            checkOption(option);
        }
        for (String name : properties.stringPropertyNames()) {
            checkProperty(name);
        }
    }

    /** Checks the name of the database: the text in front of the first option, in which an engine may have options of its own. */
    private void checkDatabase(String database) throws SQLException {
        Matcher option = OPTION.matcher(database);
        int from = 0;
        while (option.find(from)) {
            // The first word belongs to the engine or the server.
            if (option.start() > 0) {
                check(option.group("name"), option.group("sign"));
            }
            from = option.end();
        }
    }

    /** Checks an option, whose value may contain one of Multimed's options. */
    private void checkOption(String option) throws SQLException {
        int equals = option.indexOf('=');
        if (equals < 0) {
            checkWithoutValue(option.trim());
            return;
        }
        String name = option.substring(0, equals).trim();
        if (!OwnOptions.isOne(name)) {
            check(name, "");
        }
        if (UrlSecrets.isSecret(name) || name.equalsIgnoreCase("options")) {
            return;
        }
        Matcher inside = OPTION.matcher(option);
        int from = equals + 1;
        while (inside.find(from)) {
            if (inside.start() > equals) {
                check(inside.group("name"), inside.group("sign"));
            }
            from = inside.end();
        }
    }

    /** Checks the name of a property. */
    private void checkProperty(String name) throws SQLException {
        String meant = meant(name);
        if (meant != null && !isKnownToEngine(name)) {
            throw meant.equals(ANY)
                    ? OwnOptions.unknown(name)
                    : Errors.invalid("There is no option " + name + ": the property is called " + meant + ", or "
                            + OwnOptions.PREFIX + meant + ".");
        }
    }

    private void checkWithoutValue(String option) throws SQLException {
        String word = option.split("[\\s:]", 2)[0];
        String meant = meant(word);
        if (meant != null && !meant.equals(ANY) && !isKnownToEngine(word)) {
            throw Errors.invalid("The option " + option + " has no value: write " + separator + meant + "=.");
        }
    }

    private void check(String name, String sign) throws SQLException {
        // In a text, several words may precede the name.
        String word = name.substring(name.lastIndexOf(' ') + 1);
        String meant = meant(word);
        if (meant == null || isKnownToEngine(word)) {
            return;
        }
        if (meant.equals(ANY)) {
            throw OwnOptions.unknown(word);
        }
        boolean misspelt = !meant.equalsIgnoreCase(word);
        String where = sign.isEmpty() || sign.equals(separator) ? "" : " behind \"" + sign + "\"";
        throw Errors.invalid(
                (misspelt ? "There is no option " + word : "The option " + word + " is not read") + where + ": write "
                        + separator + meant + "=" + (separator.equals(";") ? "" : ", the next ones behind &") + ".");
    }

    /** Returns the option that is meant, or {@link #ANY}; null if the name resembles none. */
    private static @Nullable String meant(String name) {
        String plain = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
        boolean prefixed = plain.startsWith("multimed");
        String word = prefixed ? plain.substring("multimed".length()) : plain;
        for (String own : OwnOptions.NAMES) {
            if (isLike(own, word)) {
                return own;
            }
        }
        return prefixed ? ANY : null;
    }

    private static boolean isLike(String own, String word) {
        if (own.length() <= SHORT) {
            return distance(own, word) <= 1;
        }
        String stem = own.endsWith("s") ? own.substring(0, own.length() - 1) : own;
        return word.contains(stem) || distance(own, word) <= 2;
    }

    /** Returns the number of letters to insert, to leave out, to replace, or to exchange with the next one. */
    private static int distance(String from, String to) {
        int[][] edits = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                edits[i][j] = i == 0 ? j : j == 0 ? i : edit(edits, from, to, i, j);
            }
        }
        return edits[from.length()][to.length()];
    }

    private static int edit(int[][] edits, String from, String to, int i, int j) {
        boolean same = from.charAt(i - 1) == to.charAt(j - 1);
        int edit = Math.min(edits[i - 1][j - 1] + (same ? 0 : 1), Math.min(edits[i - 1][j], edits[i][j - 1]) + 1);
        boolean exchanged =
                i > 1 && j > 1 && from.charAt(i - 1) == to.charAt(j - 2) && from.charAt(i - 2) == to.charAt(j - 1);
        return exchanged ? Math.min(edit, edits[i - 2][j - 2] + 1) : edit;
    }

    /** Whether the engine's driver lists an option of that name. */
    private boolean isKnownToEngine(String name) {
        try {
            DriverPropertyInfo[] known =
                    DriverManager.getDriver(engineUrl).getPropertyInfo(engineUrl, new Properties());
            return known != null && Arrays.stream(known).anyMatch(option -> name.equalsIgnoreCase(option.name));
        } catch (SQLException | RuntimeException e) {
            // The driver is missing, or does not list its options.
            return false;
        }
    }
}
