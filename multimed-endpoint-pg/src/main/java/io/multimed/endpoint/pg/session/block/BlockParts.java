package io.multimed.endpoint.pg.session.block;

import io.multimed.endpoint.pg.session.exchange.ExchangeParts;
import io.multimed.endpoint.pg.session.exchange.SessionContext;
import io.multimed.endpoint.pg.session.settings.SessionVariables;

/**
 * The parts of a session that deal with the client's transaction block.
 *
 * @param block the state of the block
 * @param deferred the part of the block that has still to be sent to an engine
 * @param own decides which reads within it are transactions of their own
 */
public record BlockParts(TransactionBlock block, DeferredBegin deferred, AutocommitRead own, OneSnapshot oneSnapshot) {
    public static BlockParts of(SessionContext session, ExchangeParts parts, SessionVariables variables) {
        TransactionBlock block = new TransactionBlock();
        BlockTimeouts timeouts = new BlockTimeouts(session.loop(), session.owner(), variables, parts.waiting());
        DeferredBegin deferred = new DeferredBegin(parts.exchange(), block, parts.instructions(), timeouts);
        return new BlockParts(
                block,
                deferred,
                new AutocommitRead(parts.exchange(), block, deferred, variables),
                new OneSnapshot(parts.exchange(), block, variables, parts.engine(), parts.instructions()));
    }
}
