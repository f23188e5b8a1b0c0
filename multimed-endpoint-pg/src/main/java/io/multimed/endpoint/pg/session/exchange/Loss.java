package io.multimed.endpoint.pg.session.exchange;

import io.multimed.endpoint.pg.backend.BackendConnection;
import org.jspecify.annotations.Nullable;

/**
 * An engine has closed the connection that a session holds.
 *
 * @param unseen nothing of the unit's answer has reached the client
 * @param interrupted the client waits for replies
 * @param blockFailed an error has aborted its transaction block
 * @param ownTransaction what ran was a transaction of its own, whatever block is open for the client
 * @param amidMessage the client has been given a part of a message
 * @param farewell what the engine said last, if anything
 */
public record Loss(
        BackendConnection connection,
        boolean unseen,
        boolean interrupted,
        boolean blockFailed,
        boolean ownTransaction,
        boolean amidMessage,
        @Nullable FatalNotice farewell) {}
