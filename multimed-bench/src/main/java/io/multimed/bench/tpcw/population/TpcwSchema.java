package io.multimed.bench.tpcw.population;

import io.multimed.bench.dialect.BenchmarkDialect;
import java.util.List;
import java.util.stream.Stream;

/**
 * The tables of TPC-W, in SQL that all engines understand.
 *
 * <p>Ids of customers, addresses and orders come from sequences of their own, since a client draws a customer's before it
 * knows the name that goes with it.
 */
public final class TpcwSchema {
    /**
     * A table.
     *
     * @param columns with their types
     * @param key the columns of its primary key
     */
    private record Definition(String table, String columns, String key) {}

    private static final List<Definition> DEFINITIONS = List.of(
            new Definition(
                    "country",
                    "co_id int, co_name varchar(50), co_exchange decimal(12,6), co_currency varchar(18)",
                    "co_id"),
            new Definition(
                    "address",
                    "addr_id int, addr_street1 varchar(40), addr_street2 varchar(40), addr_city varchar(30),"
                            + " addr_state varchar(20), addr_zip varchar(10), addr_co_id int",
                    "addr_id"),
            new Definition(
                    "author",
                    "a_id int, a_fname varchar(20), a_lname varchar(20), a_mname varchar(20), a_dob date,"
                            + " a_bio varchar(500)",
                    "a_id"),
            new Definition(
                    "item",
                    "i_id int, i_title varchar(60), i_a_id int, i_pub_date date, i_publisher varchar(60),"
                            + " i_subject varchar(60), i_desc varchar(500), i_related1 int, i_related2 int, i_related3 int,"
                            + " i_related4 int, i_related5 int, i_thumbnail varchar(40), i_image varchar(40),"
                            + " i_srp decimal(17,2), i_cost decimal(17,2), i_avail date, i_stock int, i_isbn char(13),"
                            + " i_page int, i_backing varchar(15), i_dimensions varchar(25)",
                    "i_id"),
            new Definition(
                    "customer",
                    "c_id int, c_uname varchar(20), c_passwd varchar(20), c_fname varchar(15),"
                            + " c_lname varchar(15), c_addr_id int, c_phone varchar(16), c_email varchar(50), c_since date,"
                            + " c_last_login date, c_login timestamp, c_expiration timestamp, c_discount decimal(3,2),"
                            + " c_balance decimal(17,2), c_ytd_pmt decimal(17,2), c_birthdate date, c_data varchar(500)",
                    "c_id"),
            new Definition(
                    "orders",
                    "o_id int, o_c_id int, o_date timestamp, o_sub_total decimal(17,2), o_tax decimal(17,2),"
                            + " o_total decimal(17,2), o_ship_type varchar(10), o_ship_date timestamp, o_bill_addr_id int,"
                            + " o_ship_addr_id int, o_status varchar(15)",
                    "o_id"),
            new Definition(
                    "order_line",
                    "ol_o_id int, ol_id int, ol_i_id int, ol_qty int, ol_discount decimal(3,2),"
                            + " ol_comments varchar(100)",
                    "ol_o_id, ol_id"),
            new Definition(
                    "cc_xacts",
                    "cx_o_id int, cx_type varchar(10), cx_num varchar(16), cx_name varchar(31),"
                            + " cx_expire date, cx_auth_id char(15), cx_xact_amt decimal(17,2), cx_xact_date timestamp,"
                            + " cx_co_id int",
                    "cx_o_id"),
            new Definition("shopping_cart", "sc_id int, sc_time timestamp", "sc_id"),
            new Definition("shopping_cart_line", "scl_sc_id int, scl_i_id int, scl_qty int", "scl_sc_id, scl_i_id"));

    private static final List<String> INDEXES = List.of(
            "CREATE INDEX author_a_lname ON author (a_lname)",
            "CREATE INDEX item_i_title ON item (i_title)",
            "CREATE INDEX item_i_subject ON item (i_subject)",
            "CREATE INDEX item_i_a_id ON item (i_a_id)",
            "CREATE UNIQUE INDEX customer_c_uname ON customer (c_uname)",
            "CREATE INDEX customer_c_addr_id ON customer (c_addr_id)",
            "CREATE INDEX orders_o_c_id ON orders (o_c_id)",
            "CREATE INDEX order_line_ol_i_id ON order_line (ol_i_id)",
            "CREATE INDEX country_co_name ON country (co_name)",
            "CREATE INDEX address_addr_co_id ON address (addr_co_id)",
            "CREATE INDEX address_addr_zip ON address (addr_zip)");

    /** Constraints that need the primary keys. */
    static final List<String> FOREIGN_KEYS = List.of(
            foreignKey("item", "i_a_id", "author (a_id)"),
            foreignKey("customer", "c_addr_id", "address (addr_id)"),
            foreignKey("address", "addr_co_id", "country (co_id)"),
            foreignKey("orders", "o_c_id", "customer (c_id)"),
            foreignKey("orders", "o_bill_addr_id", "address (addr_id)"),
            foreignKey("orders", "o_ship_addr_id", "address (addr_id)"),
            foreignKey("order_line", "ol_o_id", "orders (o_id)"),
            foreignKey("order_line", "ol_i_id", "item (i_id)"),
            foreignKey("cc_xacts", "cx_o_id", "orders (o_id)"),
            foreignKey("cc_xacts", "cx_co_id", "country (co_id)"));

    private TpcwSchema() {}

    /** Returns the tables without indexes, and with their primary keys only if these come first in the dialect. */
    static List<String> tables(BenchmarkDialect dialect) {
        return DEFINITIONS.stream()
                .map(one -> "CREATE TABLE " + one.table() + " ("
                        + one.columns().replace(" timestamp", " " + dialect.timestamp())
                        + (dialect.keysWithTables() ? ", PRIMARY KEY (" + one.key() + ")" : "") + ")")
                .toList();
    }

    /** Returns statements to execute once the rows are there; none depends on another one. */
    static List<String> indexes(BenchmarkDialect dialect) {
        Stream<String> keys = dialect.keysWithTables()
                ? Stream.empty()
                : DEFINITIONS.stream()
                        .map(one -> "ALTER TABLE " + one.table() + " ADD PRIMARY KEY (" + one.key() + ")");
        return Stream.concat(keys, INDEXES.stream()).toList();
    }

    /** Returns the sequences for clients' new ids, which begin behind those of the population. */
    static List<String> sequences(TpcwScale scale) {
        return List.of(
                "CREATE SEQUENCE customer_id START WITH " + (scale.customers() + 1),
                "CREATE SEQUENCE address_id START WITH " + (scale.addresses() + 1),
                "CREATE SEQUENCE orders_id START WITH " + (scale.orders() + 1));
    }

    private static String foreignKey(String table, String column, String target) {
        // The constraint has the name that PostgreSQL would choose: engines that number theirs would have others on
        // each replica.
        return "ALTER TABLE " + table + " ADD CONSTRAINT " + table + "_" + column + "_fkey FOREIGN KEY (" + column
                + ") REFERENCES " + target;
    }
}
