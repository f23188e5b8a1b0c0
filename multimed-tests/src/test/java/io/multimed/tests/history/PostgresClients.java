package io.multimed.tests.history;

import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.history.Clients.Client;
import io.multimed.tests.history.WireHistorySession.Protocol;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Makes clients of PostgreSQL: raw messages and pgjdbc. */
final class PostgresClients {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ServerAddress address;
    private final Credentials credentials;
    private final String database;
    private final boolean multimed;

    private PostgresClients(ServerAddress address, Credentials credentials, String database, boolean multimed) {
        this.address = address;
        this.credentials = credentials;
        this.database = database;
        this.multimed = multimed;
    }

    /** @param multimed whether the server is a Multimed, or a PostgreSQL where every read is one on the Master */
    static Clients of(ServerAddress address, Credentials credentials, String database, boolean multimed) {
        PostgresClients make = new PostgresClients(address, credentials, database, multimed);
        Client jdbc = new Client("JDBC", make::openJdbc);
        return new Clients(
                new PostgresDialect(),
                jdbc,
                List.of(make.wire(Protocol.MIXED), jdbc, make.wire(Protocol.MIXED), jdbc),
                List.of(make.wire(Protocol.PREPARED), jdbc),
                List.of(make.wire(Protocol.SIMPLE), make.wire(Protocol.EXTENDED), make.wire(Protocol.PREPARED), jdbc),
                List.of(make.wire(Protocol.MIXED), jdbc),
                List.of(make.wire(Protocol.MIXED)));
    }

    private Client wire(Protocol protocol) {
        return new Client(
                protocol.name(),
                () -> new WireHistorySession(
                        WireSession.open(
                                address,
                                Map.of("user", credentials.user(), "database", database),
                                credentials.password(),
                                PATIENCE),
                        protocol,
                        multimed));
    }

    private HistorySession openJdbc() throws SQLException {
        String url = "jdbc:postgresql://" + address.host() + ":" + address.port() + "/" + database
                + "?user=" + credentials.user()
                + (credentials.password() == null ? "" : "&password=" + credentials.password())
                + "&sslmode=" + (credentials.tls() ? "require" : "disable")
                + "&connectTimeout=10&socketTimeout=60&ApplicationName=history";
        return new JdbcHistorySession(
                DriverManager.getConnection(url),
                multimed ? JdbcHistorySession.ASKED : JdbcHistorySession.ALWAYS_ON_MASTER);
    }
}
