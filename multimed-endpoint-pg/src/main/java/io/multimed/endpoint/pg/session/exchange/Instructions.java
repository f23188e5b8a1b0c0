package io.multimed.endpoint.pg.session.exchange;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.backend.BackendSettings;
import io.multimed.endpoint.pg.session.settings.SessionDefaults;
import io.multimed.protocol.pg.FrontendMessages;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Sends Multimed's own statements to the session's engine between the client's units. No cancel request may hit them. */
public final class Instructions {
    /** Name of the statement and of the portal for executions among the client's messages. */
    private static final String AMID = "multimed_amid";

    private static final byte[] NO_PARAMETERS = {0, 0};

    private final Exchange exchange;

    public Instructions(Exchange exchange) {
        this.exchange = exchange;
    }

    /**
     * Sends a Query.
     *
     * @param note how the reply is handled
     */
    public void send(String sql, Note note) {
        if (isHurried()) {
            insist(sql, note);
        } else {
            sendOnce(sql, note);
        }
    }

    /**
     * Whether a timeout that is set for this client's statements, or was set for another client's, may end a statement of
     * Multimed's own.
     */
    private boolean isHurried() {
        BackendConnection connection = exchange.bound();
        return (exchange.effects().askForResidue()
                        || SessionDefaults.areHurried(exchange.reported(), connection.settings()))
                && !connection.isInBlock()
                && exchange.onlyInternal();
    }

    /**
     * Whether a statement of Multimed's own has to wait until the client's messages are answered. The number of those replies is
     * not known for sure, so Multimed's own reply could not be told apart.
     */
    public boolean mustWait() {
        return exchange.isBound()
                && !exchange.onlyInternal()
                && SessionDefaults.areHurried(
                        exchange.reported(), exchange.bound().settings());
    }

    /** Sends a Query outside a transaction block so that no timeout ends it. Later messages wait until it has been executed. */
    public void insist(String sql, Note note) {
        BackendConnection connection = exchange.bound();
        connection.sparedFromCancel();
        connection.insist(sql, exchange.owed());
        connection.prepared().unnamed(null);
        exchange.expect(MessageKind.QUERY, note);
    }

    /** Sends a Query that a timeout of the client's may end. The caller handles that case. */
    public void sendOnce(String sql, Note note) {
        BackendConnection connection = exchange.bound();
        ByteBuf out = connection.buffer(128);
        FrontendMessages.query(out, sql);
        connection.sparedFromCancel();
        connection.write(out);
        connection.prepared().unnamed(null);
        exchange.expect(MessageKind.QUERY, note);
    }

    /**
     * Executes statements among extended query messages of the client that no Sync has followed. A Query would end their
     * transaction. The client's unnamed statement and portal remain.
     */
    public void sendAmid(List<String> statements) {
        BackendConnection connection = exchange.bound();
        ByteBuf out = connection.buffer(256);
        // The statement may still exist: after a failure the engine does not execute the closing messages up to the
        // Sync.
        FrontendMessages.close(out, (byte) 'S', AMID);
        exchange.expect(MessageKind.CLOSE, Note.INTERNAL);
        for (String sql : statements) {
            FrontendMessages.parse(out, AMID, sql.getBytes(StandardCharsets.UTF_8), NO_PARAMETERS);
            exchange.expect(MessageKind.PARSE, Note.INTERNAL);
            FrontendMessages.bind(out, AMID, AMID);
            exchange.expect(MessageKind.BIND, Note.INTERNAL);
            FrontendMessages.execute(out, AMID);
            exchange.expect(MessageKind.EXECUTE, Note.INTERNAL);
            FrontendMessages.close(out, (byte) 'P', AMID);
            exchange.expect(MessageKind.CLOSE, Note.INTERNAL);
            FrontendMessages.close(out, (byte) 'S', AMID);
            exchange.expect(MessageKind.CLOSE, Note.INTERNAL);
        }
        connection.sparedFromCancel();
        connection.write(out);
    }

    /**
     * Applies settings to the engine session.
     *
     * @param connection the connection that the session holds
     * @param ofClient the settings of the client
     */
    public void settings(BackendConnection connection, BackendSettings ofClient) {
        BackendSettings present = connection.session().takeSettings();
        if (present.equals(ofClient)) {
            return;
        }
        BackendSettings wanted = connection.node().contents().isWhole() ? ofClient : ofClient.ofReader();
        if (present.equals(wanted)) {
            return;
        }
        boolean hurried = isHurried();
        if (present.equals(BackendSettings.UNKNOWN)
                && (hurried || SessionDefaults.areHurried(exchange.reported(), BackendSettings.NONE))) {
            insist(BackendSettings.RESET_ALL, Note.INTERNAL);
            present = BackendSettings.NONE;
            hurried = true;
        }
        if (hurried) {
            // Sent separately, since it is short and the following statement may not be.
            insist(BackendSettings.UNHURRIED, Note.INTERNAL);
            present = present.unhurried();
        }
        String transition =
                BackendSettings.transition(present, wanted, connection.session().speaksUtf8());
        if (hurried) {
            // A timeout that fires too late for one statement may hit the next, whatever the settings are then.
            insist(transition, Note.INTERNAL);
        } else {
            sendOnce(transition, Note.INTERNAL);
        }
        connection.settings(wanted);
    }

    /** Closes all prepared statements of the engine session, because its contents are no longer known. */
    public void closePrepared() {
        BackendConnection connection = exchange.bound();
        ByteBuf out = connection.buffer(256);
        for (String name : connection.prepared().names()) {
            FrontendMessages.close(out, (byte) 'S', name);
            exchange.expect(MessageKind.CLOSE, Note.INTERNAL);
        }
        // It stays if what it stands for has failed.
        FrontendMessages.close(out, (byte) 'S', AMID);
        exchange.expect(MessageKind.CLOSE, Note.INTERNAL);
        connection.prepared().clear();
        FrontendMessages.sync(out);
        exchange.expect(MessageKind.SYNC, Note.INTERNAL);
        connection.sparedFromCancel();
        connection.write(out);
    }

    /** Makes the engine send its replies to messages that no Sync has followed. The engine ignores this during COPY. */
    void flush() {
        BackendConnection connection = exchange.bound();
        ByteBuf out = connection.buffer(8);
        FrontendMessages.flush(out);
        connection.write(out);
    }

    /** Sends a Sync behind the messages that the client has sent without one. */
    public void synchronise() {
        BackendConnection connection = exchange.bound();
        ByteBuf out = connection.buffer(8);
        FrontendMessages.sync(out);
        connection.write(out);
        exchange.expect(MessageKind.SYNC, Note.INTERNAL);
    }
}
