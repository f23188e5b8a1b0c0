package io.multimed.bench.tpcw.workload;

/** The fourteen web interactions of TPC-W, by their codes. */
public enum Interaction {
    HOME("Home", true),
    NEWP("New Products", true),
    BESS("Best Sellers", true),
    PROD("Product Detail", true),
    SREQ("Search Request", true),
    SRES("Search Results", true),
    SHOP("Shopping Cart", false),
    CREG("Customer Registration", true),
    BUYR("Buy Request", false),
    BUYC("Buy Confirm", false),
    ORDI("Order Inquiry", true),
    ORDD("Order Display", true),
    ADMR("Admin Request", true),
    ADMC("Admin Confirm", false);

    private final String title;
    private final boolean readOnly;

    Interaction(String title, boolean readOnly) {
        this.title = title;
        this.readOnly = readOnly;
    }

    public String title() {
        return title;
    }

    /** Whether its transaction is declared read-only. */
    public boolean readOnly() {
        return readOnly;
    }

    /**
     * Whether its transaction runs under repeatable read. TPC-W requires its level 3 among updates and its level 2 among
     * readers (clause 3.1.4), at which a row that is read twice is the same. Of the read-only interactions, these two read rows
     * in several statements: an item that is promoted and found, a customer and an order. The others read once, or read other
     * rows, or are the lists of New Products and Best Sellers, which may run at level 0 (2.12.3.1, 2.13.3.2).
     */
    boolean repeatable() {
        return !readOnly || this == SRES || this == ORDD;
    }
}
