package io.multimed.engine.embedded.h2;

import java.util.List;
import org.h2.engine.Database;
import org.h2.engine.Mode;
import org.h2.mode.DefaultNullOrdering;

/** Settings of a whole database on which it depends what queries and definitions mean, and which any session may change. */
record H2Settings(Mode mode, DefaultNullOrdering nulls, boolean ignoresCase, int literals) {
    static H2Settings of(Database database) {
        return new H2Settings(
                database.getMode(),
                database.getDefaultNullOrdering(),
                database.getIgnoreCase(),
                database.getAllowLiterals());
    }

    /** Whether they still are those. Allocates nothing. */
    boolean areThoseOf(Database database) {
        return mode == database.getMode()
                && nulls == database.getDefaultNullOrdering()
                && ignoresCase == database.getIgnoreCase()
                && literals == database.getAllowLiterals();
    }

    @Override
    public String toString() {
        return "SET MODE " + mode.getName() + ", DEFAULT_NULL_ORDERING " + nulls + ", IGNORECASE " + ignoresCase
                + ", ALLOW_LITERALS " + literals;
    }

    /** What sets those that H2 keeps in memory alone, and that its script therefore lacks. */
    List<String> unwritten() {
        return List.of("SET MODE " + mode.getName(), "SET DEFAULT_NULL_ORDERING " + nulls);
    }
}
