package io.multimed.endpoint.pg.session.prepared;

import io.multimed.endpoint.pg.session.exchange.Failing;
import io.multimed.endpoint.pg.session.exchange.MessageKind;
import io.multimed.endpoint.pg.session.exchange.Note;
import io.multimed.endpoint.pg.session.exchange.PartialMessage;
import io.multimed.endpoint.pg.session.exchange.Subject;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;
import io.multimed.sql.Statement;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.function.Function;

/** Sends Execute messages, unless the portal is one that no engine knows. */
public final class ExecuteSender {
    private final OwnPortals portals;
    private final PortalEffects effects;
    private final PartialMessage partial;
    private final Failing failing;

    public ExecuteSender(OwnPortals portals, PortalEffects effects, PartialMessage partial, Failing failing) {
        this.portals = portals;
        this.effects = effects;
        this.partial = partial;
        this.failing = failing;
    }

    /**
     * Sends the message at the head of {@code in}, or answers it.
     *
     * @param meaning returns the effect of executing statements on the session
     */
    void send(ByteBuf in, int total, Function<List<Statement>, Note> meaning) {
        String again = portals.executedBefore(in);
        String replaced = portals.replaced(in);
        if (again != null) {
            failing.messageUnlessItsBlock(in, total, MessageKind.EXECUTE, cannotBeRun(again));
        } else if (portals.execute(in)) {
            in.skipBytes(total);
        } else {
            List<Statement> executed = effects.executed(in);
            if (!executed.isEmpty() && executed.getFirst().endsTransaction()) {
                // Whatever its reply, no message behind it finds a portal of this transaction.
                portals.forget();
            }
            Note note = !executed.isEmpty()
                    ? meaning.apply(executed)
                    : replaced != null
                            ? new Note(false, new Subject.ExecutedBefore(cannotBeRun(replaced)))
                            : Note.CLIENTS;
            partial.pass(in, total, MessageKind.EXECUTE, note);
        }
    }

    private static ErrorFields cannotBeRun(String portal) {
        return ErrorFields.error(SqlState.OBJECT_NOT_IN_PREREQUISITE_STATE, "portal \"" + portal + "\" cannot be run");
    }
}
