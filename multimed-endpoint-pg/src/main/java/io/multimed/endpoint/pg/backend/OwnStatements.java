package io.multimed.endpoint.pg.backend;

import io.multimed.protocol.pg.Backend;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.FrontendMessages;
import io.multimed.protocol.pg.SqlState;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Statements of Multimed's own on one connection that must not be ended by a timeout of the engine session, which a client has set
 * for its own statements: one that is ended is sent again. (An engine whose timeout has come just too late for a statement lets it
 * end the next one, whatever the settings are then.) What is written behind it relies on it, and is held back until the
 * engine has executed it.
 *
 * <p>It begins outside a transaction block: within one, the error aborts the block, and the user of the connection hears it.
 */
final class OwnStatements {
    private static final int MOST_HELD_BACK = 64 * 1024;
    /** Each attempt takes a millisecond at least, the shortest timeout that there is. */
    private static final int MOST_ATTEMPTS = 1_000;

    /**
     * What is to be sent: a statement, or messages behind one.
     *
     * @param number of the ReadyForQuery that ends the statement, counted from the first on the connection
     */
    private record Item(
            @Nullable String sql, long number, @Nullable ByteBuf messages) {}

    private final BackendConnection connection;
    /** Behind the statement that is being executed. */
    private final ArrayDeque<Item> held = new ArrayDeque<>();

    private @Nullable Item current;
    private int attempts;
    /** A timeout has ended the present attempt. */
    private boolean again;

    private boolean failed;
    private long heldBytes;
    /** ReadyForQuery that have come, but for those of attempts that are repeated. */
    private long readies;

    private byte status = 'I';

    OwnStatements(BackendConnection connection) {
        this.connection = connection;
    }

    /** @param owed how many ReadyForQuery are to come for what has been written before */
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

    /** Takes over the messages if they have to be held back. @return whether they are */
    boolean holdBack(ByteBuf messages) {
        if (current == null) {
            return false;
        }
        heldBytes += messages.readableBytes();
        held.add(new Item(null, 0, messages));
        return true;
    }

    /** Whether nothing more should be written now. */
    boolean isFull() {
        return heldBytes >= MOST_HELD_BACK;
    }

    /** The status of the engine session's transaction, as it was told last: I, T or E. */
    byte status() {
        return status;
    }

    /** A message has come. @return whether nobody else hears it */
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

    /** @return whether that ends an attempt of which nobody else is to hear, and another has begun */
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

    /** Whether the statement that was executed has failed for another reason, so that its user decides what follows. */
    boolean hasFailed() {
        return current != null && readies >= current.number() && failed;
    }

    /** Sends what was held back if the statement has been executed, up to the next of its kind. */
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

    /** The connection is over. */
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
