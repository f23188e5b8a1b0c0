package io.multimed.tests.history;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A session over JDBC, as an application would use it: read-only by {@code setReadOnly}, statements prepared. */
class JdbcHistorySession implements HistorySession {
    /** Tells whether a connection's last statement ran on the Master. */
    interface Route {
        boolean onMaster(Connection connection) throws SQLException;
    }

    static final Route ALWAYS_ON_MASTER = connection -> true;

    /** Multimed itself is asked, by the SQL for clients of PostgreSQL. */
    static final Route ASKED = connection -> {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SHOW multimed.route")) {
            result.next();
            return result.getString(1).startsWith("master");
        }
    };

    private final Connection connection;
    private final Route route;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();

    JdbcHistorySession(Connection connection, Route route) {
        this.connection = connection;
        this.route = route;
    }

    private interface Work<T> {
        T run() throws SQLException;
    }

    private <T> T tried(Work<T> work) throws Failed {
        try {
            return work.run();
        } catch (SQLException e) {
            String state = String.valueOf(e.getSQLState());
            boolean lost = state.startsWith("08");
            try {
                lost |= connection.isClosed();
            } catch (SQLException unknown) {
                lost = true;
            }
            throw new Failed(state, lost, String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void begin(Kind kind) throws Failed {
        tried(() -> {
            connection.setTransactionIsolation(
                    kind.repeatableRead
                            ? Connection.TRANSACTION_REPEATABLE_READ
                            : Connection.TRANSACTION_READ_COMMITTED);
            connection.setReadOnly(kind.readOnly);
            connection.setAutoCommit(false);
            return null;
        });
    }

    @Override
    public List<long[]> query(String sql, long... parameters) throws Failed {
        return tried(() -> {
            try (ResultSet result = bound(sql, parameters).executeQuery()) {
                List<long[]> rows = new ArrayList<>();
                int columns = result.getMetaData().getColumnCount();
                while (result.next()) {
                    long[] row = new long[columns];
                    for (int i = 0; i < columns; i++) {
                        row[i] = result.getLong(i + 1);
                    }
                    rows.add(row);
                }
                return rows;
            }
        });
    }

    @Override
    public void execute(String sql, long... parameters) throws Failed {
        tried(() -> bound(sql, parameters).execute());
    }

    private PreparedStatement bound(String sql, long... parameters) throws SQLException {
        PreparedStatement statement = prepared.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            prepared.put(sql, statement);
        }
        for (int i = 0; i < parameters.length; i++) {
            statement.setLong(i + 1, parameters[i]);
        }
        return statement;
    }

    @Override
    public void executeTogether(String sql) throws Failed {
        tried(() -> {
            try (Statement statement = connection.createStatement()) {
                return statement.execute(sql);
            }
        });
    }

    @Override
    public void commit() throws Failed {
        tried(() -> {
            connection.commit();
            return null;
        });
        autocommit();
    }

    @Override
    public void rollback() throws Failed {
        tried(() -> {
            connection.rollback();
            return null;
        });
        autocommit();
    }

    private void autocommit() throws Failed {
        tried(() -> {
            connection.setAutoCommit(true);
            connection.setReadOnly(false);
            return null;
        });
    }

    @Override
    public boolean onMaster() throws Failed {
        return tried(() -> route.onMaster(connection));
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException ignored) {
            // The session was lost before.
        }
    }
}
