package io.multimed.endpoint.pg.session.prepared;

import io.multimed.endpoint.pg.backend.PreparedOnBackend;
import io.multimed.endpoint.pg.backend.PreparedOnBackend.Held;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.MessageKind;
import io.multimed.endpoint.pg.session.exchange.Note;
import io.multimed.endpoint.pg.session.exchange.Subject;
import io.multimed.endpoint.pg.session.loop.PreparedStatement;
import io.multimed.protocol.pg.FrontendMessages;
import io.multimed.sql.StatementClassifier;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The clients' prepared statements that the engine holds on the session's connection. Prepares them there when they are missing.
 */
public final class EngineStatements {
    private final StatementClassifier classifier;
    private final Exchange exchange;
    private final ClientStatements clients;

    public EngineStatements(StatementClassifier classifier, Exchange exchange, ClientStatements clients) {
        this.classifier = classifier;
        this.exchange = exchange;
        this.clients = clients;
    }

    /** Whether the engine holds the statement under its name. */
    boolean holds(PreparedStatement statement) {
        return exchange.bound().prepared().holds(statement);
    }

    /**
     * Records that the engine's unnamed statement is this one, or will be after the messages that are sent now.
     *
     * @return the object that the engine held before
     */
    @Nullable
    Object unnamedIs(PreparedStatement statement) {
        PreparedOnBackend prepared = exchange.bound().prepared();
        Object before = prepared.unnamed();
        prepared.unnamed(statement);
        statement.isHeld(true, null);
        return before;
    }

    /**
     * The statement under this name of the client, for a message that is about to be sent to the engine; null if the client has none,
     * or only another engine session can hold it.
     */
    @Nullable
    PreparedStatement named(String name) {
        PreparedStatement statement = clients.getForEngine(name);
        return statement == null || isElsewhere(statement) ? null : statement;
    }

    /** Whether only another engine session can hold it. */
    private boolean isElsewhere(PreparedStatement statement) {
        return statement.isStreamed() && exchange.bound().prepared().unnamed() != statement;
    }

    /** Ensures that the engine holds it. Adds a Parse to {@code out} if necessary. */
    void ensure(PreparedStatement statement, ByteBuf out) {
        PreparedOnBackend prepared = exchange.bound().prepared();
        if (statement.engineName().isEmpty()) {
            if (prepared.unnamed() != statement) {
                parseUnnamed(statement, out);
            }
        } else if (!prepared.holds(statement)) {
            prepare(statement, out, unasked(statement, null));
        }
    }

    /** Makes the engine prepare it again, even if the engine holds it already. */
    void prepareAnew(PreparedStatement statement, ByteBuf out) {
        if (statement.engineName().isEmpty()) {
            parseUnnamed(statement, out);
            return;
        }
        prepareAnew(statement, out, unasked(statement, null));
    }

    /** Makes the engine prepare a named statement again. */
    void prepareAnew(PreparedStatement statement, ByteBuf out, Note note) {
        PreparedOnBackend prepared = exchange.bound().prepared();
        if (prepared.holds(statement)) {
            prepared.removed(statement);
            FrontendMessages.close(out, (byte) 'S', statement.engineName());
            exchange.expect(
                    MessageKind.CLOSE, new Note(true, new Held(statement, statement.engineName(), statement.size())));
        }
        prepare(statement, out, note);
    }

    private void parseUnnamed(PreparedStatement statement, ByteBuf out) {
        Object before = unnamedIs(statement);
        FrontendMessages.parse(out, "", statement.sql(), statement.engineTypes());
        exchange.expect(MessageKind.PARSE, unasked(statement, before));
    }

    private static Note unasked(PreparedStatement statement, @Nullable Object heldBefore) {
        return new Note(true, new Subject.Preparing(statement, null, null, heldBefore));
    }

    /** Prepares it under the engine's name, and closes other statements if there are too many. */
    void prepare(PreparedStatement statement, ByteBuf out, Note note) {
        PreparedOnBackend prepared = exchange.bound().prepared();
        for (Held evicted : prepared.evict()) {
            FrontendMessages.close(out, (byte) 'S', evicted.name());
            exchange.expect(MessageKind.CLOSE, new Note(true, evicted));
        }
        FrontendMessages.parse(out, statement.engineName(), statement.sql(), statement.engineTypes());
        // Recorded before the Parse is expected, since the engine may ignore that, which undoes the record at once.
        prepared.added(statement, statement.engineName(), statement.size());
        exchange.expect(MessageKind.PARSE, note);
        if (statement.analysis() == null && classifier.isAnalysed(statement.sql())) {
            // An engine that prepares it later must give the same description.
            FrontendMessages.describe(out, (byte) 'S', statement.engineName());
            exchange.expect(MessageKind.DESCRIBE, new Note(true, new Subject.Described(statement)));
        }
    }
}
