package io.multimed.endpoint.pg.session.routing;

import io.multimed.core.admission.Admission;
import io.multimed.core.dispatch.Reason;
import io.multimed.core.node.ComputationalNode;
import io.multimed.endpoint.pg.config.RouteRule;
import io.multimed.endpoint.pg.session.exchange.SessionControl;
import io.multimed.endpoint.pg.session.exchange.Wait;
import io.multimed.endpoint.pg.session.exchange.Waiting;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.endpoint.pg.session.loop.ReadRule;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;
import java.util.concurrent.TimeUnit;

/** The fate of a read that the node of its rule cannot answer now, and that the rule keeps from the Master: it waits, or fails. */
public final class RuleFallback {
    private static final int RETRY_MILLIS = 20;

    /** Number of times that a read which waits begins anew after a node has begun it and could not finish it. */
    private static final int MOST_REPETITIONS = 5;

    private static final long FORGOTTEN_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final LoopContext loop;
    private final SessionControl owner;
    private final Waiting waiting;
    private final Unit unit;
    private final Admission admission;
    /** The times in succession that a node has not finished a read of the session; it is not heard here which it has finished. */
    private int unfinished;

    private long unfinishedNanos;

    public RuleFallback(LoopContext loop, SessionControl owner, Waiting waiting, Unit unit) {
        this.loop = loop;
        this.owner = owner;
        this.waiting = waiting;
        this.unit = unit;
        admission = unit.admission();
    }

    /** Whether the rule keeps the read from the Master. */
    static boolean keepsFromMaster(ReadRule rule) {
        return rule.otherwise() != RouteRule.Otherwise.MASTER;
    }

    /** Lets the unit wait, or fail once its session goes on. Nothing that waiting can change lets a node hold more tables. */
    void begin(ReadRule rule) {
        boolean waits = rule.otherwise() == RouteRule.Otherwise.WAIT && isHeld(rule) && mayWait(loop.nanoTime());
        if (waits) {
            admission.placeAgain();
            unit.waitsForRule();
        } else {
            rule.refused();
            unit.stop(refusal(rule));
        }
        waiting.begin(Wait.RULE);
        waiting.alarmIn(waits ? RETRY_MILLIS : 0, () -> owner.resume(Wait.RULE));
    }

    private boolean mayWait(long now) {
        if (admission.masterReason() != Reason.RETRIED) {
            unfinished = 0;
        } else {
            // A read that is repeated arrives anew, so its time alone does not end this.
            unfinished = now - unfinishedNanos > FORGOTTEN_NANOS ? 1 : unfinished + 1;
            unfinishedNanos = now;
        }
        if (unfinished > MOST_REPETITIONS) {
            unfinished = 0;
            return false;
        }
        long patience = loop.options().timeouts().connection().toNanos();
        return !admission.hasWaited(now, patience);
    }

    private boolean isHeld(ReadRule rule) {
        ComputationalNode node = rule.destination().node();
        return node == null || admission.needs().areHeldBy(node);
    }

    private ErrorFields refusal(ReadRule rule) {
        String to = rule.rule().to();
        String message = "cannot execute the read on " + to + ", where " + rule.name() + " sends it";
        if (!isHeld(rule)) {
            return ErrorFields.error(SqlState.FEATURE_NOT_SUPPORTED, message)
                    .withDetail(to + " does not hold all that the statement reads, or not for a block of this kind.")
                    .withHint("Narrow the rule by tables, or let the master answer by otherwise = \"master\".");
        }
        return ErrorFields.error(SqlState.SERIALIZATION_FAILURE, message)
                .withDetail(detail(rule))
                .withHint("Repeat it later. With otherwise = \"master\", the master would answer it.");
    }

    private String detail(ReadRule rule) {
        ComputationalNode node = rule.destination().node();
        Reason reason = admission.masterReason();
        String to = rule.rule().to();
        if (node != null && !node.serving()) {
            return to + " does not serve now.";
        }
        return to + " could not answer it: " + (reason == null ? Reason.RETRIED : reason).text() + ".";
    }
}
