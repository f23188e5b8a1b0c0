package io.multimed.server.config;

import io.multimed.server.config.Configuration.Otlp;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the table {@code [otlp]}. */
public final class OtlpTable {
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofHours(1);

    /** Source: RFC 9110, 5.1 and 5.5. */
    private static final Pattern HEADER = Pattern.compile(
            "\\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\\s*:\\s*" + "([\\x21-\\x7e](?:[\\x20-\\x7e\\t]*[\\x21-\\x7e])?)\\s*");

    private OtlpTable() {}

    /**
     * Reads the table. Mistakes are reported as problems of it.
     *
     * @param base directory to which the path of the file of headers is relative
     */
    public static Otlp read(TomlTable table, Path base) {
        Otlp otlp = new Otlp(
                TomlValues.read(table, "endpoint", OtlpTable::endpoint, Otlp.NONE.endpoint()),
                headers(table, base),
                TomlValues.duration(table, "metrics", Otlp.NONE.metrics(), LONGEST),
                table.flag("traces", Otlp.NONE.traces()));
        if (otlp.metrics().isPositive() && otlp.metrics().compareTo(SHORTEST) < 0) {
            table.problem("metrics", "must be at least " + Durations.text(SHORTEST) + ", or \"0s\" for none");
        }
        table.end();
        return otlp;
    }

    private static Optional<URI> endpoint(String text) {
        if (text.equals("off")) {
            return Optional.empty();
        }
        try {
            URI uri = new URI(text);
            if (uri.getHost() != null
                    && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
                    && uri.getUserInfo() == null
                    && uri.getQuery() == null
                    && uri.getFragment() == null) {
                return Optional.of(uri);
            }
        } catch (URISyntaxException e) {
            // It has another form, see below.
        }
        throw new IllegalArgumentException(
                "must be a URL such as \"http://127.0.0.1:4318\", or \"off\", not \"" + text + "\"");
    }

    /** Reads the file of HTTP headers, which has one {@code name: value} in each line. */
    private static Map<String, String> headers(TomlTable table, Path base) {
        Optional<Path> file = TomlValues.path(table, "headers_file", base);
        Map<String, String> headers = new LinkedHashMap<>();
        if (file.isEmpty()) {
            return headers;
        }
        try {
            int number = 0;
            for (String line : Files.readAllLines(file.get())) {
                number++;
                Matcher header = HEADER.matcher(line);
                if (header.matches()) {
                    headers.put(header.group(1), header.group(2));
                } else if (!line.isBlank()) {
                    // The line may have a secret in it.
                    table.problem(
                            "headers_file",
                            "line " + number + " of " + file.get()
                                    + " is not an HTTP header, \"name: value\" in ASCII");
                }
            }
        } catch (IOException e) {
            table.problem("headers_file", "cannot be read: " + e);
        }
        return headers;
    }
}
