package io.multimed.bench.tpcw.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.bench.BenchDatabase;
import io.multimed.bench.report.Run;
import io.multimed.bench.series.Convergence;
import io.multimed.bench.tpcw.population.Table;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each invariant holds after loading, and its check finds contradictions. */
@Tag("slow")
class InvariantsTest {
    private static final TpcwExpected NOTHING = new TpcwExpected(0, 0, 0, 0, BenchDatabase.CLIENTS);

    private static final List<String> TABLES =
            Arrays.stream(Table.values()).map(Table::sqlName).toList();

    private static BenchDatabase database;
    private Connection connection;

    @BeforeAll
    static void load() throws Exception {
        database = new BenchDatabase();
    }

    @AfterAll
    static void end() throws Exception {
        database.close();
    }

    @BeforeEach
    void begin() throws Exception {
        connection = database.open();
        connection.setAutoCommit(false);
        // This setting allows changes that foreign keys forbid; they are rolled back in the end.
        execute("SET LOCAL session_replication_role = replica");
    }

    @AfterEach
    void rollBack() throws Exception {
        connection.rollback();
        connection.close();
    }

    private void execute(String sql) throws Exception {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private List<Run.Check> contradicted(TpcwExpected expected) throws Exception {
        return Invariants.check(connection, database.before, expected).stream()
                .filter(verdict -> !verdict.holds())
                .toList();
    }

    @Test
    void allHoldAfterLoading() throws Exception {
        assertEquals(List.of(), contradicted(NOTHING));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            growth                | DELETE FROM customer WHERE c_id = 5
            growth                | INSERT INTO address SELECT 99999, 'a', 'b', 'c', 'd', 'e', 1
            card transaction      | DELETE FROM cc_xacts WHERE cx_o_id = 9
            lines 1 to n          | DELETE FROM order_line WHERE ol_o_id = 9
            lines 1 to n          | UPDATE order_line SET ol_id = 9 WHERE ol_id = 1 AND ol_o_id = 9
            stock                 | UPDATE item SET i_stock = i_stock - 1 WHERE i_id = 3
            stock                 | UPDATE item SET i_stock = i_stock + 1 WHERE i_id = 3
            stock                 | UPDATE item SET i_stock = i_stock + 21 WHERE i_id = 3
            named                 | UPDATE customer SET c_uname = 'BABA' WHERE c_id = 7
            named                 | UPDATE customer SET c_passwd = 'x' WHERE c_id = 7
            references            | UPDATE item SET i_a_id = 0 WHERE i_id = 3
            references            | UPDATE item SET i_related3 = 99999 WHERE i_id = 3
            references            | UPDATE item SET i_related3 = i_related4 WHERE i_id = 3
            references            | UPDATE item SET i_related3 = i_id WHERE i_id = 3
            references            | UPDATE customer SET c_addr_id = 0 WHERE c_id = 3
            references            | UPDATE address SET addr_co_id = 0 WHERE addr_id = 3
            references            | UPDATE orders SET o_c_id = 0 WHERE o_id = 3
            references            | UPDATE orders SET o_ship_addr_id = 0 WHERE o_id = 3
            references            | UPDATE orders SET o_bill_addr_id = 0 WHERE o_id = 3
            references            | UPDATE order_line SET ol_i_id = 0 WHERE ol_o_id = 3
            references            | UPDATE cc_xacts SET cx_co_id = 0 WHERE cx_o_id = 3
            carts                 | INSERT INTO shopping_cart VALUES (99, now())
            carts                 | INSERT INTO shopping_cart_line VALUES (99, 1, 1)
            carts                 | INSERT INTO shopping_cart_line VALUES (1, 1, 0)
            """)
    void whatContradictsAnInvariantIsNoticed(String invariant, String change) throws Exception {
        execute(change);
        List<Run.Check> found = contradicted(NOTHING);
        assertTrue(found.stream().anyMatch(verdict -> verdict.invariant().contains(invariant)), found.toString());
    }

    /** A new order of one line, as BUYC writes it, but for what is put in its place. */
    private void order(String total, String charged, String country, int quantity) throws Exception {
        execute("INSERT INTO orders SELECT 50000, o_c_id, now(), 100.00, 8.25, " + total
                + ", 'AIR', now(), o_bill_addr_id, o_ship_addr_id, 'PENDING' FROM orders WHERE o_id = 1");
        execute("INSERT INTO order_line VALUES (50000, 1, 3, " + quantity + ", 0.10, 'x')");
        execute("UPDATE item SET i_stock = CASE WHEN i_stock - " + quantity + " < 10 THEN i_stock - " + quantity
                + " + 21 ELSE i_stock - " + quantity + " END WHERE i_id = 3");
        execute("INSERT INTO cc_xacts SELECT 50000, 'VISA', '1', 'n', now(), 'a', " + charged + ", now(), " + country
                + " FROM orders, address WHERE o_id = 50000 AND addr_id = o_ship_addr_id");
    }

    @Test
    void anOrderThatWasToldAndAddsUpIsRight() throws Exception {
        order("113.25", "113.25", "addr_co_id", 2);
        assertEquals(List.of(), contradicted(new TpcwExpected(1, 0, 0, 0, BenchDatabase.CLIENTS)));
    }

    @Test
    void anOrderWithoutAnswerMayBeThereOrNot() throws Exception {
        assertEquals(List.of(), contradicted(new TpcwExpected(0, 0, 0, 1, BenchDatabase.CLIENTS)));
        order("113.25", "113.25", "addr_co_id", 2);
        assertEquals(List.of(), contradicted(new TpcwExpected(0, 0, 0, 1, BenchDatabase.CLIENTS)));
        assertEquals(1, contradicted(NOTHING).size());
    }

    @ParameterizedTest
    @CsvSource({"113.24,113.24,addr_co_id", "113.25,113.24,addr_co_id", "113.25,113.25,addr_co_id % 92 + 1"})
    void anOrderThatDoesNotAddUpIsNoticed(String total, String charged, String country) throws Exception {
        order(total, charged, country, 2);
        List<Run.Check> found = contradicted(new TpcwExpected(1, 0, 0, 0, BenchDatabase.CLIENTS));
        assertEquals("new orders add up", found.getFirst().invariant(), found.toString());
    }

    @Test
    void stockOutsideItsBoundsIsNoticedThoughTheSumIsRight() throws Exception {
        order("113.25", "113.25", "addr_co_id", 2);
        execute("UPDATE item SET i_stock = i_stock + 210 WHERE i_id = 3");
        List<Run.Check> found = contradicted(new TpcwExpected(1, 0, 0, 0, BenchDatabase.CLIENTS));
        assertTrue(found.getFirst().invariant().contains("stock"), found.toString());
    }

    @Test
    void aCopyThatDiffersIsNoticed() throws Exception {
        // No standby: the position is asked for under the name it has there.
        execute("SET LOCAL session_replication_role = origin");
        execute("CREATE SCHEMA standby");
        execute("CREATE FUNCTION standby.pg_last_wal_replay_lsn() RETURNS pg_lsn LANGUAGE sql"
                + " AS 'SELECT pg_current_wal_insert_lsn()'");
        execute("SET LOCAL search_path = standby, pg_catalog, public");
        try (Connection master = database.open()) {
            assertEquals(
                    "",
                    Convergence.check(database.node(), TABLES, master, connection, Duration.ofSeconds(5))
                            .contradiction());
            execute("UPDATE item SET i_cost = i_cost + 1 WHERE i_id = 3");
            String found = Convergence.check(database.node(), TABLES, master, connection, Duration.ofSeconds(5))
                    .contradiction();
            assertTrue(found.startsWith("item: 1000 rows"), found);
        }
    }

    @Test
    void aCopyThatDoesNotCatchUpIsNoticed() throws Exception {
        execute("CREATE SCHEMA standby");
        execute(
                "CREATE FUNCTION standby.pg_last_wal_replay_lsn() RETURNS pg_lsn LANGUAGE sql AS 'SELECT pg_lsn ''0/1'''");
        execute("SET LOCAL search_path = standby, pg_catalog, public");
        try (Connection master = database.open()) {
            String found = Convergence.check(database.node(), TABLES, master, connection, Duration.ofMillis(50))
                    .contradiction();
            assertTrue(found.contains("it is at 0/1"), found);
        }
    }
}
