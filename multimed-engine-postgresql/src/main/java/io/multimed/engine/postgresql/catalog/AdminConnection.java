package io.multimed.engine.postgresql.catalog;

import io.multimed.engine.postgresql.NodeAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;

/** Opens connections of Multimed's own to a node, over its Unix-domain socket. */
public final class AdminConnection {
    private static final Duration CONNECT = Duration.ofSeconds(10);

    private AdminConnection() {}

    /**
     * Connects as {@code user}; blocks until the node answers.
     *
     * @throws SQLException if it does not let us in
     */
    public static Connection open(NodeAddress node, String user, String database) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", user);
        properties.setProperty("socketFactory", UnixSocketFactory.class.getName());
        properties.setProperty("socketFactoryArg", node.socket().toString());
        properties.setProperty("sslmode", "disable");
        properties.setProperty("gssEncMode", "disable");
        properties.setProperty("ApplicationName", "multimed");
        // What is asked more than once is long to plan and quick to execute.
        properties.setProperty("prepareThreshold", "1");
        properties.setProperty("connectTimeout", Long.toString(CONNECT.toSeconds()));
        // The host is the driver's idea alone: the factory's socket knows where to go.
        String name = URLEncoder.encode(database, StandardCharsets.UTF_8).replace("+", "%20");
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + node.port() + "/" + name, properties);
    }
}
