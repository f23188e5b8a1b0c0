package io.multimed.jdbc.replay;

import io.multimed.jdbc.backend.EngineDriver;
import io.multimed.jdbc.engine.JdbcEngine;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;

/**
 * Calls an engine's description, which may be third-party code. If it fails while a database is opened, the error names the
 * description.
 */
final class Asked {
    private Asked() {}

    @FunctionalInterface
    interface Question<T> {
        T ask() throws SQLException;
    }

    static <T> T of(JdbcEngine engine, Question<T> question) throws SQLException {
        try {
            return question.ask();
        } catch (UnsupportedClassVersionError e) {
            throw EngineDriver.tooNew(engine.name(), e);
        } catch (RuntimeException | LinkageError e) {
            throw new SQLNonTransientConnectionException(
                    "The description " + engine.getClass().getName()
                            + " of an engine failed: correct it, or connect by the engine's own driver. It failed with "
                            + e,
                    "08001",
                    e);
        }
    }
}
