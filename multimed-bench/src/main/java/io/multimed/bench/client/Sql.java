package io.multimed.bench.client;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Prepared statements in one line. Whole results are fetched; of each row is decoded what the client needs. */
public final class Sql {
    /** One row, by the names of its columns. */
    public interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** Sent together with what it stands before, by pgjdbc: no further way there and back. */
    private static final String RAISE = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; ";

    private @Nullable Connection connection;
    private long statements;
    /** The transaction has yet to be raised to repeatable read. */
    private boolean raises;

    /** From now on they go to this connection. */
    public Sql use(Connection another) {
        connection = another;
        return this;
    }

    /**
     * A transaction begins.
     *
     * @param raised to repeatable read, by its first statement
     */
    void begin(boolean raised) {
        statements = 0;
        raises = raised;
    }

    /** Takes back what the transaction has done; it was none then. */
    public void rollBack() throws SQLException {
        open().rollback();
        statements = 0;
    }

    private Connection open() throws SQLException {
        if (connection == null) {
            throw new SQLException("not connected", "08003");
        }
        return connection;
    }

    public <T> List<T> rows(Reader<T> reader, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = prepared(sql, values)) {
            execute(statement);
            List<T> rows = new ArrayList<>();
            try (ResultSet result = statement.getResultSet()) {
                while (result.next()) {
                    rows.add(reader.read(result));
                }
            }
            return rows;
        }
    }

    public <T> Optional<T> row(Reader<T> reader, String sql, Object... values) throws SQLException {
        List<T> rows = rows(reader, sql, values);
        return rows.isEmpty() ? Optional.empty() : Optional.of(rows.getFirst());
    }

    /** The one row that must be there. */
    public <T> T only(Reader<T> reader, String sql, Object... values) throws SQLException {
        return row(reader, sql, values)
                .orElseThrow(() -> new WrongAnswerException("no row: " + sql + " " + List.of(values)));
    }

    /** The numbers in the first column. */
    public List<Integer> numbers(String sql, Object... values) throws SQLException {
        return rows(row -> row.getInt(1), sql, values);
    }

    public int number(String sql, Object... values) throws SQLException {
        return only(row -> row.getInt(1), sql, values);
    }

    /** @return how many rows were changed */
    public int change(String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = prepared(sql, values)) {
            execute(statement);
            return statement.getUpdateCount();
        }
    }

    /** Executed in the present transaction, refused ones included. */
    long statements() {
        return statements;
    }

    private PreparedStatement prepared(String sql, Object... values) throws SQLException {
        statements++;
        PreparedStatement statement = open().prepareStatement(raises ? RAISE + sql : sql);
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        return statement;
    }

    /** To the result of the statement itself. */
    private void execute(PreparedStatement statement) throws SQLException {
        statement.execute();
        if (raises) {
            raises = false;
            statement.getMoreResults();
        }
    }
}
