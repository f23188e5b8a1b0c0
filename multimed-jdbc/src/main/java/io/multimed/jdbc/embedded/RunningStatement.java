package io.multimed.jdbc.embedded;

import io.multimed.engine.embedded.EmbeddedSession;
import io.multimed.engine.embedded.Replica;
import io.multimed.jdbc.backend.TransactionChanges;
import io.multimed.jdbc.errors.Errors;
import io.multimed.jdbc.session.DriverSession.AfterFailure;
import io.multimed.jdbc.session.DriverSession.Thrown;
import io.multimed.jdbc.sql.SqlKind;
import io.multimed.jdbc.sql.SqlText;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * The running statement of a session, from the choice of its node to its end. At any time at most one of these is open: a read of
 * one statement, a read-only transaction on a Satellite, work on the Master.
 */
final class RunningStatement {
    private final EmbeddedSession runtime;
    private final FollowedSettings followed;
    private final SessionSettings settings;
    private final SessionWarnings warnings;
    private final TransactionChanges changes;
    private final ReadChoice choice;
    private final SingleRead single;
    private final ReadOnlyTransaction reads;
    private final MasterWork work;
    private final LiteralPermission literals;
    /** The route of statements that run on the Master, except for reads that no Satellite could take. */
    private final ReportedRoute routeToMaster;

    private ReportedRoute route = ReportedRoute.NONE;

    RunningStatement(
            EmbeddedSession runtime,
            FollowedSettings followed,
            SessionSettings settings,
            SessionWarnings warnings,
            TransactionChanges changes,
            ReadChoice choice,
            ReadOnlyTransaction reads,
            MasterWork work,
            LiteralPermission literals,
            ReportedRoute routeToMaster) {
        this.runtime = runtime;
        this.followed = followed;
        this.settings = settings;
        this.warnings = warnings;
        this.changes = changes;
        this.choice = choice;
        this.single = new SingleRead(followed);
        this.reads = reads;
        this.work = work;
        this.literals = literals;
        this.routeToMaster = routeToMaster;
    }

    /** Returns the place where the statement runs, or the previous one has run. */
    ReportedRoute route() {
        return route;
    }

    /** Notes that a statement runs on the Master without having been entered. */
    void isOnMaster() {
        route = routeToMaster;
    }

    /** Makes all statements run on the Master from now on. */
    void pin() {
        choice.pin();
    }

    /** Moves an open read-only transaction to the Master. */
    void leaveForMaster() throws SQLException {
        reads.leaveForMaster();
    }

    /** Sets whether the following statements are the driver's own. */
    void answers(boolean itself) {
        literals.answers(itself);
    }

    /** Returns the connection on which a statement is prepared first. */
    Connection preparation(SqlText text, boolean masterOnly) throws SQLException {
        if (choice.mayRead(text, masterOnly)) {
            Replica open = reads.replica();
            if (open != null) {
                return followed.on(open.connection());
            }
            // Objects created a moment ago must be known there.
            Replica replica = runtime.beginRead(true);
            try {
                return followed.on(replica.connection());
            } finally {
                replica.endRead();
            }
        }
        return runtime.liveMaster();
    }

    Connection enter(SqlText text, boolean masterOnly, long mostNanos) throws SQLException {
        Connection entered = entered(text, masterOnly, mostNanos);
        literals.entered(entered);
        return entered;
    }

    private Connection entered(SqlText text, boolean masterOnly, long mostNanos) throws SQLException {
        changes.before(text);
        if (choice.mayRead(text, masterOnly)) {
            return enterRead(mostNanos);
        }
        if (settings.readOnly()) {
            if (text.kind() == SqlKind.CHANGE) {
                throw Errors.readOnly();
            }
            reads.leaveForMaster();
        }
        boolean holds = choice.mustHold(text, masterOnly);
        route = routeToMaster;
        return work.enter(text.kind().takesTurn(), holds, mostNanos);
    }

    private Connection enterRead(long mostNanos) throws SQLException {
        if (runtime.autoCommit()) {
            Replica replica = runtime.beginRead(true, mostNanos);
            route = replica.onMaster() ? ReportedRoute.NO_SATELLITE : ReportedRoute.READ;
            return single.begin(replica);
        }
        Replica open = reads.replica();
        if (open == null) {
            open = reads.begin(mostNanos);
            route = open.onMaster() ? ReportedRoute.NO_SATELLITE : ReportedRoute.READ_ONLY;
        }
        return followed.on(open.connection());
    }

    /**
     * Ends the statement, before any of its results has reached the application.
     *
     * @return false if its node failed at the end, so that it must be entered again
     */
    boolean left() throws SQLException {
        Replica read = single.replica();
        if (read == null) {
            leave();
            return true;
        }
        warnings.heed(read);
        return single.end(read);
    }

    void leave() throws SQLException {
        if (work.isRunning()) {
            work.leave();
        } else {
            Replica open = reads.replica();
            if (open != null) {
                warnings.heed(open);
            }
            reads.answered();
        }
    }

    AfterFailure failed(SQLException error) throws SQLException {
        Replica read = single.replica();
        if (read != null) {
            return single.failed(read, error);
        }
        if (work.isRunning()) {
            return new Thrown(work.failed(error));
        }
        Replica open = reads.replica();
        return open == null ? new Thrown(runtime.failedOnMaster(error)) : reads.failed(open, error);
    }
}
