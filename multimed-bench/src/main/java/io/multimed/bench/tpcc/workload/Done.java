package io.multimed.bench.tpcc.workload;

/**
 * The results of a transaction.
 *
 * @param orders entered
 * @param payments made
 * @param delivered orders
 */
record Done(int orders, int payments, int delivered) {
    static final Done NOTHING = new Done(0, 0, 0);
}
