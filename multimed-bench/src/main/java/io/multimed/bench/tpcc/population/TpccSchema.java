package io.multimed.bench.tpcc.population;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The tables of TPC-C (1.3), in SQL that all engines understand.
 *
 * <p>Foreign keys are not declared, which the specification leaves open: the consistency conditions imply that references are
 * valid.
 */
public final class TpccSchema {
    private static final String ADDRESS =
            "%1$s_street_1 varchar(20), %1$s_street_2 varchar(20), %1$s_city varchar(20), %1$s_state char(2),"
                    + " %1$s_zip char(9), ";

    public static final List<String> TABLES = List.of(
            "CREATE TABLE warehouse (w_id int NOT NULL, w_name varchar(10), " + ADDRESS.formatted("w")
                    + "w_tax decimal(4,4), w_ytd decimal(12,2), PRIMARY KEY (w_id))",
            "CREATE TABLE district (d_w_id int NOT NULL, d_id int NOT NULL, d_name varchar(10), "
                    + ADDRESS.formatted("d")
                    + "d_tax decimal(4,4), d_ytd decimal(12,2), d_next_o_id int, PRIMARY KEY (d_w_id, d_id))",
            "CREATE TABLE customer (c_w_id int NOT NULL, c_d_id int NOT NULL, c_id int NOT NULL, c_first varchar(16),"
                    + " c_middle char(2), c_last varchar(16), " + ADDRESS.formatted("c")
                    + "c_phone char(16), c_since timestamp, c_credit char(2), c_credit_lim decimal(12,2),"
                    + " c_discount decimal(4,4), c_balance decimal(12,2), c_ytd_payment decimal(12,2), c_payment_cnt int,"
                    + " c_delivery_cnt int, c_data varchar(500), PRIMARY KEY (c_w_id, c_d_id, c_id))",
            "CREATE TABLE history (h_c_id int, h_c_d_id int, h_c_w_id int, h_d_id int, h_w_id int, h_date timestamp,"
                    + " h_amount decimal(6,2), h_data varchar(24))",
            "CREATE TABLE orders (o_w_id int NOT NULL, o_d_id int NOT NULL, o_id int NOT NULL, o_c_id int,"
                    + " o_entry_d timestamp, o_carrier_id int, o_ol_cnt int, o_all_local int,"
                    + " PRIMARY KEY (o_w_id, o_d_id, o_id))",
            "CREATE TABLE new_order (no_w_id int NOT NULL, no_d_id int NOT NULL, no_o_id int NOT NULL,"
                    + " PRIMARY KEY (no_w_id, no_d_id, no_o_id))",
            "CREATE TABLE order_line (ol_w_id int NOT NULL, ol_d_id int NOT NULL, ol_o_id int NOT NULL,"
                    + " ol_number int NOT NULL, ol_i_id int, ol_supply_w_id int, ol_delivery_d timestamp, ol_quantity int,"
                    + " ol_amount decimal(6,2), ol_dist_info char(24),"
                    + " PRIMARY KEY (ol_w_id, ol_d_id, ol_o_id, ol_number))",
            "CREATE TABLE item (i_id int NOT NULL, i_im_id int, i_name varchar(24), i_price decimal(5,2),"
                    + " i_data varchar(50), PRIMARY KEY (i_id))",
            "CREATE TABLE stock (s_w_id int NOT NULL, s_i_id int NOT NULL, s_quantity int, "
                    + String.join(
                            "",
                            IntStream.rangeClosed(1, TpccScale.DISTRICTS)
                                    .mapToObj(district -> distInfo(district) + " char(24), ")
                                    .toList())
                    + "s_ytd int, s_order_cnt int, s_remote_cnt int, s_data varchar(50), PRIMARY KEY (s_w_id, s_i_id))");

    public static final List<String> INDEXES = List.of(
            "CREATE INDEX customer_name ON customer (c_w_id, c_d_id, c_last, c_first)",
            "CREATE INDEX orders_customer ON orders (o_w_id, o_d_id, o_c_id, o_id)");

    public static final List<String> NAMES = List.of(
            "warehouse", "district", "customer", "history", "orders", "new_order", "order_line", "item", "stock");

    private TpccSchema() {}

    /** Returns the column of {@code stock} for one of the districts. */
    public static String distInfo(int district) {
        return "s_dist_" + (district < 10 ? "0" : "") + district;
    }
}
