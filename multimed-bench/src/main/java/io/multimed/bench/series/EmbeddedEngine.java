package io.multimed.bench.series;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/**
 * An engine inside this JVM, by itself or as replicas.
 *
 * @param engine {@code h2} or {@code hsqldb}
 * @param replicas behind {@code jdbc:multimed:}; 0 for the engine alone
 */
public record EmbeddedEngine(String engine, int replicas) {
    /** Returns its name in results. */
    public String name() {
        return replicas == 0 ? engine : "multimed-" + engine + "-" + replicas;
    }

    public String description() {
        String what = (engine.equals("h2") ? "H2" : "HSQLDB (MVCC)") + " in memory, inside the JVM of the clients";
        return replicas == 0
                ? what
                : what + ", " + replicas + (replicas == 1 ? " engine" : " engines") + " behind jdbc:multimed:";
    }

    String url() {
        String rest = engine.equals("h2")
                ? "h2:mem:bench;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=10000"
                : "hsqldb:mem:bench;hsqldb.tx=mvcc";
        return replicas == 0 ? "jdbc:" + rest : "jdbc:multimed:" + rest + ";replicas=" + replicas;
    }

    Connection open() throws SQLException {
        Connection connection = DriverManager.getConnection(url(), "SA", "");
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        return connection;
    }
}
