package io.multimed.jdbc.sql;

import io.multimed.jdbc.engine.SqlRules;
import org.jspecify.annotations.Nullable;

/** Judges definitions that a database already has and that run with statements, as if they were made now. */
public final class Definitions {
    private Definitions() {}

    /**
     * Finds an obstacle in a text.
     *
     * @param text an expression or query
     * @return the part that might not mean the same on a copy, as part of a sentence; null if there is none
     */
    public static @Nullable String obstacle(SqlRules rules, String text) {
        return ReplayJudge.obstacle(rules, Recogniser.tokens(text), 0);
    }
}
