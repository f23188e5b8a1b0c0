package io.multimed.endpoint.pg.backend;

/**
 * Holds a connection between its clients until the engine no longer ends the session by itself, as a client has told it: by an idle
 * session's timeout, or a transaction's, which would hit the next client.
 */
final class Settling extends SilentUser {
    private final BackendConnection connection;

    Settling(BackendConnection connection) {
        this.connection = connection;
    }

    void start() {
        Settings calm = connection.settings().withoutEndings();
        connection.sparedFromCancel();
        connection.insist(Settings.transition(connection.settings(), calm, connection.speaksUtf8()), 0);
        connection.prepared().unnamed(null);
        connection.settings(calm);
    }

    @Override
    public void onReady(byte status) {
        connection.release();
    }
}
