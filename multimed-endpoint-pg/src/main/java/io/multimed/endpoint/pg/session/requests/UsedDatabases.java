package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.exchange.SessionControl;
import io.multimed.endpoint.pg.session.exchange.Wait;
import io.multimed.endpoint.pg.session.exchange.Waiting;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.endpoint.pg.session.routing.Unit;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;
import io.multimed.sql.Statement;
import java.util.concurrent.TimeUnit;

/**
 * Determines to which databases other clients are connected. PostgreSQL refuses to drop, rename or copy such a database, but it
 * counts engine sessions. A client of Multimed has an engine session only while it executes something, and some engine sessions
 * serve no client. So Multimed counts its clients.
 */
public final class UsedDatabases {
    /** PostgreSQL waits as long for sessions to end (CountOtherDBBackends, procarray.c). */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final int POLL_MILLIS = 50;

    private final LoopContext loop;
    private final SessionControl owner;
    private final String own;
    private final Waiting waiting;
    private final TransactionBlock block;
    private final Unit unit;

    public UsedDatabases(
            LoopContext loop, SessionControl owner, String own, Waiting waiting, TransactionBlock block, Unit unit) {
        this.loop = loop;
        this.owner = owner;
        this.own = own;
        this.waiting = waiting;
        this.block = block;
        this.unit = unit;
    }

    /**
     * Whether the engine can be asked to execute the statement, which is the whole unit. The unit is refused if its database is
     * still in use after that time.
     *
     * @return false when other clients have to leave first, for a limited time
     */
    boolean areUnusedFor(Statement.DatabaseCommand of) {
        unit.refuse(null);
        if (block.isOpen()) {
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
        unit.refuse(refusal(of, others));
        return true;
    }

    /** Number of clients that prevent the command. */
    private int others(Statement.DatabaseCommand command) {
        boolean ofOwn = command.database().equals(own);
        return switch (command.use()) {
            case OTHER -> 0;
            // With FORCE the engine ends other sessions itself; for the session's own database it reports that it
            // cannot be changed.
            case CHANGE -> command.force() || ofOwn ? 0 : loop.allClients().countInDatabase(command.database());
            case COPY -> loop.allClients().countInDatabase(command.database()) - (ofOwn ? 1 : 0);
        };
    }

    private static ErrorFields refusal(Statement.DatabaseCommand command, int others) {
        String source = command.use() == Statement.DatabaseCommand.Use.COPY ? "source " : "";
        return ErrorFields.error(
                        SqlState.OBJECT_IN_USE,
                        source + "database \"" + command.database() + "\" is being accessed by other users")
                .withDetail(
                        others == 1
                                ? "There is 1 other session using the database."
                                : "There are " + others + " other sessions using the database.");
    }
}
