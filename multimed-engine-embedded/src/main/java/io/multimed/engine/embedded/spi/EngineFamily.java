package io.multimed.engine.embedded.spi;

import java.sql.SQLException;
import java.util.Properties;

/** One kind of embedded engine. */
public interface EngineFamily {
    /**
     * Opens the database that the URL names, as the first connection to it would.
     *
     * @param capture whether changes will be captured; then connections never commit by themselves
     * @throws SQLException 0A000 if the URL names an engine in another process or an option cannot be kept; the engine's own
     *     if it cannot be opened
     */
    MasterEngine open(String url, Properties credentials, boolean capture) throws SQLException;

    /**
     * Returns the database's name, which is the same for all URLs of one database, whatever their settings.
     *
     * @throws SQLException the engine's own if it would open no such URL
     */
    default String database(String url, Properties credentials) throws SQLException {
        int settings = url.indexOf(';');
        return settings < 0 ? url : url.substring(0, settings);
    }

    /**
     * Returns the properties with which sessions are opened, in {@link MasterEngine#connect} and elsewhere: user and password, and
     * the URL's settings if each connection has its own.
     *
     * @throws SQLException 0A000 if the URL names an engine in another process or an option cannot be kept
     */
    default Properties login(String url, Properties credentials) throws SQLException {
        return credentials;
    }

    /** Returns those of the URL's settings that must be the same for all users of the database. */
    default String settings(String url) throws SQLException {
        return "";
    }
}
