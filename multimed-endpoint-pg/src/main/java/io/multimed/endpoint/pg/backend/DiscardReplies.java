package io.multimed.endpoint.pg.backend;

import java.util.function.BooleanSupplier;

/** Discards the engine's replies to a user that has left, then releases the connection. */
final class DiscardReplies extends SilentUser {
    private final BackendConnection connection;
    private final BooleanSupplier isStateUnknown;
    private int owed;

    /**
     * @param owed number of ReadyForQuery messages still to come
     * @param isStateUnknown asked behind them: {@link BackendWaiter#stateBehind}
     */
    DiscardReplies(BackendConnection connection, int owed, BooleanSupplier isStateUnknown) {
        this.connection = connection;
        this.owed = owed;
        this.isStateUnknown = isStateUnknown;
    }

    @Override
    public void onReady(byte status) {
        owed--;
        if (owed == 0) {
            if (isStateUnknown.getAsBoolean()) {
                connection.keepFromOthers();
            }
            connection.release();
        }
    }
}
