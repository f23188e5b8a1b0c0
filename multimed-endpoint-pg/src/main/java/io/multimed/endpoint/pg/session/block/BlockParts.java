package io.multimed.endpoint.pg.session.block;

import io.multimed.endpoint.pg.session.exchange.ExchangeParts;
import io.multimed.endpoint.pg.session.exchange.SessionContext;
import io.multimed.endpoint.pg.session.settings.SessionVariables;

/**
 * The parts of a session that deal with the client's transaction block.
 *
 * @param block what is known of it
 * @param untold what engines have yet to be told of it
 * @param own which reads within it are transactions of their own
 */
public record BlockParts(TransactionBlock block, UntoldBlock untold, OwnTransaction own, OneSnapshot oneSnapshot) {
    public static BlockParts of(SessionContext session, ExchangeParts parts, SessionVariables variables) {
        TransactionBlock block = new TransactionBlock();
        BlockTimeouts timeouts = new BlockTimeouts(session.loop(), session.owner(), variables, parts.waiting());
        UntoldBlock untold = new UntoldBlock(parts.exchange(), block, parts.instructions(), timeouts);
        return new BlockParts(
                block,
                untold,
                new OwnTransaction(parts.exchange(), block, untold, variables),
                new OneSnapshot(parts.exchange(), block, variables, parts.engine(), parts.instructions()));
    }
}
