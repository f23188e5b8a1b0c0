package io.multimed.bench.tpcc.workload;

/** The transactions of TPC-C, with the clauses that define them. */
public enum Kind {
    /** Clause 2.4. */
    NEWO("New-Order", false),
    /** Clause 2.5. */
    PAYM("Payment", false),
    /** Clause 2.6. */
    ORDS("Order-Status", true),
    /** Clause 2.7. */
    DLVY("Delivery", false),
    /** Clause 2.8. */
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
