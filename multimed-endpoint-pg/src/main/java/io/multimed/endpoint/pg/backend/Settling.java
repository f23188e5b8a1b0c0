package io.multimed.endpoint.pg.backend;

/**
 * Holds a connection between two clients until the timeouts by which the engine ends sessions have been turned off. A client had
 * set a timeout for idle sessions or transactions, which would hit the next client.
 */
final class Settling extends SilentUser {
    private final BackendConnection connection;

    Settling(BackendConnection connection) {
        this.connection = connection;
    }

    void start() {
        connection.users.begin(this, false);
        BackendSettings calm = connection.settings().withoutEndings();
        connection.sparedFromCancel();
        connection.insist(BackendSettings.transition(connection.settings(), calm, connection.session.speaksUtf8()), 0);
        connection.prepared().unnamed(null);
        connection.settings(calm);
    }

    @Override
    public void onReady(byte status) {
        connection.release();
    }
}
