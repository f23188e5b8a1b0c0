package io.multimed.bench.tpcc.workload;

/** The transactions of TPC-C, with the clauses that define them. */
public enum Kind {
    /** 2.4. */
    NEWO("New-Order", false),
    /** 2.5. */
    PAYM("Payment", false),
    /** 2.6. */
    ORDS("Order-Status", true),
    /** 2.7. */
    DLVY("Delivery", false),
    /** 2.8. */
    STOK("Stock-Level", true);

    private final String title;
    private final boolean readOnly;

    Kind(String title, boolean readOnly) {
        this.title = title;
        this.readOnly = readOnly;
    }

    public String title() {
        return title;
    }

    public boolean readOnly() {
        return readOnly;
    }
}
