package io.multimed.jdbc;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Connections for whoever wants a {@link DataSource} rather than a URL. Pools nothing: give it to a pool, or give that the URL.
 *
 * <p>A bean, so that a container can configure it by name; {@code url} is needed, {@code user} and {@code password} are not.
 * May be used by any thread once it is configured.
 */
public final class MultimedDataSource implements DataSource {
    private final MultimedDriver driver = new MultimedDriver();
    private @Nullable String url;
    private @Nullable String user;
    private @Nullable String password;
    private @Nullable PrintWriter log;

    /** A {@code jdbc:multimed:} URL, with its options. */
    public @Nullable String getUrl() {
        return url;
    }

    /** @see #getUrl */
    public void setUrl(@Nullable String url) {
        this.url = url;
    }

    /** In whose name {@link #getConnection()} connects; null for whom the URL says or the engine takes. */
    public @Nullable String getUser() {
        return user;
    }

    /** @see #getUser */
    public void setUser(@Nullable String user) {
        this.user = user;
    }

    /** The user's; nobody can read it here. */
    public void setPassword(@Nullable String password) {
        this.password = password;
    }

    /**
     * {@inheritDoc}
     *
     * @throws SQLException as {@link MultimedDriver#connect}; 08001 if there is no URL or it is another driver's
     */
    @Override
    public Connection getConnection() throws SQLException {
        return getConnection(user, password);
    }

    /**
     * {@inheritDoc}
     *
     * @throws SQLException as {@link #getConnection()}
     */
    @Override
    public Connection getConnection(@Nullable String user, @Nullable String password) throws SQLException {
        if (url == null) {
            throw Errors.cannotConnect(
                    "The data source has no URL: call setUrl(\"" + MultimedUrl.PREFIX + "...\") first.");
        }
        Properties credentials = new Properties();
        if (user != null) {
            credentials.setProperty("user", user);
        }
        if (password != null) {
            credentials.setProperty("password", password);
        }
        Connection connection = driver.connect(url, credentials);
        if (connection == null) {
            throw Errors.cannotConnect("The URL of the data source must begin with " + MultimedUrl.PREFIX + ".");
        }
        return connection;
    }

    /** Kept for whoever set it; nothing is written there. */
    @Override
    public @Nullable PrintWriter getLogWriter() {
        return log;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) {
        log = out;
    }

    /** How long to wait is an engine's or a server's option, in the URL. */
    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        if (seconds != 0) {
            throw Errors.notSupported("The data source has no login timeout: give the engine's own option in the URL.");
        }
    }

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        return driver.getParentLogger();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        if (isWrapperFor(type)) {
            return type.cast(this);
        }
        throw Errors.invalid(
                type == null
                        ? "There is nothing to unwrap the data source as: the class is null."
                        : "The data source is no " + type.getName() + " and wraps none.");
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return type != null && type.isInstance(this);
    }
}
