package io.multimed.bench.tpcc.check;

/**
 * The transactions that were acknowledged to clients as committed.
 *
 * @param orders entered
 * @param payments made
 * @param delivered orders
 * @param unanswered writing transactions whose COMMIT was never answered; each may have entered or paid or delivered
 */
public record TpccExpected(long orders, long payments, long delivered, long unanswered) {}
