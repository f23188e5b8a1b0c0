package io.multimed.bench.tpcc.workload;

import io.multimed.bench.client.PreparedSql;
import io.multimed.bench.load.Text;
import io.multimed.bench.tpcc.population.TpccScale;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.random.RandomGenerator;

/** The Payment transaction. */
record Paying(PreparedSql sql, TpccScale scale, RandomGenerator random, Customers customers) {
    private static final int REMOTE_PER_CENT = 15;
    private static final int LONGEST_DATA = 500;

    private static final String WAREHOUSE_PAID = "UPDATE warehouse SET w_ytd = w_ytd + ? WHERE w_id = ?";
    private static final String WAREHOUSE =
            "SELECT w_name, w_street_1, w_street_2, w_city, w_state, w_zip FROM warehouse WHERE w_id = ?";
    private static final String DISTRICT_PAID = "UPDATE district SET d_ytd = d_ytd + ? WHERE d_w_id = ? AND d_id = ?";
    private static final String DISTRICT =
            "SELECT d_name, d_street_1, d_street_2, d_city, d_state, d_zip FROM district WHERE d_w_id = ? AND d_id = ?";
    private static final String CUSTOMER = """
            SELECT c_credit, c_first, c_middle, c_last, c_street_1, c_street_2, c_city, c_state, c_zip, c_phone, c_since,
                   c_credit_lim, c_discount, c_balance FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?""";
    private static final String DATA = "SELECT c_data FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?";
    private static final String CUSTOMER_PAID = """
            UPDATE customer SET c_balance = c_balance - ?, c_ytd_payment = c_ytd_payment + ?,
                   c_payment_cnt = c_payment_cnt + 1 WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?""";
    private static final String NOTE = "UPDATE customer SET c_data = ? WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?";
    private static final String RECORD = """
            INSERT INTO history (h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_date, h_amount, h_data)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)""";

    Done payment() throws SQLException {
        int warehouse = customers.warehouse();
        int district = customers.district();
        boolean remote = scale.warehouses() > 1 && random.nextInt(100) < REMOTE_PER_CENT;
        int home = warehouse;
        while (remote && home == warehouse) {
            home = customers.warehouse();
        }
        int homeDistrict = remote ? customers.district() : district;
        BigDecimal amount = BigDecimal.valueOf(Text.number(random, 100, 500_000), 2);
        sql.change(WAREHOUSE_PAID, amount, warehouse);
        String place = sql.only(row -> row.getString(1), WAREHOUSE, warehouse);
        sql.change(DISTRICT_PAID, amount, warehouse, district);
        String part = sql.only(row -> row.getString(1), DISTRICT, warehouse, district);
        int customer = customers.find(home, homeDistrict);
        String credit = sql.only(row -> row.getString(1), CUSTOMER, home, homeDistrict, customer);
        sql.change(CUSTOMER_PAID, amount, amount, home, homeDistrict, customer);
        if (credit.equals("BC")) {
            String data = sql.only(row -> row.getString(1), DATA, home, homeDistrict, customer);
            String noted = customer + " " + homeDistrict + " " + home + " " + district + " " + warehouse + " " + amount
                    + " " + data;
            sql.change(NOTE, noted.substring(0, Math.min(LONGEST_DATA, noted.length())), home, homeDistrict, customer);
        }
        sql.change(
                RECORD,
                customer,
                homeDistrict,
                home,
                district,
                warehouse,
                Ordering.now(),
                amount,
                place + "    " + part);
        return new Done(0, 1, 0);
    }
}
