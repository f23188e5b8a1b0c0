package io.multimed.endpoint.pg.backend;

/** Hears what the engine answers to somebody who has left, then gives the connection back. */
final class DiscardReplies extends SilentUser {
    private final BackendConnection connection;
    private int owed;

    /** @param owed how many ReadyForQuery are still to come */
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
