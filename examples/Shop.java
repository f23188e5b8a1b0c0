import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A shop on three H2 databases that are one: the master executes every change, two satellites have the same data and
 * answer reads. Only the URL differs from a program for H2.
 *
 * <pre>
 *   ./multimed build
 *   java -cp multimed-jdbc/target/multimed-jdbc-0.1.0-SNAPSHOT.jar:h2-2.5.252.jar examples/Shop.java
 * </pre>
 *
 * Another URL as the first argument: jdbc:multimed:hsqldb:mem:shop;replicas=3, or jdbc:h2:mem:shop for H2 alone.
 */
public final class Shop {
    private Shop() {}

    public static void main(String[] arguments) throws SQLException {
        String url = arguments.length > 0 ? arguments[0] : "jdbc:multimed:h2:mem:shop;replicas=3";
        try (Connection connection = DriverManager.getConnection(url, "SA", "")) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE ITEM(ID INT PRIMARY KEY, NAME VARCHAR(40), STOCK INT)");
            }
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO ITEM VALUES (?, ?, ?)")) {
                for (int id = 1; id <= 1_000; id++) {
                    insert.setInt(1, id);
                    insert.setString(2, "item " + id);
                    insert.setInt(3, 10);
                    insert.addBatch();
                }
                insert.executeBatch();
            }
            sell(connection, 7);
            // A read by itself: runs on a satellite that has what was just sold.
            System.out.println("stock of item 7: " + value(connection, "SELECT STOCK FROM ITEM WHERE ID = 7"));
            report(connection);
            if (url.startsWith("jdbc:multimed:")) {
                System.out.println("where the last transaction ran, and why: " + value(connection, "SHOW multimed.route"));
                nodes(connection);
            }
        }
    }

    /** An update transaction, on the Master. */
    private static void sell(Connection connection, int item) throws SQLException {
        connection.setAutoCommit(false);
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE ITEM SET STOCK = STOCK - 1 WHERE ID = ? AND STOCK > 0")) {
            update.setInt(1, item);
            if (update.executeUpdate() == 1) {
                connection.commit();
            } else {
                connection.rollback();
            }
        }
        connection.setAutoCommit(true);
    }

    /** A read-only transaction: all its queries see one snapshot. */
    private static void report(Connection connection) throws SQLException {
        connection.setReadOnly(true);
        connection.setAutoCommit(false);
        System.out.println("items: " + value(connection, "SELECT COUNT(*) FROM ITEM") + ", in stock: "
                + value(connection, "SELECT SUM(STOCK) FROM ITEM"));
        connection.commit();
        connection.setAutoCommit(true);
        connection.setReadOnly(false);
    }

    private static String value(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getString(1);
        }
    }

    private static void nodes(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet nodes = statement.executeQuery("SHOW MULTIMED NODES")) {
            while (nodes.next()) {
                System.out.println(nodes.getString("NODE") + ": " + nodes.getString("STATE") + ", has "
                        + nodes.getLong("APPLIED") + " commits, has served " + nodes.getLong("SERVED")
                        + " reads");
            }
        }
    }
}
