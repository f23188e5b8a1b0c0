package io.multimed.bench.tpcw.workload;

import io.multimed.bench.client.PreparedSql;
import io.multimed.bench.client.WrongAnswerException;
import io.multimed.bench.dialect.BenchmarkDialect;
import io.multimed.bench.load.Text;
import io.multimed.bench.tpcw.population.DigSyl;
import io.multimed.bench.tpcw.population.Words;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;

/** The interactions BUYR and BUYC: the buyer, and the order. */
final class Buying {
    private static final String CUSTOMER = """
            SELECT * FROM customer, address, country
             WHERE c_addr_id = addr_id AND addr_co_id = co_id AND c_uname = ?""";
    private static final String LOGGED_IN = "UPDATE customer SET c_login = ?, c_expiration = ? WHERE c_id = ?";
    private static final String INSERT_CUSTOMER = """
            INSERT INTO customer (c_id, c_uname, c_passwd, c_fname, c_lname, c_addr_id, c_phone, c_email, c_since,
                   c_last_login, c_login, c_expiration, c_discount, c_balance, c_ytd_pmt, c_birthdate, c_data)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?)""";
    private static final String LINES = """
            SELECT scl_i_id, scl_qty, i_title, i_cost FROM shopping_cart_line, item
             WHERE scl_i_id = i_id AND scl_sc_id = ? ORDER BY scl_i_id""";
    private static final String BUYER = "SELECT c_fname, c_lname, c_discount, c_addr_id FROM customer WHERE c_id = ?";
    private static final String COUNTRY_OF = "SELECT addr_co_id FROM address WHERE addr_id = ?";
    private static final String INSERT_ORDER = """
            INSERT INTO orders (o_id, o_c_id, o_date, o_sub_total, o_tax, o_total, o_ship_type, o_ship_date,
                   o_bill_addr_id, o_ship_addr_id, o_status)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'PENDING')""";
    private static final String INSERT_LINE = """
            INSERT INTO order_line (ol_o_id, ol_id, ol_i_id, ol_qty, ol_discount, ol_comments)
            VALUES (?, ?, ?, ?, ?, ?)""";
    private static final String TAKE = """
            UPDATE item SET i_stock = CASE WHEN i_stock - ? < 10 THEN i_stock - ? + 21 ELSE i_stock - ? END
             WHERE i_id = ?""";
    private static final String INSERT_CARD = """
            INSERT INTO cc_xacts (cx_o_id, cx_type, cx_num, cx_name, cx_expire, cx_auth_id, cx_xact_amt, cx_xact_date,
                   cx_co_id)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)""";
    private static final String EMPTY = "DELETE FROM shopping_cart_line WHERE scl_sc_id = ?";

    private static final BigDecimal TAX = new BigDecimal("0.0825");
    private static final BigDecimal SHIPPING = new BigDecimal("3.00");
    /** Number of orders that are shipped to another address, among a hundred. */
    private static final int SHIPPED_ELSEWHERE = 5;

    private record Line(int item, int quantity, BigDecimal cost) {}

    private record Buyer(String name, BigDecimal discount, int address) {}

    private final PreparedSql sql;
    private final RandomGenerator random;
    private final Addresses addresses;
    private final String nextCustomer;
    private final String nextOrder;
    private final int cart;

    Buying(PreparedSql sql, BenchmarkDialect dialect, RandomGenerator random, int cart) {
        this.sql = sql;
        this.random = random;
        this.addresses = new Addresses(sql, dialect, random);
        this.nextCustomer = dialect.nextValue("customer_id");
        this.nextOrder = dialect.nextValue("orders_id");
        this.cart = cart;
    }

    InteractionOutcome request(Visit visit) throws SQLException {
        LocalDateTime now = LocalDateTime.now(ZoneId.systemDefault());
        if (visit.known()) {
            String name = DigSyl.of(visit.customer(), 0);
            Inquiring.requirePassword(name, sql.only(row -> row.getString("c_passwd"), CUSTOMER, name));
            sql.change(LOGGED_IN, now, now.plusHours(2), visit.customer());
            cartLines();
            return InteractionOutcome.of(then -> {});
        }
        Addresses.Entered address = addresses.enter();
        int id = newCustomer(address.id(), now);
        cartLines();
        return new InteractionOutcome(then -> then.identified(id), 1, address.inserted() ? 1 : 0, false);
    }

