package io.multimed.jdbc.sql;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The kinds of engines, by the way in which their statements are recognised. */
public enum Dialect {
    H2,
    HSQLDB,
    /** Any other engine, by the {@link io.multimed.jdbc.engine.SqlRules} of its description. */
    DESCRIBED,
    /**
     * A Multimed server, which recognises reads itself. The driver only needs to know the state that a statement leaves in the
     * session.
     */
    POSTGRESQL;

    private final Set<String> functions = read();

    /** Whether calling the built-in function of this name, in upper case, has no effect and means the same on every node. */
    boolean harmless(String function) {
        return functions.contains(function);
    }

    Set<String> harmlessFunctions() {
        return functions;
    }

    private Set<String> read() {
        String resource = name().toLowerCase(Locale.ROOT) + "-functions.txt";
        try (InputStream in = Dialect.class.getResourceAsStream(resource)) {
            if (in == null) {
                return Set.of();
            }
            return new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII))
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .flatMap(line -> Arrays.stream(line.trim().split("\\s+")))
                    .filter(name -> !name.isEmpty())
                    .collect(Collectors.toUnmodifiableSet());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + resource, e);
        }
    }
}
