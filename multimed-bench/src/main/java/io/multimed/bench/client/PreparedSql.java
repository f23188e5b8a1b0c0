package io.multimed.bench.client;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Executes prepared statements in one line. Whole results are fetched; of each row the values that the client needs are
 * decoded.
 */
public final class PreparedSql {
    /** A reader of one row, by the names of its columns. */
    public interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** A statement that pgjdbc sends together with the next one, so that it costs no round trip. */
    private static final String RAISE = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; ";

    private @Nullable Connection connection;
    private long statements;
    /** Whether the transaction has yet to be raised to repeatable read. */
    private boolean raises;
    /** The statement by which the transaction has yet to begin; empty if none is needed. */
    private String start = "";

    /** Sends statements to this connection from now on. */
    public PreparedSql use(Connection another) {
        connection = another;
        return this;
    }

    /**
     * Begins a transaction.
     *
     * @param by the statement that is sent before its first one; empty for none
     * @param raised to repeatable read, by its first statement
     */
    void begin(String by, boolean raised) {
        statements = 0;
        start = by;
        raises = raised;
    }

    /** Rolls the transaction back; it then does not count as one. */
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

    /** Returns the one row that must be there. */
    public <T> T only(Reader<T> reader, String sql, Object... values) throws SQLException {
        return row(reader, sql, values)
                .orElseThrow(() -> new WrongAnswerException("no row: " + sql + " " + List.of(values)));
    }

    /** Returns the numbers in the first column. */
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

    /** Returns the number of statements executed in the present transaction, refused ones included. */
    long statements() {
        return statements;
    }

    private PreparedStatement prepared(String sql, Object... values) throws SQLException {
        statements++;
        begin();
        PreparedStatement statement = open().prepareStatement(raises ? RAISE + sql : sql);
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        return statement;
    }

    private void begin() throws SQLException {
        if (!start.isEmpty()) {
            try (Statement statement = open().createStatement()) {
                statement.execute(start);
            }
            start = "";
        }
    }

    /** Executes the statement and proceeds to its own result. */
    private void execute(PreparedStatement statement) throws SQLException {
        statement.execute();
        if (raises) {
            raises = false;
            statement.getMoreResults();
        }
    }
}
