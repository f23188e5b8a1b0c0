package io.multimed.testkit.conversation;

import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.MessageText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Masks the parts of a message that differ between two runs of the same script. */
public final class Masks {
    private static final Pattern OID = Pattern.compile("(table|type)=(\\d+)");
    private static final Pattern NOTIFYING_PID = Pattern.compile("^NotificationResponse pid=(\\d+)");
    private static final Pattern KEY = Pattern.compile("^BackendKeyData .*");
    private static final Pattern PLACE_IN_SOURCE = Pattern.compile(" (V|F|L|R)='[^']*'");
    private static final int FIRST_USER_OID = 16384;

    private record Mask(Pattern pattern, String text) {}

    private final List<Mask> masks = new ArrayList<>();
    private final Map<Integer, String> pids = new LinkedHashMap<>();

    /** @param rule {@code REGEX => TEXT} */
    void add(String rule) {
        String[] parts = rule.split(" => ", 2);
        masks.add(new Mask(Pattern.compile(parts[0]), parts.length == 2 ? parts[1] : ""));
    }

    /** Masks the name of the database, which differs in each run. */
    public void database(String name) {
        masks.add(new Mask(Pattern.compile(Pattern.quote(name)), "DATABASE"));
    }

    public void session(String name, int pid) {
        pids.put(pid, name);
    }

    public String exact(Message message) {
        String line = MessageText.line(message);
        line = OID.matcher(line)
                .replaceAll(match -> match.group(1) + "="
                        + (Long.parseLong(match.group(2)) >= FIRST_USER_OID ? "user" : match.group(2)));
        line = KEY.matcher(line).replaceAll("BackendKeyData");
        if (message.type() == 't') {
            line = Pattern.compile("\\b\\d{5,}\\b")
                    .matcher(line)
                    .replaceAll(match -> Long.parseLong(match.group()) >= FIRST_USER_OID ? "user" : match.group());
        }
        line = NOTIFYING_PID
                .matcher(line)
                .replaceAll(match -> Matcher.quoteReplacement("NotificationResponse from="
                        + pids.getOrDefault(Integer.valueOf(match.group(1)), "nobody here")));
        for (Mask mask : masks) {
            line = mask.pattern().matcher(line).replaceAll(mask.text());
        }
        return line;
    }

    /**
     * Returns the form in which an exact line is recorded: without the second severity and the place in the server's source.
     */
    public static String recorded(String exact) {
        return exact.startsWith("ErrorResponse") || exact.startsWith("NoticeResponse")
                ? PLACE_IN_SOURCE.matcher(exact).replaceAll("")
                : exact;
    }
}
