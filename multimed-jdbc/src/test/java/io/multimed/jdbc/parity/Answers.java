package io.multimed.jdbc.parity;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** An application's view of a statement's results, as lines that can be compared. */
final class Answers {
    private static final Pattern QUERY = Pattern.compile("(?:SELECT|VALUES|WITH|TABLE)\\b", Pattern.CASE_INSENSITIVE);

    private Answers() {}

    static List<String> of(Connection connection, List<String> statements) {
        List<String> answers = new ArrayList<>();
        for (String sql : statements) {
            answers.add("> " + sql);
            plain(connection, sql, answers);
            if (QUERY.matcher(sql).lookingAt()
                    && !sql.toUpperCase(Locale.ROOT).contains("TABLE (")
                    && !sql.toUpperCase(Locale.ROOT).contains("NEXT")
                    // HSQLDB closes such a result set with the commit (docs/jdbc.md).
                    && !sql.toUpperCase(Locale.ROOT).contains("FOR UPDATE")) {
                prepared(connection, sql, answers);
            }
        }
        return answers;
    }

    private static void plain(Connection connection, String sql, List<String> answers) {
        try (Statement statement = connection.createStatement()) {
            boolean rows = statement.execute(sql);
            while (true) {
                if (rows) {
                    try (ResultSet result = statement.getResultSet()) {
                        add(sql, result, answers);
                    }
                } else {
                    long count = statement.getLargeUpdateCount();
                    if (count < 0) {
                        break;
                    }
                    answers.add("count " + count);
                }
                rows = statement.getMoreResults();
            }
        } catch (SQLException e) {
            answers.add(error(e));
        }
    }

    private static void prepared(Connection connection, String sql, List<String> answers) {
        try (PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet result = statement.executeQuery()) {
            answers.add("parameters " + statement.getParameterMetaData().getParameterCount());
            add(sql, result, answers);
        } catch (SQLException e) {
            answers.add(error(e));
        }
    }

    private static void add(String sql, ResultSet result, List<String> answers) throws SQLException {
        ResultSetMetaData columns = result.getMetaData();
        for (int i = 1; i <= columns.getColumnCount(); i++) {
            answers.add("column " + columns.getColumnLabel(i) + " " + columns.getColumnTypeName(i) + " "
                    + columns.getColumnType(i) + " " + columns.getPrecision(i) + " " + columns.getScale(i) + " "
                    + columns.isNullable(i) + " " + columns.isAutoIncrement(i) + " " + columns.getTableName(i) + " "
                    + columns.getColumnClassName(i));
        }
        List<String> rows = new ArrayList<>();
        while (result.next()) {
            StringBuilder row = new StringBuilder("row");
            for (int i = 1; i <= columns.getColumnCount(); i++) {
                row.append(" | ").append(masked(result.getString(i)));
            }
            rows.add(row.toString());
        }
        if (!sql.toUpperCase(Locale.ROOT).contains("ORDER BY")) {
            Collections.sort(rows);
        }
        answers.addAll(rows);
    }

    /** Masks names that engines number. */
    private static @Nullable String masked(@Nullable String value) {
        return value == null ? null : value.replaceAll("SYS_(\\w+)_\\d+", "SYS_$1_n");
    }

    static String error(SQLException e) {
        return "error " + e.getSQLState() + " " + e.getErrorCode() + " " + category(e);
    }

    /** Returns the error's class in the JDBC standard. */
    private static String category(SQLException e) {
        Class<?> type = e.getClass();
        while (!type.getName().startsWith("java.sql.")) {
            type = type.getSuperclass();
        }
        return type.getSimpleName();
    }
}
