package io.multimed.jdbc.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.jdbc.MultimedDataSource;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Wrapper;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Calls every method of {@code java.sql} that takes arguments with invalid ones. No unchecked exception may come out where the
 * engine alone throws a SQLException or succeeds, and arguments that the engine alone refuses must be refused.
 */
@Tag("slow")
class HostileArgumentsTest {
    private static final int MOST_COMBINATIONS = 12;

    /** One of the two connections that are compared: the engine's or Multimed's. */
    private static final class Side implements AutoCloseable {
        private final String url;
        private Connection connection;
        private Statement query;

        Side(String url) throws SQLException {
            this.url = url;
            this.connection = DriverManager.getConnection(url, "SA", "");
            try (Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE t(a INT NOT NULL PRIMARY KEY, b VARCHAR(20))");
                statement.execute("INSERT INTO t VALUES (1, 'one'), (2, 'two')");
            }
        }

        Object target(Class<?> type) throws SQLException {
            if (type == Connection.class) {
                return connection;
            }
            if (type == Statement.class) {
                return connection.createStatement();
            }
            if (type == PreparedStatement.class) {
                return connection.prepareStatement("SELECT a, b FROM t WHERE a > ? ORDER BY a");
            }
            if (type == DatabaseMetaData.class) {
                return connection.getMetaData();
            }
            if (query == null || query.isClosed()) {
                query = url.contains("sqlite")
                        ? connection.createStatement()
                        : connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY);
            }
            ResultSet rows = query.executeQuery("SELECT a, b FROM t ORDER BY a");
            rows.next();
            return type == ResultSet.class ? rows : rows.getMetaData();
        }

        String call(Class<?> type, Method method, Object[] arguments) throws Exception {
            Object target = target(type);
            try {
                method.invoke(target, arguments);
                return "ok";
            } catch (InvocationTargetException e) {
                return e.getCause() instanceof SQLException
                        ? "SQLException"
                        : "unchecked " + e.getCause().getClass().getSimpleName();
            } finally {
                if (type == Connection.class || (target instanceof Wrapper && connection.isClosed())) {
                    close(connection);
                    connection = DriverManager.getConnection(url, "SA", "");
                } else if (target instanceof AutoCloseable made) {
                    made.close();
                }
            }
        }

        private static void close(Connection connection) {
            try (connection) {
                if (!connection.isClosed() && !connection.getAutoCommit()) {
                    // Derby does not close a connection with an open transaction.
                    connection.rollback();
                }
            } catch (SQLException e) {
                // SQLite's driver fails on a connection that it has closed itself.
            }
        }

