package io.multimed.jdbc.sql;

import io.multimed.jdbc.engine.SqlRules;
import org.jspecify.annotations.Nullable;

/** What a database holds already that runs when statements do: judged as if it were defined now. */
public final class Definitions {
    private Definitions() {}

    /**
     * @param text an expression or query
     * @return what in it might not mean the same on a copy, as part of a sentence; null if nothing
     */
    public static @Nullable String obstacle(SqlRules rules, String text) {
        return ReplayJudge.obstacle(rules, Recogniser.tokens(text), 0);
    }
}
