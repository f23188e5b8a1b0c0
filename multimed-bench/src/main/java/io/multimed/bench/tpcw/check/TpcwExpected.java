package io.multimed.bench.tpcw.check;

/**
 * The outcomes reported to clients.
 *
 * @param orders confirmed
 * @param customers registered
 * @param addresses inserted
 * @param unanswered writing transactions whose COMMIT was never answered; each may have done any of the above once
 * @param clients that ran
 */
public record TpcwExpected(long orders, long customers, long addresses, long unanswered, int clients) {}
