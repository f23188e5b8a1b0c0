package io.multimed.sql.mysql;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A statement for Multimed itself, which no engine understands. Names are in small letters. */
public sealed interface MultimedRequest {
    /** {@code SHOW multimed.route}: one value. */
    record ShowSetting(String name) implements MultimedRequest {}

    /** {@code SHOW MULTIMED NODES}: a table. */
    record ShowTable(String name) implements MultimedRequest {}

    /**
     * {@code SET multimed.freshness = 'session'}.
     *
     * @param value null for the default
     * @param isGlobal whether it is meant for all sessions
     */
    record SetSetting(String name, @Nullable String value, boolean isGlobal) implements MultimedRequest {}

    /** One that begins like such a statement and goes on otherwise. */
    record Unclear() implements MultimedRequest {}

    /** Returns the statement; null if the text is none for Multimed. */
    static @Nullable MultimedRequest of(String text) {
        if (!Forms.BEGINNING.matcher(text).lookingAt()) {
            return null;
        }
        Matcher setting = Forms.SETTING.matcher(text);
        if (setting.matches()) {
            return new ShowSetting(small(setting.group(1)));
        }
        Matcher table = Forms.TABLE.matcher(text);
        if (table.matches()) {
            return new ShowTable(small(table.group(1)));
        }
        Matcher set = Forms.SET.matcher(text);
        if (!set.matches()) {
            return new Unclear();
        }
        String quoted = set.group("quoted") == null ? set.group("double") : set.group("quoted");
        String word = set.group("word");
        String value = quoted == null && word.equalsIgnoreCase("DEFAULT") ? null : quoted == null ? word : quoted;
        boolean isGlobal =
                "GLOBAL".equalsIgnoreCase(set.group("scope")) || "GLOBAL".equalsIgnoreCase(set.group("prefix"));
        return new SetSetting(small(set.group("name")), value, isGlobal);
    }

    private static String small(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    /** The forms of the texts. */
    final class Forms {
        /** White space and comments, but none that are executed. */
        private static final String BEFORE = "(?is)(?:\\s|/\\*(?![!M])[^*]*+(?:\\*(?!/)[^*]*+)*+\\*/)*+";

        private static final String END = "[\\s;]*";
        private static final String SCOPE =
                "(?:(?<scope>SESSION|LOCAL|GLOBAL)\\s+|@@(?:(?<prefix>SESSION|LOCAL|GLOBAL)\\s*\\.\\s*)?)?";

        static final Pattern BEGINNING =
                Pattern.compile(BEFORE + "(?:SHOW\\s+multimed\\b|SET\\s+" + SCOPE + "multimed\\s*\\.)");
        static final Pattern SETTING = Pattern.compile(BEFORE + "SHOW\\s+multimed\\s*\\.\\s*(\\w+)" + END);
        static final Pattern TABLE = Pattern.compile(BEFORE + "SHOW\\s+multimed\\s+(\\w+)" + END);
        static final Pattern SET = Pattern.compile(BEFORE + "SET\\s+" + SCOPE
                + "multimed\\s*\\.\\s*(?<name>\\w+)\\s*(?::?=|\\bTO\\b)\\s*"
                + "(?:'(?<quoted>[^'\\\\]*)'|\"(?<double>[^\"\\\\]*)\"|(?<word>\\w+))" + END);

        private Forms() {}
    }
}
