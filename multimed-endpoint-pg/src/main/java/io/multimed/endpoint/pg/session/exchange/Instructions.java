package io.multimed.endpoint.pg.session.exchange;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.backend.Settings;
import io.multimed.endpoint.pg.session.settings.SessionDefaults;
import io.multimed.protocol.pg.FrontendMessages;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What Multimed itself tells the session's engine between the client's units; no cancel request may hit it. */
public final class Instructions {
    /** Name of the statement and the portal by which something is executed amid the client's messages. */
    private static final String AMID = "multimed_amid";

    private static final byte[] NO_PARAMETERS = {0, 0};

    private final Exchange exchange;

    Instructions(Exchange exchange) {
        this.exchange = exchange;
    }

    /**
     * Sends a Query.
     *
     * @param note how its reply is to be taken
     */
    public void send(String sql, Note note) {
        if (isHurried()) {
            insist(sql, note);
        } else {
            sendOnce(sql, note);
        }
    }

    /** Whether a timeout that is set for the client's statements, or was for another client's, may end one of these. */
    private boolean isHurried() {
        BackendConnection connection = exchange.bound();
        return (exchange.isAskedForResidue() || SessionDefaults.areHurried(exchange.reported(), connection.settings()))
                && !connection.isInBlock()
                && exchange.onlyInternal();
    }

    /**
     * Whether a statement of Multimed's own has to wait until the client's are answered: how many answers these have, and so which is its
     * own, is not sure.
     */
    public boolean mustWait() {
        return exchange.isBound()
                && !exchange.onlyInternal()
                && SessionDefaults.areHurried(
                        exchange.reported(), exchange.bound().settings());
    }

    /** The same, outside a transaction block, so that no timeout ends it; what is sent behind waits until it has been executed. */
    public void insist(String sql, Note note) {
        BackendConnection connection = exchange.bound();
        connection.sparedFromCancel();
        connection.insist(sql, exchange.owed());
        connection.prepared().unnamed(null);
        exchange.expect(Kind.QUERY, note);
    }

    /** The same, be it that a timeout of the client's ends it, which the caller makes good. */
    public void sendOnce(String sql, Note note) {
        BackendConnection connection = exchange.bound();
        ByteBuf out = connection.buffer(128);
        FrontendMessages.query(out, sql);
        connection.sparedFromCancel();
        connection.write(out);
        connection.prepared().unnamed(null);
        exchange.expect(Kind.QUERY, note);
    }

    /**
     * Executes statements amid messages of the client that no Sync has followed: a Query would end their transaction. The client's
     * unnamed statement and portal stay.
     */
    public void sendAmid(List<String> statements) {
        BackendConnection connection = exchange.bound();
        ByteBuf out = connection.buffer(256);
        // It may be there still: what follows a failure up to the Sync is not executed.
        FrontendMessages.close(out, (byte) 'S', AMID);
        exchange.expect(Kind.CLOSE, Note.INTERNAL);
        for (String sql : statements) {
            FrontendMessages.parse(out, AMID, sql.getBytes(StandardCharsets.UTF_8), NO_PARAMETERS);
            exchange.expect(Kind.PARSE, Note.INTERNAL);
            FrontendMessages.bind(out, AMID, AMID);
            exchange.expect(Kind.BIND, Note.INTERNAL);
            FrontendMessages.execute(out, AMID);
            exchange.expect(Kind.EXECUTE, Note.INTERNAL);
            FrontendMessages.close(out, (byte) 'P', AMID);
            exchange.expect(Kind.CLOSE, Note.INTERNAL);
            FrontendMessages.close(out, (byte) 'S', AMID);
            exchange.expect(Kind.CLOSE, Note.INTERNAL);
        }
        connection.sparedFromCancel();
        connection.write(out);
    }

    /** Makes these the settings of the engine session. */
    public void settings(Settings wanted) {
        BackendConnection connection = exchange.bound();
        Settings present = connection.takeSetForOthers() ? Settings.UNKNOWN : connection.settings();
        if (present.equals(wanted)) {
            return;
        }
        boolean hurried = isHurried();
        if (present.equals(Settings.UNKNOWN)
                && (hurried || SessionDefaults.areHurried(exchange.reported(), Settings.NONE))) {
            insist(Settings.RESET_ALL, Note.INTERNAL);
            present = Settings.NONE;
            hurried = true;
        }
        if (hurried) {
            // Apart, since it is short, and what follows may not be.
            insist(Settings.UNHURRIED, Note.INTERNAL);
            present = present.unhurried();
        }
        String transition = Settings.transition(present, wanted, connection.speaksUtf8());
        if (hurried) {
            // A timeout that comes too late for a statement may hit the next, whatever the settings are then.
            insist(transition, Note.INTERNAL);
        } else {
            sendOnce(transition, Note.INTERNAL);
        }
        connection.settings(wanted);
    }

    /** What the engine session holds of prepared statements is not known any more: it is to hold none. */
    public void closePrepared() {
        BackendConnection connection = exchange.bound();
        ByteBuf out = connection.buffer(256);
        for (String name : connection.prepared().names()) {
            FrontendMessages.close(out, (byte) 'S', name);
            exchange.expect(Kind.CLOSE, Note.INTERNAL);
        }
        // It stays if what it stands for has failed.
        FrontendMessages.close(out, (byte) 'S', AMID);
        exchange.expect(Kind.CLOSE, Note.INTERNAL);
        connection.prepared().clear();
        FrontendMessages.sync(out);
        exchange.expect(Kind.SYNC, Note.INTERNAL);
        connection.sparedFromCancel();
        connection.write(out);
    }

    /** Has the engine send what it has answered to what the client has sent without a Sync; amid COPY data it is ignored. */
    void flush() {
        BackendConnection connection = exchange.bound();
        ByteBuf out = connection.buffer(8);
        FrontendMessages.flush(out);
        connection.write(out);
    }

    /** Ends what the client has sent without a Sync. */
    public void synchronise() {
        BackendConnection connection = exchange.bound();
        ByteBuf out = connection.buffer(8);
        FrontendMessages.sync(out);
        connection.write(out);
        exchange.expect(Kind.SYNC, Note.INTERNAL);
    }
}