    private int newCustomer(int address, LocalDateTime now) throws SQLException {
        int id = sql.number(nextCustomer);
        String name = DigSyl.of(id, 0);
        LocalDate today = now.toLocalDate();
        sql.change(
                INSERT_CUSTOMER,
                id,
                name,
                name.toLowerCase(Locale.ROOT),
                Text.letters(random, 8, 15),
                Text.letters(random, 8, 15),
                address,
                Text.digits(random, 9, 16),
                name + "@" + Text.letters(random, 2, 9) + ".com",
                today,
                today,
                now,
                now.plusHours(2),
                new BigDecimal(Text.hundredths(Text.number(random, 0, 50))),
                today.minusDays(Text.number(random, 0, 45_000)),
                Text.letters(random, 100, 500));
        return id;
    }

    private List<Line> cartLines() throws SQLException {
        return sql.rows(
                row -> new Line(row.getInt("scl_i_id"), row.getInt("scl_qty"), row.getBigDecimal("i_cost")),
                LINES,
                cart);
    }

    InteractionOutcome confirm(Visit visit) throws SQLException {
        Buyer buyer = sql.only(
                row -> new Buyer(
                        row.getString("c_fname") + " " + row.getString("c_lname"),
                        row.getBigDecimal("c_discount"),
                        row.getInt("c_addr_id")),
                BUYER,
                visit.customer());
        List<Line> lines = cartLines();
        if (lines.isEmpty()) {
            throw new WrongAnswerException("cart " + cart + " is empty where an order is confirmed");
        }
        boolean elsewhere = random.nextInt(100) < SHIPPED_ELSEWHERE;
        Addresses.Entered ship = elsewhere
                ? addresses.enter()
                : new Addresses.Entered(buyer.address(), sql.number(COUNTRY_OF, buyer.address()), false);
        order(visit.customer(), buyer, ship, lines);
        sql.change(EMPTY, cart);
        return new InteractionOutcome(then -> then.cartShown(List.of()), 0, ship.inserted() ? 1 : 0, false);
    }

    private void order(int customer, Buyer buyer, Addresses.Entered ship, List<Line> lines) throws SQLException {
        LocalDateTime now = LocalDateTime.now(ZoneId.systemDefault());
        BigDecimal subtotal = BigDecimal.ZERO;
        int pieces = 0;
        for (Line line : lines) {
            subtotal = subtotal.add(line.cost()
                    .multiply(BigDecimal.valueOf(line.quantity()))
                    .multiply(BigDecimal.ONE.subtract(buyer.discount())));
            pieces += line.quantity();
        }
        subtotal = subtotal.setScale(2, RoundingMode.HALF_UP);
        BigDecimal tax = subtotal.multiply(TAX).setScale(2, RoundingMode.HALF_UP);
        BigDecimal total = subtotal.add(tax).add(SHIPPING).add(BigDecimal.valueOf(pieces));
        int order = sql.number(nextOrder);
        sql.change(
                INSERT_ORDER,
                order,
                customer,
                now,
                subtotal,
                tax,
                total,
                Text.oneOf(random, Words.SHIPPING),
                now.plusDays(Text.number(random, 1, 7)),
                buyer.address(),
                ship.id());
        int number = 1;
        // Lines are in the order of their items' ids, so that two orders never wait for each other's items.
        for (Line line : lines) {
            sql.change(
                    INSERT_LINE,
                    order,
                    number++,
                    line.item(),
                    line.quantity(),
                    buyer.discount(),
                    Text.letters(random, 20, 100));
            sql.change(TAKE, line.quantity(), line.quantity(), line.quantity(), line.item());
        }
        sql.change(
                INSERT_CARD,
                order,
                Text.oneOf(random, Words.CARDS),
                Text.digits(random, 16, 16),
                buyer.name().substring(0, Math.min(31, buyer.name().length())),
                now.toLocalDate().plusDays(Text.number(random, 10, 730)),
                Text.letters(random, 15, 15),
                total,
                now,
                ship.country());
    }
}
