package io.multimed.jdbc.sql;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A statement for Multimed itself: {@code SHOW MULTIMED NODES}, {@code SHOW multimed.route}, {@code SET multimed.freshness = …}.
 */
public final class OwnStatement {
    private static final Pattern SHOW =
            Pattern.compile("\\s*SHOW\\s+MULTIMED\\s*(?:\\.\\s*|\\s)(\\w+)\\s*;?\\s*", Pattern.CASE_INSENSITIVE);
    private static final Pattern SET = Pattern.compile(
            "\\s*SET\\s+MULTIMED\\s*\\.\\s*(\\w+)\\s*(?:=|\\s+TO\\s)?\\s*'?([\\w:-]+)'?\\s*;?\\s*",
            Pattern.CASE_INSENSITIVE);

    /**
     * A SET.
     *
     * @param name name of the setting, without {@code multimed.}
     */
    public record Assignment(String name, String value) {}

    private OwnStatement() {}

    /** Returns the word that a SHOW names, in lower case; null if the text is no such SHOW. */
    public static @Nullable String shown(String sql) {
        Matcher show = SHOW.matcher(sql);
        return show.matches() ? show.group(1).toLowerCase(Locale.ROOT) : null;
    }

    public static boolean isSet(String sql) {
        return SET.matcher(sql).matches();
    }

    /** Returns the setting that a SET makes; null if the text is no such SET. */
    public static @Nullable Assignment assignment(String sql) {
        Matcher set = SET.matcher(sql);
        return set.matches() ? new Assignment(set.group(1), set.group(2)) : null;
    }
}
