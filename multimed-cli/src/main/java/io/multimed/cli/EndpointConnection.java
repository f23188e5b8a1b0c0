package io.multimed.cli;

import io.multimed.server.config.ListenAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;

/**
 * A connection of the command line to the endpoint of an instance. As in psql, the typed text is sent unchanged, and the password is
 * {@code PGPASSWORD}.
 */
final class EndpointConnection {
    private EndpointConnection() {}

    /**
     * Connects.
     *
     * @param program the name by which the server knows the program
     */
    static Connection open(ListenAddress endpoint, String database, String user, String program) throws SQLException {
        String address = endpoint.host().contains(":") ? "[" + endpoint.host() + "]" : endpoint.host();
        Properties properties = new Properties();
        properties.setProperty("user", user);
        properties.setProperty("ApplicationName", program);
        properties.setProperty("preferQueryMode", "simple");
        String password = System.getenv("PGPASSWORD");
        if (password != null) {
            properties.setProperty("password", password);
        }
        return DriverManager.getConnection(
                "jdbc:postgresql://" + address + ":" + endpoint.port() + "/"
                        + URLEncoder.encode(database, StandardCharsets.UTF_8),
                properties);
    }
}
