package io.multimed.jdbc.remote;

import io.multimed.jdbc.url.MultimedUrl;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.StringJoiner;

/** Answers {@code SHOW MULTIMED NODES} for a server by a query to its admin database, on a separate connection. */
final class RemoteNodes {
    private RemoteNodes() {}

    /**
     * Asks the admin database.
     *
     * @return a query that returns its present answer
     */
    static String query(MultimedUrl.Remote url) throws SQLException {
        Properties properties = new Properties();
        url.properties()
                .stringPropertyNames()
                .forEach(name -> properties.setProperty(name, url.properties().getProperty(name)));
        try (Connection admin = DriverManager.getConnection(adminUrl(url.engineUrl()), properties);
                Statement statement = admin.createStatement();
                ResultSet nodes = statement.executeQuery("SHOW NODES")) {
            return query(nodes);
        }
    }

    /** Returns a URL with the same hosts and options and the database {@code multimed}. */
    private static String adminUrl(String url) {
        int hosts = url.indexOf("//") + 2;
        int question = url.indexOf('?');
        int end = question < 0 ? url.length() : question;
        int slash = url.indexOf('/', hosts);
        return url.substring(0, slash < 0 || slash > end ? end : slash) + "/multimed" + url.substring(end);
    }

    private static String query(ResultSet nodes) throws SQLException {
        ResultSetMetaData columns = nodes.getMetaData();
        StringJoiner query = new StringJoiner(" UNION ALL ");
        while (nodes.next()) {
            StringJoiner row = new StringJoiner(", ", "SELECT ", "");
            for (int i = 1; i <= columns.getColumnCount(); i++) {
                String value = nodes.getString(i);
                row.add((value == null ? "NULL" : "'" + value.replace("'", "''") + "'") + "::text AS \""
                        + columns.getColumnLabel(i) + "\"");
            }
            query.add(row.toString());
        }
        return query.toString();
    }
}
