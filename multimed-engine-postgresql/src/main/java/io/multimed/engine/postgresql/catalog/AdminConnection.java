package io.multimed.engine.postgresql.catalog;

import io.multimed.engine.postgresql.NodeAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;

/** Opens connections of Multimed's own to a node, over its Unix-domain socket. */
public final class AdminConnection {
    private static final Duration CONNECT = Duration.ofSeconds(10);

    /** Session settings that undo the role's configuration: Multimed's own transactions have no timeouts and may write. */
    private static final String OPTIONS =
            "-c statement_timeout=0 -c idle_session_timeout=0 -c idle_in_transaction_session_timeout=0"
                    + " -c default_transaction_isolation=read\\ committed -c default_transaction_read_only=off";

    /** The first release that knows {@code transaction_timeout}. */
    private static final int TRANSACTION_TIMEOUT = 17;

    private AdminConnection() {}

    /**
     * Connects as {@code user}; blocks until the node answers.
     *
     * @throws SQLException if the node refuses the connection
     */
    public static Connection open(NodeAddress node, String user, String database) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", user);
        properties.setProperty("socketFactory", UnixSocketFactory.class.getName());
        properties.setProperty("socketFactoryArg", node.socket().toString());
        properties.setProperty("sslmode", "disable");
        properties.setProperty("gssEncMode", "disable");
        properties.setProperty("ApplicationName", "multimed");
        properties.setProperty("options", OPTIONS);
        // Queries that are repeated here take long to plan and little time to execute, so they are prepared at their
        // first execution.
        properties.setProperty("prepareThreshold", "1");
        properties.setProperty("connectTimeout", Long.toString(CONNECT.toSeconds()));
        // Only the driver uses this host: the factory's socket connects to the node's path.
        String name = URLEncoder.encode(database, StandardCharsets.UTF_8).replace("+", "%20");
        Connection connection =
                DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + node.port() + "/" + name, properties);
        try {
            if (connection.getMetaData().getDatabaseMajorVersion() >= TRANSACTION_TIMEOUT) {
                try (Statement statement = connection.createStatement()) {
                    statement.execute("SET transaction_timeout = 0");
                }
            }
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }
}
