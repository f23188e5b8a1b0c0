package io.multimed.endpoint.pg.session.watch;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The trace context in a comment of a statement, as sqlcommenter writes it: {@code traceparent='…'}.
 *
 * <p>Only a comment with which the statement begins or ends counts. A value in the statement, which anybody may have chosen, cannot
 * stand there.
 */
final class TraceContext {
    /** Begins every mention of a context. */
    static final byte[] KEY = "traceparent=".getBytes(StandardCharsets.US_ASCII);

    private static final String MEMBERS = "-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}";

    /** Source: W3C's recommendation "Trace Context". A version after 00 may have more members. */
    private static final Pattern CONTEXT =
            Pattern.compile("traceparent='(00" + MEMBERS + "|(?!00|ff)[0-9a-f]{2}" + MEMBERS + "(?:-[^']*)?)'");

    private TraceContext() {}

    /** Returns the context of a statement; null if it has none. */
    static @Nullable String of(String sql) {
        String text = sql.strip();
        while (text.endsWith(";")) {
            text = text.substring(0, text.length() - 1).stripTrailing();
        }
        int last = text.endsWith("*/") ? text.lastIndexOf("/*") : -1;
        String found = last >= 0 ? in(text.substring(last)) : null;
        if (found == null && text.startsWith("/*") && text.contains("*/")) {
            found = in(text.substring(0, text.indexOf("*/")));
        }
        return found;
    }

    private static @Nullable String in(String comment) {
        Matcher context = CONTEXT.matcher(comment);
        return context.find() ? context.group(1) : null;
    }
}
