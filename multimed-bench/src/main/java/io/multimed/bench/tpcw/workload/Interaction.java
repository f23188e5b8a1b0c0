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
}
