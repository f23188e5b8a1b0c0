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
    DERBY,
    SQLITE,
    /** Behind a Multimed server, which recognises reads itself: only what a session holds is of interest here. */
    POSTGRESQL;

    private final Set<String> queriesOnly = read(true);
    private final Set<String> functions = read(false);

    /** Whether calling the built-in function of this name, in upper case, has no effect and means the same anywhere. */
    boolean harmless(String function) {
        return functions.contains(function);
    }

    /** Whether a change that calls it means the same when it is executed again on a copy. */
    boolean deterministic(String function) {
        return functions.contains(function) && !queriesOnly.contains(function);
    }

    /** Whether what has changed is not known as rows, so that Satellites must execute the statements again. */
    public boolean repeatsStatements() {
        return this == DERBY || this == SQLITE;
    }

    Set<String> harmlessFunctions() {
        return functions;
    }

    /** @param marked only what stands behind an exclamation mark, else all */
    private Set<String> read(boolean marked) {
        String resource = name().toLowerCase(java.util.Locale.ROOT) + "-functions.txt";
        try (InputStream in = Dialect.class.getResourceAsStream(resource)) {
            if (in == null) {
                return Set.of();
            }
            return new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII))
                    .lines()
                    .filter(line -> !line.startsWith("#") && (!marked || line.startsWith("!")))
                    .flatMap(line -> java.util.Arrays.stream(line.trim().split("\\s+")))
                    .filter(name -> !name.isEmpty() && !name.equals("!"))
                    .collect(Collectors.toUnmodifiableSet());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + resource, e);
        }
    }
}
