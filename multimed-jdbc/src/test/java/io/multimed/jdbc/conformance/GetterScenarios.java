package io.multimed.jdbc.conformance;

import io.multimed.jdbc.conformance.Scenarios.Scenario;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Scenarios that call every getter of metadata without arguments. */
final class GetterScenarios {
    /** Getters that intentionally return the other database or the other connection. */
    private static final Set<String> OTHERS = Set.of("getURL", "getConnection");

    private GetterScenarios() {}

    static Map<String, Scenario> all() {
        Map<String, Scenario> all = new LinkedHashMap<>();
        all.put("all that is told of a database", GetterScenarios::ofDatabase);
        all.put("all that is told of columns", GetterScenarios::ofColumns);
        all.put("all that is told of parameters", GetterScenarios::ofParameters);
        return all;
    }

    private static List<Method> getters(Class<?> type, Class<?>... arguments) {
        return Arrays.stream(type.getMethods())
                .filter(method -> method.getDeclaringClass() == type
                        && Arrays.equals(method.getParameterTypes(), arguments)
                        && !OTHERS.contains(method.getName()))
                .sorted(Comparator.comparing(Method::getName))
                .toList();
    }

    private static void ask(Log log, Object of, Method getter, Object... arguments) {
        log.step(getter.getName() + Arrays.toString(arguments), () -> {
            try {
                Object answer = getter.invoke(of, arguments);
                // Each database has another name.
                return String.valueOf(answer instanceof ResultSet rows ? Log.rows(rows) : answer)
                        .replaceAll("[0-9A-Fa-f]{32}[aA]?", "database");
            } catch (InvocationTargetException e) {
                throw e.getCause() instanceof SQLException sql ? sql : e;
            }
        });
    }

    private static void ofDatabase(Connection connection, Log log) throws SQLException {
        for (Method getter : getters(DatabaseMetaData.class)) {
            ask(log, connection.getMetaData(), getter);
        }
    }

    private static void ofColumns(Connection connection, Log log) throws SQLException {
        Scenarios.fill(connection);
        for (boolean readOnly : new boolean[] {false, true}) {
            connection.setReadOnly(readOnly);
            try (PreparedStatement prepared = connection.prepareStatement("SELECT ID, NAME AS N, AMOUNT * 2 FROM T");
                    ResultSet result = prepared.executeQuery()) {
                columns(prepared.getMetaData(), log);
                columns(result.getMetaData(), log);
            }
        }
    }

    private static void columns(ResultSetMetaData columns, Log log) throws SQLException {
        for (Method getter : getters(ResultSetMetaData.class, int.class)) {
            for (int i = 0; i <= columns.getColumnCount() + 1; i++) {
                ask(log, columns, getter, i);
            }
        }
    }

    private static void ofParameters(Connection connection, Log log) throws SQLException {
        try (PreparedStatement prepared =
                connection.prepareStatement("SELECT ID FROM T WHERE NAME = ? AND AMOUNT > ? AND ID IN (?, 2)")) {
            ParameterMetaData parameters = prepared.getParameterMetaData();
            for (Method getter : getters(ParameterMetaData.class, int.class)) {
                for (int i = 0; i <= parameters.getParameterCount() + 1; i++) {
                    ask(log, parameters, getter, i);
                }
            }
        }
    }
}
