package io.multimed.jdbc.backend;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;

/** Loads the engines' own drivers, which the application brings. */
public final class EngineDriver {
    private EngineDriver() {}

    /**
     * Loads a driver, which registers itself. It must be visible to this driver's class loader; the application's may know more,
     * but the DriverManager does not use it on this driver's behalf.
     *
     * @throws SQLException 08001 if it is not there, or does not run on this Java
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
        } catch (UnsupportedClassVersionError e) {
            throw tooNew(engine, e);
        } catch (LinkageError e) {
            throw new SQLNonTransientConnectionException(
                    "The driver of " + engine + " (" + driverClass + ") cannot be loaded: add all that " + artifact
                            + " needs, in its version. " + e,
                    "08001",
                    e);
        }
    }

    /** Returns the error for a class of the engine that was compiled for a later version of Java. */
    public static SQLException tooNew(String engine, UnsupportedClassVersionError error) {
        return new SQLNonTransientConnectionException(
                "The driver of " + engine + " does not run on Java "
                        + Runtime.version().feature() + ": use a later Java, or a version of the driver for this one. "
                        + error.getMessage(),
                "08001",
                error);
    }
}
