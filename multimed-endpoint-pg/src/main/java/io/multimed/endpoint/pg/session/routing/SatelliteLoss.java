package io.multimed.endpoint.pg.session.routing;

import io.multimed.endpoint.pg.session.block.DeferredBegin;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.exchange.BackendLoss;
import io.multimed.endpoint.pg.session.exchange.ClientLink;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.FatalNotice;
import io.multimed.protocol.pg.BackendMessages;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Handles the loss of a Satellite whose unit cannot run again elsewhere, because the client has seen a part of the reply or relies
 * on the snapshot. The transaction fails, as any transaction may, and the session goes on.
 */
public final class SatelliteLoss {
    private static final String HINT = "Try the transaction again.";

    /** The error for the client. */
    public static final ErrorFields FAILED = ErrorFields.error(
                    SqlState.SERIALIZATION_FAILURE, "the Satellite that executed this transaction has failed")
            .withHint(HINT);

    private final ClientLink client;
    private final Exchange exchange;
    private final TransactionBlock block;
    private final DeferredBegin deferred;

    public SatelliteLoss(ClientLink client, Exchange exchange, TransactionBlock block, DeferredBegin deferred) {
        this.client = client;
        this.exchange = exchange;
        this.block = block;
        this.deferred = deferred;
    }

    /**
     * Answers the client's outstanding units, and makes its block fail if the loss affects it.
     *
     * @param begun whether a segment has been sent in part
     */
    void tell(BackendLoss loss, boolean begun) {
        ErrorFields error = error(loss.farewell());
        boolean failed = exchange.failUnanswered(error, loss.blockFailed());
        if (begun && !loss.interrupted()) {
            ByteBuf out = client.buffer(256);
            BackendMessages.error(out, error);
            client.write(out);
            exchange.ignoreUpToSync();
            failed = true;
        }
        if (block.isOpen()) {
            blockLost(loss, failed, error);
        }
    }

    private void blockLost(BackendLoss loss, boolean failed, ErrorFields error) {
        boolean movable = block.isMovable();
        if (!loss.ownTransaction()) {
            deferred.beginAnew();
        }
        if (failed) {
            deferred.failLost();
        } else if (!loss.ownTransaction() && !movable) {
            deferred.lose(error);
        }
    }

    private static ErrorFields error(@Nullable FatalNotice farewell) {
        if (farewell != null && farewell.error().sqlState().equals(SqlState.SERIALIZATION_FAILURE)) {
            ErrorFields error = ErrorFields.error(
                            SqlState.SERIALIZATION_FAILURE,
                            "the Satellite has ended this transaction because of a conflict with recovery")
                    .withHint(HINT);
            String detail = farewell.error().detail();
            return detail == null ? error : error.withDetail(detail);
        }
        return FAILED;
    }
}
