package io.multimed.endpoint.pg.session.routing;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.sql.Statement;
import java.util.List;

/**
 * What the engine session remembers of sequences, which {@code currval} and {@code lastval} tell: it must never be what
 * another client did on the same connection.
 *
 * <p>A client gets the connection back that it had, if that is free and nobody had it in between; then they answer as in
 * a session of its own. Otherwise the engine is told to forget. Not for each write, since hardly anybody asks: only once
 * somebody has. Whoever is the first to ask, and has written something else before, may get what another did.
 */
public final class SequenceState {
    private final LoopContext loop;

    SequenceState(LoopContext loop) {
        this.loop = loop;
    }

    /** Whether the engine must forget what others did before these statements are sent. */
    public boolean mustForgetOthers(BackendConnection connection, List<Statement> statements, boolean impossible) {
        for (int i = 0; i < statements.size(); i++) {
            if (statements.get(i) instanceof Statement.Update update) {
                if (update.asksSequence()) {
                    loop.sequencesAreAsked();
                }
                if (!impossible && loop.areSequencesAsked() && connection.hasSequencesOfOthers()) {
                    connection.sequencesAreOwn();
                    return true;
                }
            }
        }
        return false;
    }

    /** From its first write on, the session's own sequences are not to be forgotten. */
    public void sent(BackendConnection connection, List<Statement> statements) {
        for (int i = 0; i < statements.size() && connection.hasSequencesOfOthers(); i++) {
            if (statements.get(i) instanceof Statement.Update) {
                connection.sequencesAreOwn();
            }
        }
    }
}
