package io.multimed.tests.history;

import java.sql.Connection;

/** A session with the Master itself. */
final class DirectHistorySession extends SqlHistorySession {
    DirectHistorySession(Connection connection) {
        super(connection, ALWAYS_ON_MASTER);
    }

    @Override
    public boolean isPastMultimed() {
        return true;
    }
}
