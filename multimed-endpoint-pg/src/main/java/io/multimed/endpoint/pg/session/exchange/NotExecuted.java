package io.multimed.endpoint.pg.session.exchange;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.backend.PreparedOnBackend;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Undoes the records that were made for messages when they were sent, if the engine does not execute them. */
final class NotExecuted {
    private final ExchangeOwner owner;
    private final Supplier<@Nullable BackendConnection> backend;

    /** @param backend returns the connection that the session holds; null if it holds none */
    NotExecuted(ExchangeOwner owner, Supplier<@Nullable BackendConnection> backend) {
        this.owner = owner;
        this.backend = backend;
    }

    /** Handles an entry that the engine has refused. It is the first one that the engine does not execute. */
    void refused(Note note) {
        if (note.subject() instanceof Subject.Preparing preparing) {
            owner.prepareFailed(preparing);
        } else {
            ignored(note);
        }
    }

    /** Handles an entry that the engine ignores after an error. */
    void ignored(Note note) {
        switch (note.subject()) {
            case Subject.Preparing preparing -> owner.prepareIgnored(preparing);
            case PreparedOnBackend.Held evicted -> {
                BackendConnection connection = backend.get();
                if (connection != null) {
                    connection.prepared().added(evicted.statement(), evicted.name(), evicted.bytes());
                }
            }
            case Subject.Own own -> own.ignored().run();
            case Subject.Closing closing -> closing.ignored().run();
            case Subject.LentForQuery lent -> lent.ignored().run();
            case null, default -> {}
        }
    }
}
