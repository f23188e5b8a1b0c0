package io.multimed.jdbc.isolation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Finds the anomalies that each engine allows in each of its modes and at each level, alone and through Multimed. The resulting
 * tables are kept as resources; a change of one changes a statement of docs/jdbc.md.
 *
 * <p>The results are also checked: update transactions must have the engine's own isolation, no more and no less; a read-only
 * transaction through Multimed must see one snapshot of committed data, whatever its level; and if updates are serializable,
 * everything must be.
 */
@Tag("slow")
class IsolationTest {
    private static final Map<String, Integer> H2_LEVELS = levels();

    private static final Map<String, Integer> HSQLDB_LEVELS = levels();

    static {
        // H2's own number.
        H2_LEVELS.put("SNAPSHOT", 6);
    }

    private static Map<String, Integer> levels() {
        Map<String, Integer> levels = new LinkedHashMap<>();
        levels.put("READ UNCOMMITTED", Connection.TRANSACTION_READ_UNCOMMITTED);
        levels.put("READ COMMITTED", Connection.TRANSACTION_READ_COMMITTED);
        levels.put("REPEATABLE READ", Connection.TRANSACTION_REPEATABLE_READ);
        levels.put("SERIALIZABLE", Connection.TRANSACTION_SERIALIZABLE);
        return levels;
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb-locks", "hsqldb-mvlocks", "hsqldb-mvcc"})
    void anomaliesAreThoseOfTheTable(String engine) throws Exception {
        Table table = new Table();
        boolean h2 = engine.equals("h2");
        for (boolean through : new boolean[] {false, true}) {
            String name = UUID.randomUUID().toString().replace("-", "");
            String settings = h2 ? ";LOCK_TIMEOUT=10000" : ";hsqldb.tx=" + engine.substring("hsqldb-".length());
            String database = h2 ? "h2:mem:" : "hsqldb:mem:";
            String url = "jdbc:" + (through ? "multimed:" : "") + database + name + settings
                    + (through ? ";replicas=2" : "");
            try (Connection owner = DriverManager.getConnection(url, "SA", "");
                    Statement statement = owner.createStatement()) {
                statement.execute("CREATE TABLE t(id INT PRIMARY KEY, v INT)");
                for (Map.Entry<String, Integer> level : (h2 ? H2_LEVELS : HSQLDB_LEVELS).entrySet()) {
                    for (boolean readOnly : new boolean[] {false, true}) {
                        Set<Anomaly> found = EnumSet.noneOf(Anomaly.class);
                        for (Anomaly anomaly : Anomaly.values()) {
                            if ((!readOnly || anomaly.concernsReaders())
                                    && happens(anomaly, url, statement, level.getValue(), readOnly)) {
                                found.add(anomaly);
                            }
                        }
                        table.add(level.getKey(), through, readOnly, found);
                    }
                }
                statement.execute("SHUTDOWN");
            }
        }
        assertEquals(expected(engine), table.toString());
        table.check(engine.endsWith("locks"));
    }

    private static boolean happens(Anomaly anomaly, String url, Statement owner, int level, boolean readOnly)
            throws Exception {
        owner.execute("DELETE FROM t");
        owner.execute("INSERT INTO t VALUES (1, 0), (2, 0)");
        try (Actor reader = actor(url, level, readOnly);
                Actor writer = actor(url, level, false);
                Actor other = actor(url, level, false)) {
            return anomaly.happens(reader, writer, other);
        }
    }

    private static Actor actor(String url, int level, boolean readOnly) throws SQLException {
        Connection connection = DriverManager.getConnection(url, "SA", "");
        connection.setTransactionIsolation(level);
        connection.setReadOnly(readOnly);
        return new Actor(connection);
    }

    private static String expected(String engine) throws IOException {
        try (InputStream table = IsolationTest.class.getResourceAsStream(engine + ".txt")) {
            return table == null ? "" : new String(table.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** A table of results. */
    private static final class Table {
        private record Key(String level, boolean through, boolean readOnly) {}

        private final Map<Key, Set<Anomaly>> rows = new LinkedHashMap<>();

        void add(String level, boolean through, boolean readOnly, Set<Anomaly> found) {
            rows.put(new Key(level, through, readOnly), found);
        }

        /**
         * Checks the results.
         *
         * @param locks whether the engine keeps updates serializable by locks
         */
        void check(boolean locks) {
            rows.forEach((key, found) -> {
                if (key.through && key.readOnly) {
                    Set<Anomaly> torn = EnumSet.copyOf(found);
                    torn.remove(Anomaly.READ_ONLY);
                    assertEquals(Set.of(), torn, key.toString());
                } else if (key.through) {
                    assertEquals(rows.get(new Key(key.level, false, false)), found, key.toString());
                }
                if (locks && (key.level.equals("SERIALIZABLE") || key.level.equals("REPEATABLE READ"))) {
                    assertTrue(found.isEmpty(), key + ": " + found);
                }
            });
        }

        @Override
        public String toString() {
            StringBuilder text = new StringBuilder();
            rows.forEach((key, found) -> {
                StringJoiner anomalies = new StringJoiner(", ");
                found.forEach(anomaly -> anomalies.add(anomaly.words()));
                text.append(key.level)
                        .append(key.through ? ", through Multimed" : ", alone")
                        .append(key.readOnly ? ", read-only: " : ", update: ")
                        .append(found.isEmpty() ? "none" : anomalies)
                        .append('\n');
            });
            return text.toString();
        }
    }
}
