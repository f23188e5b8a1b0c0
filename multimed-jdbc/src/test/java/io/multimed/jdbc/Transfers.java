package io.multimed.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Transactions that keep a sum constant: {@code account (id, balance)}. */
public final class Transfers {
    private Transfers() {}

    /** Moves one unit from an account to another. Tries again after a conflict, until it succeeds. */
    public static void transfer(DataSource pool, int from, int to) throws SQLException {
        while (true) {
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                try (PreparedStatement update =
                        connection.prepareStatement("UPDATE account SET balance = balance + ? WHERE id = ?")) {
                    update.setInt(1, -1);
                    update.setInt(2, Math.min(from, to));
                    update.executeUpdate();
                    update.setInt(1, 1);
                    update.setInt(2, Math.max(from, to));
                    update.executeUpdate();
                    connection.commit();
                    return;
                } catch (SQLException e) {
                    connection.rollback();
                    if (!e.getSQLState().startsWith("40")) {
                        throw e;
                    }
                }
            }
        }
    }
}
