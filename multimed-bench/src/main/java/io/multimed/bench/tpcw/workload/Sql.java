package io.multimed.bench.tpcw.workload;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Prepared statements in one line. Whole results are fetched; of each row is decoded what the client needs. */
final class Sql {
    /** One row, by the names of its columns. */
    interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    private final Connection connection;
    private long statements;

    Sql(Connection connection) {
        this.connection = connection;
    }

    <T> List<T> rows(Reader<T> reader, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = prepared(sql, values);
                ResultSet result = statement.executeQuery()) {
            List<T> rows = new ArrayList<>();
            while (result.next()) {
                rows.add(reader.read(result));
            }
            return rows;
        }
    }

    <T> Optional<T> row(Reader<T> reader, String sql, Object... values) throws SQLException {
        List<T> rows = rows(reader, sql, values);
        return rows.isEmpty() ? Optional.empty() : Optional.of(rows.getFirst());
    }

    /** The one row that must be there. */
    <T> T only(Reader<T> reader, String sql, Object... values) throws SQLException {
        return row(reader, sql, values)
                .orElseThrow(() -> new WrongAnswerException("no row: " + sql + " " + List.of(values)));
    }

    /** The numbers in the first column. */
    List<Integer> numbers(String sql, Object... values) throws SQLException {
        return rows(row -> row.getInt(1), sql, values);
    }

    int number(String sql, Object... values) throws SQLException {
        return only(row -> row.getInt(1), sql, values);
    }

    /** @return how many rows were changed */
    int change(String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = prepared(sql, values)) {
            return statement.executeUpdate();
        }
    }

    /** Executed so far, refused ones included. */
    long statements() {
        return statements;
    }

    private PreparedStatement prepared(String sql, Object... values) throws SQLException {
        statements++;
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        return statement;
    }
}
