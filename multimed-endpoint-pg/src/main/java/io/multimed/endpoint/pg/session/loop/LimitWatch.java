package io.multimed.endpoint.pg.session.loop;

import io.multimed.endpoint.pg.config.ClientLimits;
import io.multimed.endpoint.pg.config.ClientLimits.Limit;
import io.multimed.endpoint.pg.session.loop.SessionProgress.Phase;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ends the sessions of one loop that exceed a limit of time. The sessions are looked at from time to time, so that limits cost
 * statements nothing; an end is late by at most two looks.
 */
public final class LimitWatch {
    private final LoopContext loop;
    private IdentityHashMap<ClientSession, Observed> known = new IdentityHashMap<>();

    public LimitWatch(LoopContext loop) {
        this.loop = loop;
    }

    /**
     * A session as it was at a look.
     *
     * @param unitSince the first look at which its present unit was under way, or at which it was idle as it is now
     * @param blockSince the first look at which its present block was open
     */
    private record Observed(SessionProgress progress, long unitSince, long blockSince) {
        static Observed of(SessionProgress now, @Nullable Observed before, long nanos) {
            if (before == null) {
                return new Observed(now, nanos, nanos);
            }
            boolean sameBlock = now.inBlock() && before.progress.inBlock() && now.block() == before.progress.block();
            return new Observed(
                    now,
                    isSame(now, before.progress) ? before.unitSince : nanos,
                    sameBlock ? before.blockSince : nanos);
        }

        /** A unit gets the next number when it is sent. */
        private static boolean isSame(SessionProgress now, SessionProgress before) {
            return now.phase() == before.phase()
                    ? now.unit() == before.unit()
                    : before.phase() == Phase.WAITING
                            && now.phase() == Phase.EXECUTING
                            && now.unit() == before.unit() + 1;
        }
    }

    /** Looks at all sessions. */
    public void look() {
        ClientLimits limits = loop.options().limits().each();
        if (!limits.limitTimes()) {
            known = new IdentityHashMap<>();
            return;
        }
        long now = loop.nanoTime();
        IdentityHashMap<ClientSession, Observed> present = new IdentityHashMap<>();
        // The end of a session removes it.
        for (Map.Entry<ClientSession, ConnectedClient> each :
                List.copyOf(loop.clients().entrySet())) {
            ClientSession session = each.getKey();
            Observed observed = Observed.of(session.report().progress(), known.get(session), now);
            ErrorFields exceeded = exceeded(new Bounds(limits, each.getValue()), observed, now);
            if (exceeded == null) {
                present.put(session, observed);
            } else {
                session.terminate(exceeded);
            }
        }
        known = present;
    }

    /** The limits for one client. */
    private record Bounds(ClientLimits limits, ConnectedClient client) {
        boolean areExceeded(Limit limit, long since, long now) {
            long millis = limits.of(limit, client.user(), client.database());
            return millis > 0 && now - since > TimeUnit.MILLISECONDS.toNanos(millis);
        }
    }

    private static @Nullable ErrorFields exceeded(Bounds bounds, Observed observed, long now) {
        Phase phase = observed.progress.phase();
        boolean busy = phase == Phase.WAITING || phase == Phase.EXECUTING;
        if (busy && bounds.areExceeded(Limit.QUERY_TIMEOUT, observed.unitSince, now)) {
            return ErrorFields.fatal(SqlState.QUERY_CANCELED, "query_timeout");
        }
        if (phase == Phase.WAITING && bounds.areExceeded(Limit.QUERY_WAIT_TIMEOUT, observed.unitSince, now)) {
            return ErrorFields.fatal(SqlState.QUERY_CANCELED, "query_wait_timeout");
        }
        if (phase == Phase.IDLE_IN_TRANSACTION
                && bounds.areExceeded(Limit.IDLE_TRANSACTION_TIMEOUT, observed.unitSince, now)) {
            return ErrorFields.fatal(
                    SqlState.IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
                    "terminating connection due to idle-in-transaction timeout");
        }
        boolean inBlock = observed.progress.inBlock();
        if ((inBlock || busy)
                && bounds.areExceeded(
                        Limit.TRANSACTION_TIMEOUT, inBlock ? observed.blockSince : observed.unitSince, now)) {
            return ErrorFields.fatal(SqlState.TRANSACTION_TIMEOUT, "terminating connection due to transaction timeout");
        }
        return null;
    }
}
