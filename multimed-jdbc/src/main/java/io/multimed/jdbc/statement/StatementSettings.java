package io.multimed.jdbc.statement;

import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;

/** The application's settings on a statement, by setter. Each physical statement gets the same settings. */
final class StatementSettings {
    /** A setter with its value. */
    @FunctionalInterface
    interface Setting {
        void on(Statement physical) throws SQLException;
    }

    private final Map<String, Setting> settings = new LinkedHashMap<>();

    void remember(String name, Setting setting) {
        settings.put(name, setting);
    }

    void apply(Statement physical) throws SQLException {
        for (Setting setting : settings.values()) {
            setting.on(physical);
        }
    }
}
