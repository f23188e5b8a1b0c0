package io.multimed.engine.mariadb.relay;

import io.multimed.engine.mariadb.EngineAccount;

/**
 * Where a Satellite gets the binary log.
 *
 * @param port on the loopback interface
 * @param account with which the Satellite logs in there
 */
public record FeedAddress(int port, EngineAccount account) {}
