package io.multimed.jdbc.url;

import io.multimed.jdbc.backend.CapturedEngine;
import io.multimed.jdbc.backend.InProcessEngine;
import io.multimed.jdbc.replay.DescribedEngines;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Finds the engine that a URL names. Nothing else in the driver knows which engines are captured and which replay statements. */
final class EngineLookup {
    private EngineLookup() {}

    /**
     * Returns the engine of this name.
     *
     * @param name the word after {@code jdbc:}
     * @return null if there is none of that name
     * @throws SQLException 08001 if its description is unusable
     */
    static @Nullable InProcessEngine named(String name) throws SQLException {
        return switch (name) {
            case "h2" -> CapturedEngine.H2;
            case "hsqldb" -> CapturedEngine.HSQLDB;
            default -> DescribedEngines.named(name);
        };
    }
}
