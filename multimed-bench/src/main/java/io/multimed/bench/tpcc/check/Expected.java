package io.multimed.bench.tpcc.check;

/**
 * What clients were told is committed.
 *
 * @param orders entered
 * @param payments made
 * @param delivered orders
 * @param unanswered writing transactions whose COMMIT was never answered; each may have entered or paid or delivered
 */
public record Expected(long orders, long payments, long delivered, long unanswered) {}
