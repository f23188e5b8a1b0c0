package io.multimed.server.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parser for amounts of memory in PostgreSQL's form: {@code 512MB}, {@code 64GB}; powers of 1024. */
final class ByteSize {
    private static final Pattern WRITTEN = Pattern.compile("([0-9]{1,7})\\s*(MB|GB|TB)");

    private ByteSize() {}

    /** @throws IllegalArgumentException with one sentence that states the allowed form */
    static long parse(String text) {
        Matcher matcher = WRITTEN.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "must be an amount of memory such as \"512MB\" or \"64GB\", not \"" + text + "\"");
        }
        int shift = switch (matcher.group(2)) {
            case "MB" -> 20;
            case "GB" -> 30;
            default -> 40;
        };
        return Long.parseLong(matcher.group(1)) << shift;
    }
}
