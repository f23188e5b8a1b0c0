package io.multimed.bench.tpcc.workload;

/**
 * What a transaction has come to.
 *
 * @param orders entered
 * @param payments made
 * @param delivered orders
 */
record Done(int orders, int payments, int delivered) {
    static final Done NOTHING = new Done(0, 0, 0);
}
