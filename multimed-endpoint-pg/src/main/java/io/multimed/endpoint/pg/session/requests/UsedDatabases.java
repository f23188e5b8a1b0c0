package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.exchange.ExchangeParts;
import io.multimed.endpoint.pg.session.exchange.SessionContext;
import io.multimed.endpoint.pg.session.exchange.SessionControl;
import io.multimed.endpoint.pg.session.exchange.Wait;
import io.multimed.endpoint.pg.session.exchange.Waiting;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.endpoint.pg.session.routing.Unit;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;
import io.multimed.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Databases to which others are connected. PostgreSQL drops, renames and copies none of these, but counts engine sessions: a client
 * of Multimed has one only while it executes something, and others have one that serve nobody. So Multimed counts its clients.
 */
final class UsedDatabases {
    /** As PostgreSQL waits for sessions to end (CountOtherDBBackends, procarray.c). */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final int POLL_MILLIS = 50;

    private final LoopContext loop;
    private final SessionControl owner;
    private final String own;
    private final Waiting waiting;
    private final TransactionBlock block;
    private final Unit unit;
    private @Nullable ErrorFields refusal;

    UsedDatabases(SessionContext session, ExchangeParts parts, TransactionBlock block, Unit unit) {
        loop = session.loop();
        owner = session.owner();
        own = session.key().database();
        waiting = parts.waiting();
        this.block = block;
        this.unit = unit;
    }

    /** Whether the engine can be asked to execute these. @return false when others have to go first, for a while */
    boolean areUnusedFor(List<Statement> statements) {
        refusal = null;
        if (block.isOpen()
                || statements.size() != 1
                || !(statements.getFirst() instanceof Statement.DatabaseCommand of)) {
            return true;
        }
        int others = others(of);
        if (others == 0) {
            loop.closeIdle();
            return true;
        }
        long now = loop.nanoTime();
        if (now - unit.admission().arrive(now) < PATIENCE_NANOS) {
            waiting.begin(Wait.RETRY);
            waiting.alarmIn(POLL_MILLIS, () -> owner.resume(Wait.RETRY));
            return false;
        }
        refusal = refusal(of, others);
        return true;
    }

    /** Why the statement, for which others have not gone, is refused; asked once. */
    @Nullable
    ErrorFields takeRefusal() {
        ErrorFields answer = refusal;
        refusal = null;
        return answer;
    }

    /** How many clients are in its way. */
    private int others(Statement.DatabaseCommand command) {
        boolean ofOwn = command.database().equals(own);
        return switch (command.what()) {
            case OTHER -> 0;
            // The engine ends others itself, or says that the session's own database cannot be changed.
            case CHANGE -> command.force() || ofOwn ? 0 : loop.allClients().countInDatabase(command.database());
            case COPY -> loop.allClients().countInDatabase(command.database()) - (ofOwn ? 1 : 0);
        };
    }

    private static ErrorFields refusal(Statement.DatabaseCommand command, int others) {
        String source = command.what() == Statement.DatabaseCommand.What.COPY ? "source " : "";
        return ErrorFields.error(
                        SqlState.OBJECT_IN_USE,
                        source + "database \"" + command.database() + "\" is being accessed by other users")
                .withDetail(
                        others == 1
                                ? "There is 1 other session using the database."
                                : "There are " + others + " other sessions using the database.");
    }
}
