package io.multimed.jdbc;

import java.io.PrintWriter;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.CommonDataSource;
import org.jspecify.annotations.Nullable;

/**
 * The connection settings of a data source, as a bean. No method is final, so that each public subclass has them as its own
 * methods for reflection.
 */
abstract class DataSourceBean implements CommonDataSource {
    private final DataSourceSettings settings = new DataSourceSettings();

    DataSourceBean() {}

    final DataSourceSettings settings() {
        return settings;
    }

    /** Returns the {@code jdbc:multimed:} URL with its options. */
    public @Nullable String getUrl() {
        return settings.url;
    }

    /** @see #getUrl */
    public void setUrl(@Nullable String url) {
        settings.url = url;
    }

    /** Returns the user for connections that name none; null for the user of the URL or the engine's default. */
    public @Nullable String getUser() {
        return settings.user;
    }

    /** @see #getUser */
    public void setUser(@Nullable String user) {
        settings.user = user;
    }

    /** Sets the user's password, which cannot be read here. */
    public void setPassword(@Nullable String password) {
        settings.password = password;
    }

    /** Returns the writer that the application has set. Nothing is written to it. */
    @Override
    public @Nullable PrintWriter getLogWriter() {
        return settings.log;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) {
        settings.log = out;
    }

    /** Accepts only 0. The login timeout is an option of the engine or the server, in the URL. */
    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        DataSourceSettings.checkLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        return Logger.getLogger("io.multimed.jdbc");
    }

    /** Returns a description with the URL and the user, without passwords. */
    @Override
    public String toString() {
        return settings.shown(getClass().getSimpleName());
    }
}
