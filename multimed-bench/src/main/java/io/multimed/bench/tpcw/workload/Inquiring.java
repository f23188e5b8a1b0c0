package io.multimed.bench.tpcw.workload;

import io.multimed.bench.client.PreparedSql;
import io.multimed.bench.client.WrongAnswerException;
import io.multimed.bench.tpcw.population.DigSyl;
import io.multimed.bench.tpcw.population.TpcwScale;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** The interactions CREG, ORDI and ORDD: a customer's own data and orders. */
record Inquiring(PreparedSql sql, TpcwScale scale, RandomGenerator random) {
    private static final String USER_NAME = "SELECT c_uname FROM customer WHERE c_id = ?";
    private static final String PASSWORD = "SELECT c_passwd FROM customer WHERE c_uname = ?";
    private static final String NEWEST = """
            SELECT o_id FROM customer, orders WHERE c_id = o_c_id AND c_uname = ?
             ORDER BY o_date DESC, o_id DESC LIMIT 1""";
    private static final String ORDER = """
            SELECT orders.*, customer.*, cc_xacts.cx_type,
                   ship.addr_street1 AS ship_street1, ship.addr_street2 AS ship_street2, ship.addr_city AS ship_city,
                   ship.addr_state AS ship_state, ship.addr_zip AS ship_zip, ship_country.co_name AS ship_country,
                   bill.addr_street1 AS bill_street1, bill.addr_street2 AS bill_street2, bill.addr_city AS bill_city,
                   bill.addr_state AS bill_state, bill.addr_zip AS bill_zip, bill_country.co_name AS bill_country
              FROM orders
              JOIN customer ON c_id = o_c_id
              JOIN cc_xacts ON cx_o_id = o_id
              JOIN address ship ON ship.addr_id = o_ship_addr_id
              JOIN country ship_country ON ship_country.co_id = ship.addr_co_id
              JOIN address bill ON bill.addr_id = o_bill_addr_id
              JOIN country bill_country ON bill_country.co_id = bill.addr_co_id
             WHERE o_id = ?""";
    private static final String LINES =
            "SELECT * FROM order_line, item WHERE ol_i_id = i_id AND ol_o_id = ? ORDER BY ol_id";

    InteractionOutcome registration(Visit visit) throws SQLException {
        return nameOf(visit);
    }

    InteractionOutcome inquiry(Visit visit) throws SQLException {
        return nameOf(visit);
    }

    private InteractionOutcome nameOf(Visit visit) throws SQLException {
        if (visit.known()) {
            sql.only(row -> row.getString(1), USER_NAME, visit.customer());
        }
        return InteractionOutcome.of(then -> {});
    }

    /** Displays the customer's newest order. A customer who is not known yet logs in as one of the population. */
    InteractionOutcome display(Visit visit) throws SQLException {
        int customer = visit.known() ? visit.customer() : Visit.someCustomer(scale, random);
        String name = DigSyl.of(customer, 0);
        requirePassword(name, sql.only(row -> row.getString(1), PASSWORD, name));
        Optional<Integer> order = sql.row(row -> row.getInt(1), NEWEST, name);
        if (order.isPresent()) {
            sql.only(row -> row.getInt("o_id"), ORDER, order.get());
            if (sql.numbers(LINES, order.get()).isEmpty()) {
                throw new WrongAnswerException("order " + order.get() + " has no line");
            }
        }
        return InteractionOutcome.of(then -> then.identified(customer));
    }

    static void requirePassword(String name, String password) throws WrongAnswerException {
        if (!password.equals(name.toLowerCase(Locale.ROOT))) {
            throw new WrongAnswerException("the password of " + name + " is " + password);
        }
    }
}
