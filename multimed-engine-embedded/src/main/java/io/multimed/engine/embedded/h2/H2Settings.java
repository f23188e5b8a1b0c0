package io.multimed.engine.embedded.h2;

import java.util.ArrayList;
import java.util.List;
import org.h2.engine.Database;
import org.h2.engine.Mode;
import org.h2.engine.Setting;
import org.h2.mode.DefaultNullOrdering;
import org.jspecify.annotations.Nullable;

/** Settings of a whole database that change the meaning of queries and definitions, and that any session may change. */
record H2Settings(
        Mode mode,
        DefaultNullOrdering nulls,
        boolean ignoresCase,
        int literals,
        @Nullable String serializer) {
    private static final String SERIALIZER = "JAVA_OBJECT_SERIALIZER";

    static H2Settings of(Database database) {
        return new H2Settings(
                database.getMode(),
                database.getDefaultNullOrdering(),
                database.getIgnoreCase(),
                database.getAllowLiterals(),
                serializer(database));
    }

    /** Returns the class that serialises objects; null for Java's own way. */
    private static @Nullable String serializer(Database database) {
        for (Setting setting : database.getAllSettings()) {
            if (setting.getName().equals(SERIALIZER)) {
                return setting.getStringValue();
            }
        }
        return null;
    }

    /** Whether the database still has these settings. Allocates nothing. */
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

    /**
     * Returns statements for the settings that H2's script lacks, because H2 keeps them in memory alone or cannot read them back.
     */
    List<String> unwritten() {
        List<String> sets = new ArrayList<>();
        if (serializer != null) {
            // First, because H2 refuses it once there are tables.
            sets.add("SET " + SERIALIZER + " '" + serializer.replace("'", "''") + "'");
        }
        sets.add("SET MODE " + mode.getName());
        sets.add("SET DEFAULT_NULL_ORDERING " + nulls);
        return sets;
    }

    /** Whether a line of H2's script sets one of {@link #unwritten}. */
    static boolean isUnreadable(String line) {
        return line.startsWith("SET " + SERIALIZER);
    }
}
