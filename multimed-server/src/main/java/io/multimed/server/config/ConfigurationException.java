package io.multimed.server.config;

import java.util.List;

/** Thrown when the configuration cannot be used. Each problem is one sentence with the key, the reason and the allowed values. */
public final class ConfigurationException extends Exception {
    private final transient List<String> problems;

    public ConfigurationException(List<String> problems) {
        super(String.join("\n", problems));
        this.problems = List.copyOf(problems);
    }

    public ConfigurationException(String problem) {
        this(List.of(problem));
    }

    public List<String> problems() {
        return problems;
    }
}
