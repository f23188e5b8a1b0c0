package io.multimed.jdbc;

import io.multimed.jdbc.errors.Errors;
import io.multimed.jdbc.pool.XaSession;
import io.multimed.jdbc.sql.Dialect;
import io.multimed.jdbc.url.MultimedUrl;
import java.sql.SQLException;
import javax.sql.XAConnection;
import javax.sql.XADataSource;
import org.jspecify.annotations.Nullable;

/**
 * A data source for H2 whose connections' transactions may be branches of global transactions. H2 itself prepares a branch, and
 * its rows reach the replicas with its commit. Other engines are refused with their name, and so is a Multimed server, for which
 * pgjdbc has a data source.
 *
 * <p>It is a bean, so that a container can configure it by name; {@code url} is required, {@code user} and {@code password} are
 * not. Any thread may use it once it is configured.
 */
public final class MultimedXaDataSource extends DataSourceBean implements XADataSource {
    /**
     * {@inheritDoc}
     *
     * @throws SQLException as {@link MultimedDriver#connect}; 08001 if there is no URL or it is another driver's; 0A000 if it
     *     names no H2 inside this process
     */
    @Override
    public XAConnection getXAConnection() throws SQLException {
        return getXAConnection(settings().user, settings().password);
    }

    /**
     * {@inheritDoc}
     *
     * @throws SQLException as {@link #getXAConnection()}
     */
    @Override
    public XAConnection getXAConnection(@Nullable String user, @Nullable String password) throws SQLException {
        MultimedUrl parsed = settings().parse(user, password);
        if (!(parsed instanceof MultimedUrl.Embedded embedded)) {
            throw Errors.notSupported("Multimed's data source for global transactions is for H2: for a server, give"
                    + " org.postgresql.xa.PGXADataSource its host and port.");
        }
        if (embedded.engine().dialect() != Dialect.H2) {
            throw Errors.notSupported(
                    "Global transactions of " + embedded.engine().name()
                            + " do not reach replicas: use h2, or the data source of the engine alone.");
        }
        return new XaSession(MultimedDriver.open(parsed));
    }
}