        @Override
        public void close() throws SQLException {
            close(connection);
            if (url.contains("h2:") || url.contains("hsqldb:")) {
                try (Connection last = DriverManager.getConnection(url, "SA", "");
                        Statement statement = last.createStatement()) {
                    statement.execute("SHUTDOWN");
                }
            }
        }
    }

    private static Object[] hostile(Class<?> type) {
        if (type == int.class) {
            return new Object[] {-1, 0, 1, Integer.MIN_VALUE, Integer.MAX_VALUE};
        }
        if (type == long.class) {
            return new Object[] {-1L, 0L, Long.MIN_VALUE, Long.MAX_VALUE};
        }
        if (type == short.class) {
            return new Object[] {Short.MIN_VALUE};
        }
        if (type == byte.class) {
            return new Object[] {Byte.MIN_VALUE};
        }
        if (type == float.class) {
            return new Object[] {Float.NaN};
        }
        if (type == double.class) {
            return new Object[] {Double.NaN};
        }
        if (type == boolean.class) {
            return new Object[] {true, false};
        }
        if (type == String.class) {
            return new Object[] {null, "", "b", "no such thing", "'", "\0", "x".repeat(70_000)};
        }
        if (type == Class.class) {
            return new Object[] {null, Object.class, Void.class, int.class};
        }
        if (type == Object.class) {
            return new Object[] {null, new Object(), Double.NaN, new int[0], Optional.class};
        }
        if (type == int[].class) {
            return new Object[] {null, new int[0], new int[] {-1}};
        }
        if (type == String[].class) {
            return new Object[] {null, new String[0], new String[] {null}, new String[] {"no such thing"}};
        }
        if (type == Object[].class) {
            return new Object[] {null, new Object[0], new Object[] {new Object()}};
        }
        if (type == byte[].class) {
            return new Object[] {null, new byte[0]};
        }
        if (type == Executor.class) {
            return new Object[] {
                null,
                (Executor) Runnable::run,
                (Executor) task -> {
                    throw new RejectedExecutionException();
                }
            };
        }
        if (type == Map.class) {
            return new Object[] {null, Map.of(), Map.of("a", String.class)};
        }
        if (type == Properties.class) {
            Properties strange = new Properties();
            strange.put("no such thing", "x");
            return new Object[] {null, new Properties(), strange};
        }
        if (type == Savepoint.class) {
            return new Object[] {
                null,
                new Savepoint() {
                    @Override
                    public int getSavepointId() {
                        return 4711;
                    }

                    @Override
                    public String getSavepointName() {
                        return "nobody's";
                    }
                }
            };
        }
        if (type == InputStream.class) {
            return new Object[] {null, InputStream.nullInputStream()};
        }
        if (type == Reader.class) {
            return new Object[] {null, new StringReader("")};
        }
        return new Object[] {null};
    }

    /** A class that no driver knows. */
    private interface Optional {}

    private static List<Object[]> combinations(Method method) {
        List<Object[]> all = new ArrayList<>(List.of((Object) new Object[0]).stream()
                .map(Object[].class::cast)
                .toList());
        for (Class<?> type : method.getParameterTypes()) {
            List<Object[]> longer = new ArrayList<>();
            for (Object[] known : all) {
                for (Object value : hostile(type)) {
                    Object[] more = Arrays.copyOf(known, known.length + 1);
                    more[known.length] = value;
                    longer.add(more);
                }
            }
            all = longer;
        }
        if (all.size() <= MOST_COMBINATIONS) {
            return all;
        }
        List<Object[]> some = new ArrayList<>();
        double step = (double) all.size() / MOST_COMBINATIONS;
        for (double at = 0; at < all.size(); at += step) {
            some.add(all.get((int) at));
        }
        return some;
    }

    private static String shown(Object[] arguments) {
        return Arrays.stream(arguments)
                .map(argument -> argument instanceof String text && text.length() > 20
                        ? "text of " + text.length()
                        : argument == null || argument instanceof Number || argument instanceof String
                                ? String.valueOf(argument)
                                : argument.getClass().getSimpleName())
                .toList()
                .toString();
    }

    /**
     * Accepted differences: JDBC requires more than the engine does, docs/jdbc.md documents it, or a replica of H2 runs out of
     * memory by itself.
     */
    private static final Set<String> EXPECTED = Set.of(
            "Connection.abort: alone ok, here SQLException",
            "ResultSet.refreshRow: alone ok, here SQLException",
            "ResultSet.updateBinaryStream: alone SQLException, here unchecked OutOfMemoryError");

    private static List<Method> methods(Class<?> type) {
        return Arrays.stream(type.getMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .filter(method -> method.getDeclaringClass().getName().startsWith("java.sql"))
                .sorted(Comparator.comparing(Method::toString))
                .toList();
    }

    private static String differences(Side alone, Side replicated, boolean uncheckedOnly) throws Exception {
        Map<String, Set<String>> different = new TreeMap<>();
        int calls = 0;
        for (Class<?> type : List.of(
                Connection.class,
                Statement.class,
                PreparedStatement.class,
                ResultSet.class,
                ResultSetMetaData.class,
                DatabaseMetaData.class)) {
            for (Method method : methods(type)) {
                for (Object[] arguments : combinations(method)) {
                    String here = replicated.call(type, method, arguments);
                    calls++;
                    if (uncheckedOnly && !here.startsWith("unchecked")) {
                        continue;
                    }
                    String there = alone.call(type, method, arguments);
                    if (here.equals(there) || (there.startsWith("unchecked") && here.equals("SQLException"))) {
                        continue;
                    }
                    String what = type.getSimpleName() + "." + method.getName() + ": alone " + there + ", here " + here;
                    if (!EXPECTED.contains(what)) {
                        different
                                .computeIfAbsent(what, unknown -> new TreeSet<>())
                                .add(shown(arguments));
                    }
                }
            }
        }
        assertTrue(calls > 1_500, calls + " calls");
        return String.join(
                "\n", different.entrySet().stream().map(Object::toString).toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void areRefusedOrTakenAsByTheEngineAlone(String engine) throws Exception {
        String name = engine + ":mem:" + UUID.randomUUID().toString().replace("-", "");
        String rest = engine.equals("h2") ? ";DB_CLOSE_DELAY=-1" : "";
        try (Side alone = new Side("jdbc:" + name + rest);
                Side replicated = new Side("jdbc:multimed:" + name + "r" + rest + ";replicas=2")) {
            assertEquals("", differences(alone, replicated, false));
        }
    }

    /** Multimed refuses more than the engine here, but never with an unchecked exception. */
    @ParameterizedTest
    @ValueSource(strings = {"derby:memory:%s;create=true", "sqlite:%s.db"})
    void letNothingUncheckedOutOfStatementsExecutedAgain(String url, @TempDir Path directory) throws Exception {
        String named = url.startsWith("sqlite")
                ? url.formatted(directory.resolve("shop"))
                : url.formatted(UUID.randomUUID().toString().replace("-", ""));
        System.setProperty("derby.stream.error.file", "target/derby.log");
        // The DriverManager may have been initialised where the drivers were not visible.
        Class.forName(url.startsWith("sqlite") ? "org.sqlite.JDBC" : "org.apache.derby.iapi.jdbc.AutoloadedDriver");
        try (Side alone = new Side("jdbc:" + named.replaceFirst("(\\.db|;create)", "a$1"));
                Side replicated = new Side("jdbc:multimed:" + named + ";replicas=2;propagation=statements")) {
            assertEquals("", differences(alone, replicated, true));
        }
    }

    @Test
    void aDataSourceThrowsNothingUnchecked() throws Exception {
        for (Method method : methods(javax.sql.DataSource.class)) {
            for (Object[] arguments : combinations(method)) {
                for (String url :
                        Arrays.asList(null, "", "jdbc:multimed:", "jdbc:h2:mem:x", "jdbc:multimed:h2:mem:", "x")) {
                    MultimedDataSource source = new MultimedDataSource();
                    source.setUrl(url);
                    try {
                        Object result = method.invoke(source, arguments);
                        if (result instanceof Connection connection) {
                            connection.close();
                        }
                    } catch (InvocationTargetException e) {
                        assertInstanceOf(
                                SQLException.class, e.getCause(), () -> method + shown(arguments) + " with " + url);
                    }
                }
            }
        }
    }

    /** For an invalid value in a URL an engine may throw errors of the JDK. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "h2:mem:%s;TIME ZONE=nowhere",
                "h2:mem:%s;MODE=nothing",
                "h2:mem:%s;DB_CLOSE_DELAY=much",
                "h2:mem:%s;CIPHER=AES",
                "h2:mem:%s;NON_KEYWORDS=(",
                "h2:mem:%s;LOCK_TIMEOUT=-1",
                "h2:mem:%s;TRACE_LEVEL_FILE=99999999999",
                "h2:mem:%s;X",
                "h2:file:\0%s",
                "h2:",
                "hsqldb:",
                "hsqldb:file:\0%s",
                "hsqldb:mem:%s;hsqldb.tx=nothing",
                "hsqldb:mem:%s;get_column_name=nothing",
                "hsqldb:res:nothing%s",
            })
    void anInvalidUrlIsRefusedAsByTheEngineAlone(String url) {
        String named = url.formatted(UUID.randomUUID().toString().replace("-", ""));
        assertEquals(connecting("jdbc:" + named), connecting("jdbc:multimed:" + named + ";replicas=2"));
    }

    private static String connecting(String url) {
        try {
            DriverManager.getConnection(url, "SA", "").close();
            return "ok";
        } catch (SQLException e) {
            return "SQLException";
        } catch (RuntimeException e) {
            return "unchecked " + e;
        }
    }
}
