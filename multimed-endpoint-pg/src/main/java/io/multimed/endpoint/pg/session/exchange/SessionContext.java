package io.multimed.endpoint.pg.session.exchange;

import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.endpoint.pg.session.loop.LoopContext;

/**
 * The surroundings of a session: its loop, owner and client.
 *
 * @param owner notified of the results of the engine's replies; lets the session go on or end
 * @param key the kind of engine session that the session needs
 * @param processId the number by which the client knows its server process
 */
public record SessionContext(LoopContext loop, ExchangeOwner owner, ClientLink client, PoolKey key, int processId) {}
