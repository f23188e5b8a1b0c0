package io.multimed.endpoint.pg.session.placing;

import io.multimed.sql.Statement;
import java.util.List;

/**
 * What the engine session remembers of sequences, which {@code currval} and {@code lastval} tell: it must never be what
 * another client did on the same connection.
 *
 * <p>A client gets the connection back that it had, if that is free and nobody had it in between; then they answer as in
 * a session of its own. Otherwise they are not defined yet, as the engine says.
 */
public final class SequenceState {
    private boolean mine;

    /** @param same nobody else has used the connection since this client did */
    void bound(boolean same) {
        mine = same;
    }

    /** Whether the engine must forget what others did before these statements are sent. */
    public boolean mustForgetOthers(List<Statement> statements, boolean impossible) {
        if (mine || impossible) {
            return false;
        }
        for (int i = 0; i < statements.size(); i++) {
            if (statements.get(i) instanceof Statement.Update update && update.asksSequence()) {
                mine = true;
                return true;
            }
        }
        return false;
    }

    /** From its first write on, the session's own sequences are not to be forgotten. */
    public void sent(List<Statement> statements) {
        for (int i = 0; i < statements.size() && !mine; i++) {
            mine = statements.get(i) instanceof Statement.Update;
        }
    }
}
