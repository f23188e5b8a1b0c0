package io.multimed.endpoint.pg.backend;

import io.multimed.model.Role;
import io.multimed.protocol.pg.Backend;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;

/**
 * The engine's messages on one connection, on their way from the decoder to those whom they concern: the present user, Multimed's own
 * statements, the start-up exchange while the connection opens, and cancel requests, which end some executions.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Closing a channel needs no answer.
final class EngineReplies {
    private final BackendConnection connection;
    private final ConnectionUsers users;
    final OwnStatements own;
    private final Opening opening;
    private final Channel channel;
    private final UnconfirmedCommits unconfirmed;
    /**
     * Whether messages may be handled. Otherwise a commit is in doubt, see {@link UnconfirmedCommits}, and the received bytes are
     * kept.
     */
    boolean listening = true;
    /** Number of messages that the engine has sent, and of rounds of the event loop in which a part of a long one has arrived. */
    long heard;
    /** The same number at the end of the latest round. */
    private long heardBefore;
    /** Number of ReadyForQuery messages that the engine has sent. */
    private long units;

    EngineReplies(
            BackendConnection connection, ConnectionUsers users, OwnStatements own, Opening opening, Channel channel) {
        this.connection = connection;
        this.users = users;
        this.own = own;
        this.opening = opening;
        this.channel = channel;
        NodeBackends pool = connection.pool;
        unconfirmed = new UnconfirmedCommits(
                pool.loop.doubts(), pool.opener.connector, pool.loop::nanoTime, this::listenAgain);
    }

    /** Returns the number of units that the engine has answered. */
    long units() {
        return units;
    }

    // --- doubts about commits

    private boolean areOfMaster() {
        return connection.pool.node.role() == Role.MASTER;
    }

    private void stopListening() {
        listening = false;
        unconfirmed.begin();
        channel.config().setAutoRead(false);
    }

    private void listenAgain() {
        listening = true;
        if (!connection.isClosed()) {
            channel.config().setAutoRead(true);
            channel.pipeline().fireChannelRead(Unpooled.EMPTY_BUFFER).fireChannelReadComplete();
        }
    }

    /** Begins a doubt, because the outcome of the present execution will not be heard. */
    void lost() {
        if (areOfMaster()) {
            unconfirmed.lost();
        }
    }

    // --- called by the decoder

    /**
     * Called before ReadyForQuery is handled, if there are cancel requests. It may then have to wait until {@link #listening}
     * again.
     */
    void readyArrives(CancelRequests cancels) {
        if (cancels.takeUnaccounted() && areOfMaster()) {
            // A client may have disabled the warning (client_min_messages) that a commit's wait for the relay was
            // cancelled.
            stopListening();
        }
    }

    /**
     * Handles a message that may concern others than the user. (The decoder passes all others to the user at once.)
     *
     * @return whether to pass its bytes to the user
     */
    boolean message(byte type, ByteBuf in, int index, int length) {
        // This comes before the user can ask for the next statement to be cancelled, of which the engine has said
        // nothing yet.
        heard++;
        if (type == Backend.NOTICE_RESPONSE && areOfMaster() && UnconfirmedCommits.isToldBy(in, index, length)) {
            stopListening();
        } else if (type == Backend.ERROR_RESPONSE && connection.cancels != null) {
            connection.cancels.failed();
        }
        if (own.current != null && own.hears(type, in, index)) {
            return false;
        }
        BackendUser user = users.present;
        if (user != null) {
            return user.onMessage(type, in, index, length);
        }
        if (connection.isOpening()) {
            if (!opening.message(type, in, index, length)) {
                channel.close();
            }
        } else if (!isAsynchronous(type)) {
            // Between transactions an engine sends only asynchronous messages or a final error. Any other answer means
            // that an answer went to the wrong user.
            channel.close();
        }
        return false;
    }

    /** See the section "Asynchronous Operations" of PostgreSQL's manual. */
    private static boolean isAsynchronous(byte type) {
        return type == Backend.NOTICE_RESPONSE
                || type == Backend.PARAMETER_STATUS
                || type == Backend.NOTIFICATION_RESPONSE;
    }

    /** Passes on bytes of accepted messages. */
    void bytes(ByteBuf in, int from, int to) {
        BackendUser user = users.present;
        if (from < to && user != null) {
            user.onBytes(in, from, to);
        }
    }

    /** Called between messages if the user wants that. */
    void boundary() {
        BackendUser user = users.present;
        if (user != null) {
            user.onBoundary();
        }
    }

    /** Handles a ReadyForQuery. */
    void ready(byte status) {
        units++;
        if (connection.cancels != null) {
            connection.cancels.ended();
        }
        if (own.repeats(status)) {
            return;
        }
        boolean busy = own.current != null;
        boolean failed = busy && own.hasFailed();
        if (busy && !failed) {
            own.goOn();
        }
        BackendUser user = users.present;
        if (user != null) {
            user.onReady(status);
        } else if (connection.isOpening()) {
            connection.opened();
        } else if (!connection.isClosed()) {
            // This answer belongs to no user, so the owner of the next answer would be unclear too.
            channel.close();
        }
        if (failed) {
            own.goOn();
        }
    }

    /** Called when all bytes that have arrived have been handled. */
    void readComplete() {
        if (heard == heardBefore) {
            // Part of a long message has arrived.
            heard++;
        }
        heardBefore = heard;
        connection.pooled.movedNanos = connection.pool.loop.nanoTime();
        if (connection.pooled.parked) {
            connection.pool.connections.moves(connection);
        }
        BackendUser user = users.present;
        if (user != null && !user.wantsMore()) {
            connection.pool.loop.flush();
            // The flush may have ended the user's use of the connection.
            user = users.present;
            if (user != null && !user.wantsMore()) {
                channel.config().setAutoRead(false);
            }
        }
    }
}
