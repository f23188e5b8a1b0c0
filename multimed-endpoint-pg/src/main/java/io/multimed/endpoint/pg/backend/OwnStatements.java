package io.multimed.endpoint.pg.backend;

import io.multimed.protocol.pg.Backend;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.FrontendMessages;
import io.multimed.protocol.pg.SqlState;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Multimed's own statements on one connection that must not be ended by a timeout of the engine session, which a client has set for
 * its own statements. A statement that a timeout ends is sent again. (If an engine's timeout expires just too late for one
 * statement, it ends the next one, whatever the settings are then.) Messages written behind such a statement rely on it, and are
 * held back until the engine has executed it.
 *
 * <p>Such a statement begins outside a transaction block: within one, the error aborts the block, and the user of the connection
 * receives it.
 */
final class OwnStatements {
    private static final int MOST_HELD_BACK = 64 * 1024;
    /** Largest number of attempts. Each takes at least a millisecond, the shortest possible timeout. */
    private static final int MOST_ATTEMPTS = 1_000;

    /**
     * An item to send: a statement, or messages behind one.
     *
     * @param number of the ReadyForQuery that ends the statement, counted from the first on the connection
     */
    record Item(@Nullable String sql, long number, @Nullable ByteBuf messages) {}

    private final BackendConnection connection;
    /** Items behind the statement that is being executed. */
    private final ArrayDeque<Item> held = new ArrayDeque<>();

    /** The statement that is being executed; null if there is none. */
    @Nullable
    Item current;

    private int attempts;
    /** Whether a timeout has ended the present attempt. */
    private boolean again;

    private boolean failed;
    private long heldBytes;
    /** Number of ReadyForQuery messages received, without those of repeated attempts. */
    private long readies;

    private byte status = 'I';

    OwnStatements(BackendConnection connection) {
        this.connection = connection;
    }

    /** @param owed number of ReadyForQuery messages still to come for everything written before */
    void add(String sql, int owed) {
        Item item = new Item(sql, readies + owed + 1, null);
        if (current == null) {
            begin(item);
        } else {
            held.add(item);
        }
    }

    private void begin(Item item) {
        current = item;
        attempts = 0;
        failed = false;
        send(item.sql());
    }

    private void send(@Nullable String sql) {
        if (sql != null) {
            ByteBuf out = connection.buffer(sql.length() + 8);
            FrontendMessages.query(out, sql);
            connection.send(out);
        }
    }

    /** Holds the messages back, and takes over their reference, if necessary. @return whether they are held back */
    boolean holdBack(ByteBuf messages) {
        if (current == null) {
            return false;
        }
        heldBytes += messages.readableBytes();
        held.add(new Item(null, 0, messages));
        return true;
    }

    /** Whether so much is held back that nothing more should be written now. */
    boolean isFull() {
        return heldBytes >= MOST_HELD_BACK;
    }

    /** Returns the last reported transaction status of the engine session: I, T or E. */
    byte status() {
        return status;
    }

    /** Handles a message. @return whether to hide it from the user */
    boolean hears(byte type, ByteBuf in, int index) {
        Item item = current;
        if (item == null || readies + 1 != item.number()) {
            return false;
        }
        if (type == Backend.ERROR_RESPONSE) {
            again = status == 'I'
                    && attempts < MOST_ATTEMPTS
                    && SqlState.QUERY_CANCELED.equals(
                            ErrorFields.decode(in, index).sqlState());
            failed = !again;
            return again;
        }
        return again && type == Backend.READY_FOR_QUERY;
    }

    /** @return whether this ReadyForQuery ends an attempt that the user must not notice, and another attempt has begun */
    boolean repeats(byte now) {
        Item item = current;
        if (!again || item == null) {
            status = now;
            readies++;
            return false;
        }
        again = false;
        attempts++;
        connection.sparedFromCancel();
        send(now == 'I' ? item.sql() : "ROLLBACK;" + item.sql());
        return true;
    }

    /** Whether the executed statement has failed for a reason other than a timeout, so that its user decides what follows. */
    boolean hasFailed() {
        return current != null && readies >= current.number() && failed;
    }

    /** Sends the messages held back, up to the next statement, if the present statement has been executed. */
    void goOn() {
        Item item = current;
        if (item == null || readies < item.number()) {
            return;
        }
        current = null;
        Item next = held.poll();
        while (next != null) {
            ByteBuf messages = next.messages();
            if (messages == null) {
                begin(next);
                return;
            }
            heldBytes -= messages.readableBytes();
            connection.send(messages);
            next = held.poll();
        }
        connection.writabilityChanged();
    }

    /** Drops everything held back, because the connection is over. */
    void end() {
        current = null;
        again = false;
        for (Item item = held.poll(); item != null; item = held.poll()) {
            if (item.messages() != null) {
                item.messages().release();
            }
        }
        heldBytes = 0;
    }
}
