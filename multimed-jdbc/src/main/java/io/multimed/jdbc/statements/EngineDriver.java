package io.multimed.jdbc.statements;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;

/** The engines' own drivers, which the application brings. */
public final class EngineDriver {
    private EngineDriver() {}

    /**
     * Loads it, and it registers itself. Whatever the application's class loader knows besides, this driver and the
     * DriverManager on its behalf do not.
     *
     * @throws SQLException 08001 if it is not there
     */
    public static void load(String engine, String driverClass, String artifact) throws SQLException {
        try {
            Class.forName(driverClass);
        } catch (ClassNotFoundException e) {
            throw new SQLNonTransientConnectionException(
                    "The driver of " + engine + " (" + driverClass
                            + ") is not on the class path, or not where multimed-jdbc is: add " + artifact
                            + " to the application's dependencies, or put it beside multimed-jdbc.",
                    "08001");
        }
    }
}
