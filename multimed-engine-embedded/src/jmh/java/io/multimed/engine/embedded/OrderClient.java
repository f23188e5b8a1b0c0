package io.multimed.engine.embedded;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * One client of a small shop: point and range reads, and a transaction like TPC-C's New-Order. The statements are the same with
 * and without replicas.
 */
final class OrderClient implements AutoCloseable {
    static final int ITEMS = 10_000;
    private static final int LINES = 5;

    private final EmbeddedSession session;
    private final int number;
    private final SplittableRandom random;
    private final IdentityHashMap<Connection, Reads> reads = new IdentityHashMap<>();
    private final Writes writes;
    private int orders;

    OrderClient(EmbeddedSession session, int number) throws SQLException {
        this.session = session;
        this.number = number;
        this.random = new SplittableRandom(number);
        this.writes = new Writes(session.master());
    }

    static void load(EmbeddedSession session) throws SQLException {
        for (String sql : new String[] {
            "CREATE TABLE item(id INT PRIMARY KEY, name VARCHAR(40), price DECIMAL(8, 2), stock INT)",
            "CREATE TABLE orders(id BIGINT PRIMARY KEY, client INT, total DECIMAL(10, 2))",
            "CREATE TABLE line(ord BIGINT, num INT, item INT, qty INT, info VARCHAR(30), PRIMARY KEY(ord, num))"
        }) {
            session.changeCatalog(sql, () -> {
                try (Statement statement = session.master().createStatement()) {
                    return statement.execute(sql);
                }
            });
        }
        session.beforeUpdate();
        try (PreparedStatement insert = session.master().prepareStatement("INSERT INTO item VALUES(?, ?, ?, 1000000)")) {
            for (int i = 0; i < ITEMS; i++) {
                insert.setInt(1, i);
                insert.setString(2, "item number " + i);
                insert.setInt(3, i % 100);
                insert.addBatch();
            }
            insert.executeBatch();
        } finally {
            session.afterUpdate();
        }
    }

    /** Executes one read; one in eight reads twenty rows. */
    int read() throws SQLException {
        Replica replica = session.beginRead(true);
        try {
            Connection connection = replica.connection();
            Reads statements = reads.get(connection);
            if (statements == null) {
                statements = new Reads(connection);
                reads.put(connection, statements);
            }
            return statements.run(random);
        } finally {
            replica.endRead();
        }
    }

    void write() throws SQLException {
        session.autoCommit(false);
        session.beforeUpdate();
        writes.order((long) number << 40 | orders++, number, random);
        session.afterUpdate();
        session.commit();
        session.autoCommit(true);
    }

    @Override
    public void close() throws SQLException {
        session.close();
    }

    private static final class Reads {
        private final PreparedStatement point;
        private final PreparedStatement range;

        Reads(Connection connection) throws SQLException {
            point = connection.prepareStatement("SELECT name, price, stock FROM item WHERE id = ?");
            range = connection.prepareStatement("SELECT name, stock FROM item WHERE id >= ? AND id < ?");
        }

        int run(SplittableRandom random) throws SQLException {
            int id = random.nextInt(ITEMS - 20);
            PreparedStatement statement = random.nextInt(8) == 0 ? range : point;
            statement.setInt(1, id);
            if (statement == range) {
                statement.setInt(2, id + 20);
            }
            int sum = 0;
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    sum += rows.getString(1).length() + rows.getInt(2);
                }
            }
            return sum;
        }
    }

    private static final class Writes {
        private final PreparedStatement price;
        private final PreparedStatement take;
        private final PreparedStatement order;
        private final PreparedStatement line;

        Writes(Connection connection) throws SQLException {
            price = connection.prepareStatement("SELECT price FROM item WHERE id = ?");
            take = connection.prepareStatement("UPDATE item SET stock = stock - 1 WHERE id = ?");
            order = connection.prepareStatement("INSERT INTO orders VALUES(?, ?, ?)");
            line = connection.prepareStatement("INSERT INTO line VALUES(?, ?, ?, ?, 'as usual')");
        }

        void order(long id, int client, SplittableRandom random) throws SQLException {
            int total = 0;
            int first = random.nextInt(ITEMS - LINES);
            for (int i = 0; i < LINES; i++) {
                // In the order of their keys, so that no two clients block each other.
                int item = first + i;
                price.setInt(1, item);
                try (ResultSet row = price.executeQuery()) {
                    row.next();
                    total += row.getInt(1);
                }
                take.setInt(1, item);
                take.executeUpdate();
                line.setLong(1, id);
                line.setInt(2, i);
                line.setInt(3, item);
                line.setInt(4, 1);
                line.executeUpdate();
            }
            order.setLong(1, id);
            order.setInt(2, client);
            order.setInt(3, total);
            order.executeUpdate();
        }
    }
}
