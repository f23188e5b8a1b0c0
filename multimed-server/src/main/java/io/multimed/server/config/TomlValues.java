package io.multimed.server.config;

import io.multimed.model.Freshness;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/**
 * Values of a {@link TomlTable} with a form of their own. A value that has another form is reported as a problem of the table, and
 * the default is used.
 */
public final class TomlValues {
    private TomlValues() {}

    /** Reads a duration of at most {@code longest}. */
    public static Duration duration(TomlTable table, String name, Duration standard, Duration longest) {
        Duration duration = duration(table, name, standard);
        if (duration.compareTo(longest) > 0) {
            table.problem(name, "must be at most " + Durations.text(longest) + ", not " + Durations.text(duration));
        }
        return duration;
    }

    private static Duration duration(TomlTable table, String name, Duration standard) {
        return parsed(table, name, table.text(name, Durations.FORM), Durations::parse, standard);
    }

    /** Reads a path; a relative one is relative to {@code base}. */
    public static Optional<Path> path(TomlTable table, String name, Path base) {
        return read(
                table,
                name,
                text -> {
                    // A blank path would mean the directory of the file.
                    if (text.isBlank()) {
                        throw new IllegalArgumentException("must name a place");
                    }
                    return Optional.of(base.resolve(text));
                },
                Optional.empty());
    }

    /** Reads the path of a file, which must be there and readable. The path is returned even if the file is not. */
    static Optional<Path> readableFile(TomlTable table, String name, Path base) {
        Optional<Path> path = path(table, name, base);
        path.filter(file -> !Files.isReadable(file))
                .ifPresent(file -> table.problem(
                        name,
                        Files.exists(file)
                                ? file + " cannot be read by the user " + System.getProperty("user.name")
                                : "there is no file " + file));
        return path;
    }

    /** Reads a text with {@code parser}, which throws an exception with the allowed form if it refuses the text. */
    public static <T> T read(TomlTable table, String name, Function<String, T> parser, T standard) {
        return parsed(table, name, table.text(name), parser, standard);
    }

    private static <T> T parsed(
            TomlTable table, String name, Optional<String> text, Function<String, T> parser, T standard) {
        if (text.isEmpty()) {
            return standard;
        }
        try {
            return parser.apply(text.get());
        } catch (IllegalArgumentException e) {
            table.problem(name, String.valueOf(e.getMessage()));
            return standard;
        }
    }

    /** Reads the name of an enumeration's constant, in lower case and with dashes. */
    static <E extends Enum<E>> E word(TomlTable table, String name, Class<E> type, E standard) {
        return read(
                table,
                name,
                text -> {
                    for (E constant : type.getEnumConstants()) {
                        if (written(constant).equals(text)) {
                            return constant;
                        }
                    }
                    List<String> allowed = Arrays.stream(type.getEnumConstants())
                            .map(TomlValues::written)
                            .toList();
                    throw new IllegalArgumentException(
                            "must be " + String.join(" or ", allowed) + ", not \"" + text + "\"");
                },
                standard);
    }

    /** Reads the freshness of sessions that choose none: the keys {@code freshness} and {@code eventual_lag}. */
    public static Freshness freshness(TomlTable table, Freshness standard) {
        Duration lag = duration(table, "eventual_lag", Freshness.EVENTUAL.maxLag(), Freshness.Eventual.LONGEST_LAG);
        return read(
                table,
                "freshness",
                name -> switch (name) {
                    case "strong" -> Freshness.STRONG;
                    case "session" -> Freshness.SESSION;
                    case "eventual" -> new Freshness.Eventual(lag);
                    default ->
                        throw new IllegalArgumentException("must be strong, session or eventual, not \"" + name + "\"");
                },
                standard);
    }

    /**
     * Reads the address of the metrics. If the default is in use too, only the metrics are missing.
     *
     * @param standard the default; empty for none
     * @param clients the endpoint's listening address
     * @param clientsKey of that address
     */
    public static Optional<ListenAddress> metrics(
            TomlTable table, Optional<ListenAddress> standard, ListenAddress clients, String clientsKey) {
        Optional<ListenAddress> metrics = read(table, "listen", TomlValues::addressOrOff, standard);
        if (table.has("listen") && metrics.isPresent() && metrics.get().clashesWith(clients)) {
            table.problem(
                    "listen",
                    metrics.get() + " is where " + clientsKey + " (" + clients
                            + ") wants to be: choose another port, or \"off\"");
        }
        return metrics;
    }

    /** @throws IllegalArgumentException with one sentence that states the allowed form */
    public static Optional<ListenAddress> addressOrOff(String text) {
        return text.equals("off") ? Optional.empty() : Optional.of(ListenAddress.parse(text));
    }

    private static String written(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
