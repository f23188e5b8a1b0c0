package io.multimed.endpoint.pg.backend;

/** Discards the engine's replies to a user that has left, then releases the connection. */
final class DiscardReplies extends SilentUser {
    private final BackendConnection connection;
    private int owed;

    /** @param owed number of ReadyForQuery messages still to come */
    DiscardReplies(BackendConnection connection, int owed) {
        this.connection = connection;
        this.owed = owed;
    }

    @Override
    public void onReady(byte status) {
        owed--;
        if (owed == 0) {
            connection.release();
        }
    }
}
