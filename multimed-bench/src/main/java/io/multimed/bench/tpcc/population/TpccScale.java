package io.multimed.bench.tpcc.population;

/**
 * The size of a database of TPC-C.
 *
 * @param shrink divisor of TPC-C's numbers of items, customers and orders; 1 for figures
 */
public record TpccScale(int warehouses, int shrink) {
    public static final int MOST_WAREHOUSES = 2_000;
    public static final int MOST_SHRINK = 100;
    public static final int DISTRICTS = 10;

    private static final int ITEMS = 100_000;
    private static final int CUSTOMERS = 3_000;
    /** Number of delivered orders among a hundred. */
    private static final int DELIVERED = 70;

    /** Estimated size for PostgreSQL with indexes. */
    private static final long BYTES_PER_WAREHOUSE = 100_000_000;

    private static final long BYTES_OF_EMPTY_CLUSTER = 60_000_000;

    public TpccScale {
        if (warehouses < 1 || warehouses > MOST_WAREHOUSES) {
            throw new IllegalArgumentException(
                    "--warehouses: must be from 1 to " + MOST_WAREHOUSES + ", not " + warehouses);
        }
        if (shrink < 1 || shrink > MOST_SHRINK) {
            throw new IllegalArgumentException("--shrink: must be from 1 to " + MOST_SHRINK + ", not " + shrink);
        }
    }

    /** Returns the number of items; each warehouse has all of them in stock. */
    public int items() {
        return ITEMS / shrink;
    }

    /** Returns the number of customers of a district; each has made one order. */
    public int customers() {
        return CUSTOMERS / shrink;
    }

    /** Returns the last order of a district that was delivered when it was loaded. */
    int delivered() {
        return customers() * DELIVERED / 100;
    }

    /** Returns the number of distinct last names among a district's customers. */
    public int names() {
        return Math.min(1_000, customers());
    }

    /** Returns the size on disk, about the same as in memory, estimated before there is a database. */
    public long estimatedBytes() {
        return BYTES_OF_EMPTY_CLUSTER + warehouses * BYTES_PER_WAREHOUSE / shrink;
    }
}
