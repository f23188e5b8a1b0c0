package io.multimed.endpoint.pg.session.prepared;

import io.multimed.endpoint.pg.backend.PreparedOnBackend;
import io.multimed.endpoint.pg.backend.PreparedOnBackend.Held;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.Kind;
import io.multimed.endpoint.pg.session.exchange.Note;
import io.multimed.endpoint.pg.session.exchange.Subject;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.endpoint.pg.session.loop.PreparedStatement;
import io.multimed.protocol.pg.FrontendMessages;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** What the engine holds of clients' prepared statements, on the connection that the session has: brought about here. */
final class EngineStatements {
    private final LoopContext loop;
    private final Exchange exchange;

    EngineStatements(LoopContext loop, Exchange exchange) {
        this.loop = loop;
        this.exchange = exchange;
    }

    /** Whether the engine holds it under its name. */
    boolean holds(PreparedStatement statement) {
        return exchange.bound().prepared().holds(statement);
    }

    /**
     * The client's unnamed statement is what the engine holds as such, or will when it has read what is sent now.
     *
     * @return what it held before
     */
    @Nullable
    Object unnamedIs(PreparedStatement statement) {
        PreparedOnBackend prepared = exchange.bound().prepared();
        Object before = prepared.unnamed();
        prepared.unnamed(statement);
        statement.isHeld(true, null);
        return before;
    }

    /** Whether only another engine session knows it, if any does still. */
    boolean isElsewhere(PreparedStatement statement) {
        return statement.isStreamed() && exchange.bound().prepared().unnamed() != statement;
    }

    /** Makes sure that the engine holds it, by a Parse of its own in {@code out} if need be. */
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

    /** Has the engine prepare it once more if it holds it already. */
    void prepareAnew(PreparedStatement statement, ByteBuf out) {
        PreparedOnBackend prepared = exchange.bound().prepared();
        if (statement.engineName().isEmpty()) {
            parseUnnamed(statement, out);
            return;
        }
        prepareAnew(statement, out, unasked(statement, null));
    }

    /** The same for a named one. */
    void prepareAnew(PreparedStatement statement, ByteBuf out, Note note) {
        PreparedOnBackend prepared = exchange.bound().prepared();
        if (prepared.holds(statement)) {
            prepared.removed(statement);
            FrontendMessages.close(out, (byte) 'S', statement.engineName());
            exchange.expect(Kind.CLOSE, new Note(true, new Held(statement, statement.engineName(), statement.size())));
        }
        prepare(statement, out, note);
    }

    private void parseUnnamed(PreparedStatement statement, ByteBuf out) {
        Object before = unnamedIs(statement);
        FrontendMessages.parse(out, "", statement.sql(), statement.engineTypes());
        exchange.expect(Kind.PARSE, unasked(statement, before));
    }

    private static Note unasked(PreparedStatement statement, @Nullable Object heldBefore) {
        return new Note(true, new Subject.Preparing(statement, null, null, heldBefore));
    }

    /** Prepares it under the engine's name, and closes others if there are too many. */
    void prepare(PreparedStatement statement, ByteBuf out, Note note) {
        PreparedOnBackend prepared = exchange.bound().prepared();
        for (Held evicted : prepared.evict()) {
            FrontendMessages.close(out, (byte) 'S', evicted.name());
            exchange.expect(Kind.CLOSE, new Note(true, evicted));
        }
        FrontendMessages.parse(out, statement.engineName(), statement.sql(), statement.engineTypes());
        // Before: it may be that the engine ignores it, which is then undone at once.
        prepared.added(statement, statement.engineName(), statement.size());
        exchange.expect(Kind.PARSE, note);
        if (statement.analysis() == null && loop.services().classifier().isAnalysed(statement.sql())) {
            // An engine that prepares it later must give the same.
            FrontendMessages.describe(out, (byte) 'S', statement.engineName());
            exchange.expect(Kind.DESCRIBE, new Note(true, new Subject.Described(statement)));
        }
    }
}
