package io.multimed.tests.history;

import io.multimed.tests.history.Clients.Client;
import io.multimed.tests.history.JdbcHistorySession.Route;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;

/** Makes clients of MariaDB: Connector/J with texts and with statements that the server prepares. */
final class MariaDbClients {
    /**
     * MariaDB makes commits visible in the order of its binary log. So reads on the Master are prefixes of it too, and are judged as
     * severely as those on Satellites.
     */
    private static final Route JUDGED_AS_ON_SATELLITES = connection -> false;

    private MariaDbClients() {}

    /**
     * @param port of the endpoint
     * @param master a port of the Master itself, for clients that go past Multimed
     */
    static Clients of(int port, int master, String database) {
        Client texts =
                new Client("texts", () -> new JdbcHistorySession(open(port, database, false), JUDGED_AS_ON_SATELLITES));
        Client sql =
                new Client("SQL", () -> new SqlHistorySession(open(port, database, false), JUDGED_AS_ON_SATELLITES));
        Client prepared = new Client(
                "prepared", () -> new SqlHistorySession(open(port, database, true), JUDGED_AS_ON_SATELLITES));
        Client direct = new Client("direct", () -> new DirectHistorySession(open(master, database, false)));
        return new Clients(
                new MariaDbDialect(),
                texts,
                List.of(texts, prepared, sql, direct, direct),
                List.of(texts, prepared, direct),
                List.of(texts, texts, texts, prepared, prepared, direct),
                List.of(texts, sql, prepared),
                List.of(sql, texts));
    }

    static Connection open(int port, String database, boolean prepares) throws SQLException {
        return DriverManager.getConnection("jdbc:mariadb://127.0.0.1:" + port + "/" + database
                + "?user=root&allowMultiQueries=true&useServerPrepStmts=" + prepares
                + "&connectTimeout=10000&socketTimeout=60000");
    }
}
