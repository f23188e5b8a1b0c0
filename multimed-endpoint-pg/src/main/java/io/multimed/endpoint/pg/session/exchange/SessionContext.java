package io.multimed.endpoint.pg.session.exchange;

import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.endpoint.pg.session.loop.LoopContext;

/**
 * Whose session it is, and where it runs.
 *
 * @param owner told what the engine's replies come to; has the session go on or end
 * @param key the kind of engine session it needs
 * @param processId the number by which the client knows its server process
 */
public record SessionContext(LoopContext loop, ExchangeOwner owner, ClientLink client, PoolKey key, int processId) {}
