package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.session.exchange.Deallocations;
import io.multimed.endpoint.pg.session.exchange.Note;
import io.multimed.endpoint.pg.session.exchange.Subject;
import io.multimed.endpoint.pg.session.loop.ConnectedClients;
import io.multimed.endpoint.pg.session.prepared.ClientStatements;
import io.multimed.endpoint.pg.session.prepared.OwnPortals;
import io.multimed.endpoint.pg.session.prepared.SqlNames;
import io.multimed.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The effects of statements on the session, once the engine has executed them. */
public final class ExecutionEffects {
    private static final Note COPIES_IN = new Note(false, new Subject.CopiesIn());

    private final ConnectedClients allClients;
    private final ClientStatements prepared;
    private final SqlNames names;
    private final OwnPortals portals;
    private final Notifications notifications;

    public ExecutionEffects(
            ConnectedClients allClients,
            ClientStatements prepared,
            SqlNames names,
            OwnPortals portals,
            Notifications notifications) {
        this.allClients = allClients;
        this.prepared = prepared;
        this.names = names;
        this.portals = portals;
        this.notifications = notifications;
    }

    /** The effects of a Query that consists of these statements. */
    Note ofQuery(List<Statement> statements) {
        return portals.queryBegins(of(statements));
    }

    /** The effects of these statements of one message on the session, once the engine has executed them. */
    Note of(List<Statement> statements) {
        Deallocations deallocations = null;
        boolean copiesIn = false;
        for (int i = 0; i < statements.size(); i++) {
            Statement statement = statements.get(i);
            Runnable executed = switch (statement) {
                case Statement.Discard discard
                when discard.what() == Statement.Discard.What.ALL -> this::everythingDiscarded;
                case Statement.DatabaseCommand command
                when command.force() -> () -> allClients.terminateInDatabase(command.database());
                case Statement.Deallocate deallocate -> () -> deallocated(deallocate.name());
                case Statement.Prepare prepare -> () -> names.prepared(prepare.name());
                default -> null;
            };
            copiesIn |= statement instanceof Statement.Update update && update.copiesIn();
            if (executed != null) {
                deallocations = deallocations == null ? new Deallocations() : deallocations;
                deallocations.add(executed);
            }
        }
        if (deallocations != null) {
            return new Note(false, deallocations);
        }
        return copiesIn ? COPIES_IN : Note.CLIENTS;
    }

    private void deallocated(@Nullable String name) {
        if (name == null) {
            allDeallocated();
        } else {
            names.deallocated(name);
        }
    }

    private void allDeallocated() {
        prepared.forgetAll();
        names.forgetAll();
    }

    private void everythingDiscarded() {
        allDeallocated();
        notifications.forget(null);
    }
}
