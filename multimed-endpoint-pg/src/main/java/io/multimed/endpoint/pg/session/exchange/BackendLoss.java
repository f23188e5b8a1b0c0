package io.multimed.endpoint.pg.session.exchange;

import io.multimed.endpoint.pg.backend.BackendConnection;
import org.jspecify.annotations.Nullable;

/**
 * The loss of a connection that a session holds: the engine has closed it.
 *
 * @param unseen whether the client has seen nothing of the unit's reply
 * @param interrupted whether the client waits for replies
 * @param blockFailed whether an error has aborted the transaction block
 * @param ownTransaction whether the engine executed a transaction of its own, whatever block the client has open
 * @param amidMessage whether the client has been sent a part of a message
 * @param farewell the engine's last error; null if there was none
 */
public record BackendLoss(
        BackendConnection connection,
        boolean unseen,
        boolean interrupted,
        boolean blockFailed,
        boolean ownTransaction,
        boolean amidMessage,
        @Nullable FatalNotice farewell) {}
