package io.multimed.bench.tpcw.population;

import java.util.Locale;

/** The tables of TPC-W, referenced ones before those that refer to them. */
public enum Table {
    COUNTRY,
    ADDRESS,
    AUTHOR,
    ITEM,
    CUSTOMER,
    ORDERS,
    ORDER_LINE,
    CC_XACTS,
    SHOPPING_CART,
    SHOPPING_CART_LINE;

    public String sqlName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
