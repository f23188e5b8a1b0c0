package io.multimed.endpoint.pg.session.prepared;

import io.multimed.endpoint.pg.session.exchange.Note;
import io.multimed.endpoint.pg.session.exchange.Subject;
import io.multimed.endpoint.pg.session.loop.PreparedStatement;

/** The name by which the client knows a statement; empty if it has none. The engine's errors must show that name. */
record ClientName(String name) {
    /** Returns the note for the reply to a message about the statement. */
    Note of(PreparedStatement statement) {
        return name.isEmpty() ? Note.CLIENTS : new Note(false, new Subject.Renamed(statement, name));
    }

    /** Returns the note for the reply to a Describe of the statement. */
    Note described(PreparedStatement statement) {
        return name.isEmpty() ? new Note(false, new Subject.Described(statement)) : of(statement);
    }
}
