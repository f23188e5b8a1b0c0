package io.multimed.jdbc;

import java.io.PrintWriter;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.CommonDataSource;
import org.jspecify.annotations.Nullable;

/** With what a data source connects, as a bean. No method is final: public classes get them as their own, for whoever looks by reflection. */
abstract class DataSourceBean implements CommonDataSource {
    private final DataSourceSettings settings = new DataSourceSettings();

    DataSourceBean() {}

    final DataSourceSettings settings() {
        return settings;
    }

    /** A {@code jdbc:multimed:} URL, with its options. */
    public @Nullable String getUrl() {
        return settings.url;
    }

    /** @see #getUrl */
    public void setUrl(@Nullable String url) {
        settings.url = url;
    }

    /** In whose name connections are made unless they say so; null for the user that the URL names or the engine takes. */
    public @Nullable String getUser() {
        return settings.user;
    }

    /** @see #getUser */
    public void setUser(@Nullable String user) {
        settings.user = user;
    }

    /** The user's; nobody can read it here. */
    public void setPassword(@Nullable String password) {
        settings.password = password;
    }

    /** Kept for the application that set it; nothing is written there. */
    @Override
    public @Nullable PrintWriter getLogWriter() {
        return settings.log;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) {
        settings.log = out;
    }

    /** How long to wait is an engine's or a server's option, in the URL. */
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

    /** With the URL and the user, without passwords. */
    @Override
    public String toString() {
        return settings.shown(getClass().getSimpleName());
    }
}
