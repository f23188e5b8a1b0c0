package io.multimed.endpoint.pg.session.routing;

import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.exchange.BackendLoss;
import io.multimed.endpoint.pg.session.exchange.ClientLink;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.FatalNotice;
import io.multimed.endpoint.pg.session.exchange.SessionControl;
import io.multimed.model.Role;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Goes on after the loss of a backend. The unit, and the block around it, begin anew on the Master if the client has seen nothing of
 * them. Otherwise the transaction fails, or the session ends.
 */
public final class LossRecovery {
    private static final Logger LOG = LoggerFactory.getLogger(LossRecovery.class);

    private final SessionControl owner;
    private final ClientLink client;
    private final Exchange exchange;
    private final TransactionBlock block;
    private final BackendPinning pinning;
    private final Replay replay;
    private final SatelliteLoss satellites;

    public LossRecovery(
            SessionControl owner,
            ClientLink client,
            Exchange exchange,
            TransactionBlock block,
            BackendPinning pinning,
            Replay replay,
            SatelliteLoss satellites) {
        this.owner = owner;
        this.client = client;
        this.exchange = exchange;
        this.block = block;
        this.pinning = pinning;
        this.replay = replay;
        this.satellites = satellites;
    }

    /**
     * Handles the loss of the connection.
     *
     * @param begun whether a part of a segment has been sent and the rest is still to come
     */
    public void backendLost(BackendLoss loss, boolean begun) {
        boolean onSatellite = loss.connection().node().role() == Role.SATELLITE;
        if (onSatellite && loss.unseen() && replay.holdsUnit() && !begun) {
            exchange.dropUnanswered();
            replay.onMaster();
            return;
        }
        replay.drop();
        FatalNotice farewell = loss.farewell();
        boolean told = farewell != null && farewell.told();
        if (onSatellite && !told && !loss.amidMessage() && pinning.isLeftKnown(block)) {
            satellites.tell(loss, begun);
            owner.goOnAfterLoss();
            return;
        }
        boolean interrupted = loss.interrupted();
        exchange.dropUnanswered();
        if (!told && !interrupted && !begun && !block.isOpen() && !pinning.isPinned() && !pinning.isAsking()) {
            owner.goOnWithMaster();
            return;
        }
        boolean unknownOutcome =
                !onSatellite && interrupted && block.isCommitting() && !(farewell != null && isTimeout(farewell));
        if (loss.amidMessage()) {
            // The client would take an error message for a part of the row.
            LOG.warn(
                    "{} went away amid a row of a client; the client's connection is closed",
                    loss.connection().node().id());
            owner.end();
            client.close();
        } else if (told) {
            owner.end();
            client.close();
        } else if (unknownOutcome) {
            owner.fail(ErrorFields.fatal(
                            SqlState.TRANSACTION_RESOLUTION_UNKNOWN,
                            "the master went away while it executed a transaction; its outcome is unknown")
                    .withHint("Look whether its changes are there before you repeat it."));
        } else if (farewell != null) {
            owner.fail(farewell.error());
        } else {
            owner.fail(ErrorFields.fatal(
                    SqlState.CRASH_SHUTDOWN,
                    "terminating connection because " + loss.connection().node().id() + " went away"));
        }
    }

    /** Whether the engine has ended the session by a timeout, which never happens during a commit. */
    private static boolean isTimeout(FatalNotice farewell) {
        return switch (farewell.error().sqlState()) {
            case SqlState.TRANSACTION_TIMEOUT, SqlState.IDLE_SESSION_TIMEOUT -> true;
            default -> false;
        };
    }
}
