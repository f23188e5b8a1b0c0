package io.multimed.jdbc.statements;

import io.multimed.jdbc.engine.JdbcEngine;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The engines whose descriptions are here. */
public final class DescribedEngines {
    private static final List<JdbcEngine> OWN = List.of(new Derby(), new Sqlite());

    private DescribedEngines() {}

    /** @return null if there is none of that name */
    public static @Nullable JdbcEngine named(String name) {
        return OWN.stream()
                .filter(engine -> engine.name().equals(name))
                .findFirst()
                .orElse(null);
    }
}
