package io.multimed.bench.tpcw.population;

import java.util.List;

/**
 * The size of a database of TPC-W.
 *
 * @param ebs emulated browsers, which determine the number of customers
 * @param items one of {@link #ITEMS}
 */
public record TpcwScale(int ebs, int items) {
    /** The sizes that TPC-W defines. */
    public static final List<Integer> ITEMS = List.of(1_000, 10_000, 100_000, 1_000_000, 10_000_000);

    /** Largest size at which every id is an int, including that of order lines. */
    public static final int MOST_EBS = 200_000;

    private static final int CUSTOMERS_PER_EB = 2880;
    /** Estimates for PostgreSQL with indexes: 5.0 MB for each emulated browser, 1.5 kB for each item and its author. */
    private static final long BYTES_PER_EB = 5_000_000;

    private static final long BYTES_PER_ITEM = 1_500;
    private static final long BYTES_OF_EMPTY_CLUSTER = 60_000_000;

    public TpcwScale {
        if (ebs < 1 || ebs > MOST_EBS) {
            throw new IllegalArgumentException("emulated browsers: " + ebs);
        }
        if (!ITEMS.contains(items)) {
            throw new IllegalArgumentException("items: " + items);
        }
    }

    public int customers() {
        return ebs * CUSTOMERS_PER_EB;
    }

    public int addresses() {
        return 2 * customers();
    }

    public int authors() {
        return items / 4;
    }

    public int orders() {
        return (int) (customers() * 9L / 10);
    }

    /** Returns the number of distinct author names that searches look for. */
    public int authorKeys() {
        return items / 10;
    }

    /** Returns the number of distinct words of titles that searches look for. */
    public int titleKeys() {
        return items / 5;
    }

    /** Returns the cluster's size on disk, estimated before there is one. */
    public long estimatedBytes() {
        return BYTES_OF_EMPTY_CLUSTER + ebs * BYTES_PER_EB + items * BYTES_PER_ITEM;
    }
}
