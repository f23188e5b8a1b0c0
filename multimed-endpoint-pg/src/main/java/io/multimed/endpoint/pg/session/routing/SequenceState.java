package io.multimed.endpoint.pg.session.routing;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.backend.EngineSession;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.Instructions;
import io.multimed.endpoint.pg.session.exchange.Note;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.sql.Statement;
import java.util.List;

/**
 * The engine session's memory of sequence values, which {@code currval} and {@code lastval} return. It must never show the values
 * of another client that used the same connection.
 *
 * <p>A client gets its previous connection back if that is free and no other client has used it meanwhile. Then the functions
 * answer as in a session of its own. Otherwise the engine is made to forget the values. This is not done for each write, since few
 * clients ask for them, but only after some client has asked once. The first client that asks, if it has written something else
 * before, may therefore receive another client's value.
 */
public final class SequenceState {
    private final LoopContext loop;
    private final Exchange exchange;
    private final Instructions instructions;

    public SequenceState(LoopContext loop, Exchange exchange, Instructions instructions) {
        this.loop = loop;
        this.exchange = exchange;
        this.instructions = instructions;
    }

    /**
     * Makes the engine forget other clients' sequence values if these statements, which are about to be sent, may ask for them.
     *
     * @param keptConnection whether the session has held its connection since before its transaction
     */
    public void prepare(List<Statement> statements, boolean keptConnection) {
        BackendConnection connection = exchange.backend();
        if (connection != null
                && mustForgetOthers(connection, statements, keptConnection || exchange.status() == 'E')) {
            instructions.send("DISCARD SEQUENCES", Note.INTERNAL);
        }
    }

    private boolean mustForgetOthers(BackendConnection connection, List<Statement> statements, boolean impossible) {
        for (int i = 0; i < statements.size(); i++) {
            if (statements.get(i) instanceof Statement.Update update) {
                if (update.asksSequence()) {
                    loop.sequencesAreAsked();
                }
                if (!impossible
                        && loop.areSequencesAsked()
                        && connection.session().hasSequencesOfOthers()) {
                    connection.session().sequencesAreOwn();
                    return true;
                }
            }
        }
        return false;
    }

    /** Notes the statements sent. From the session's first write on, its own sequence values must not be forgotten. */
    public void sent(BackendConnection connection, List<Statement> statements) {
        EngineSession session = connection.session();
        for (int i = 0; i < statements.size() && session.hasSequencesOfOthers(); i++) {
            if (statements.get(i) instanceof Statement.Update) {
                session.sequencesAreOwn();
            }
        }
    }
}
