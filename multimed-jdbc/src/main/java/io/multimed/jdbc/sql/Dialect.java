package io.multimed.jdbc.sql;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.stream.Collectors;

/** The engines whose statements are told apart. */
public enum Dialect {
    H2,
    HSQLDB,
    /** Behind a Multimed server, which recognises reads itself: only what a session holds is of interest here. */
    POSTGRESQL;

    private final Set<String> functions = read(name().toLowerCase(java.util.Locale.ROOT) + "-functions.txt");

    /** Whether calling the built-in function of this name, in upper case, has no effect and means the same anywhere. */
    boolean harmless(String function) {
        return functions.contains(function);
    }

    Set<String> harmlessFunctions() {
        return functions;
    }

    private static Set<String> read(String resource) {
        try (InputStream in = Dialect.class.getResourceAsStream(resource)) {
            if (in == null) {
                return Set.of();
            }
            return new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII))
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .flatMap(line -> java.util.Arrays.stream(line.trim().split("\\s+")))
                    .filter(name -> !name.isEmpty())
                    .collect(Collectors.toUnmodifiableSet());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + resource, e);
        }
    }
}
