package io.multimed.jdbc;

import io.multimed.jdbc.connection.LogicalConnection;
import io.multimed.jdbc.errors.Errors;
import io.multimed.jdbc.pool.PooledSession;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.ConnectionPoolDataSource;
import javax.sql.DataSource;
import javax.sql.PooledConnection;
import org.jspecify.annotations.Nullable;

/**
 * A data source for applications that want a {@link DataSource} instead of a URL, and a source of pooled connections for an
 * application server that pools them itself. This class pools nothing: give it, or the URL, to a pool.
 *
 * <p>It is a bean, so that a container can configure it by name; {@code url} is required, {@code user} and {@code password} are
 * not. Any thread may use it once it is configured.
 */
public final class MultimedDataSource extends DataSourceBean implements DataSource, ConnectionPoolDataSource {
    /**
     * {@inheritDoc}
     *
     * @throws SQLException as {@link MultimedDriver#connect}; 08001 if there is no URL or it is another driver's
     */
    @Override
    public Connection getConnection() throws SQLException {
        return getConnection(settings().user, settings().password);
    }

    /**
     * {@inheritDoc}
     *
     * @throws SQLException as {@link #getConnection()}
     */
    @Override
    public Connection getConnection(@Nullable String user, @Nullable String password) throws SQLException {
        return new LogicalConnection(MultimedDriver.open(settings().parse(user, password)), null);
    }

    /**
     * {@inheritDoc}
     *
     * @throws SQLException as {@link #getConnection()}
     */
    @Override
    public PooledConnection getPooledConnection() throws SQLException {
        return getPooledConnection(settings().user, settings().password);
    }

    /**
     * {@inheritDoc}
     *
     * @throws SQLException as {@link #getConnection()}
     */
    @Override
    public PooledConnection getPooledConnection(@Nullable String user, @Nullable String password) throws SQLException {
        return new PooledSession(MultimedDriver.open(settings().parse(user, password)));
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
