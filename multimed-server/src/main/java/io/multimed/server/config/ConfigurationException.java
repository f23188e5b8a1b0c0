package io.multimed.server.config;

import java.util.List;

/** What the user wrote cannot be used. Each problem is one sentence that names the key, the reason and what is allowed. */
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
