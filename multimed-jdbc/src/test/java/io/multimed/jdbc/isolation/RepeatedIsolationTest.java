package io.multimed.jdbc.isolation;

import static io.multimed.jdbc.Sql.execute;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.jdbc.replay.RepeatedDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests that everything is serializable at every level if statements are executed again: by two-phase locking, by a single writer,
 * or because update transactions run one at a time.
 */
@Tag("slow")
class RepeatedIsolationTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource
    void thereAreNoAnomalies(RepeatedDatabase engine) throws Exception {
        String url = engine.url(directory, 2);
        Set<Anomaly> found = EnumSet.noneOf(Anomaly.class);
        try (Connection owner = DriverManager.getConnection(url)) {
            execute(owner, "CREATE TABLE t(id INT PRIMARY KEY, v INT)");
            for (Anomaly anomaly : Anomaly.values()) {
                for (boolean readOnly : new boolean[] {false, true}) {
                    execute(owner, "DELETE FROM t", "INSERT INTO t VALUES (1, 0), (2, 0)");
                    try (Actor reader = actor(url, readOnly);
                            Actor writer = actor(url, false);
                            Actor other = actor(url, false)) {
                        if (anomaly.happens(reader, writer, other)) {
                            found.add(anomaly);
                        }
                    }
                }
            }
        }
        assertEquals(Set.of(), found);
    }

    private static Actor actor(String url, boolean readOnly) throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_UNCOMMITTED);
        assertEquals(Connection.TRANSACTION_SERIALIZABLE, connection.getTransactionIsolation());
        connection.setReadOnly(readOnly);
        return new Actor(connection);
    }
}
