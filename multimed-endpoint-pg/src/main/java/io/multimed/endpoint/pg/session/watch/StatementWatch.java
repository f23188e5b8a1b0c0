package io.multimed.endpoint.pg.session.watch;

import io.multimed.endpoint.pg.config.EndpointOptions.Watching;
import io.multimed.endpoint.pg.services.StatementTraces;
import io.multimed.endpoint.pg.services.WatchedStatement;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.UnitWatch;
import io.multimed.endpoint.pg.session.exchange.Wait;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.endpoint.pg.session.prepared.ClientStatements;
import io.multimed.endpoint.pg.session.reads.AnsweredTimes;
import io.multimed.endpoint.pg.session.routing.LatestRoute;
import io.multimed.endpoint.pg.session.routing.Unit;
import io.multimed.protocol.pg.Frontend;
import io.multimed.sql.Statement;
import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long the client waits for its units, from the first message to the last of the answer. What it sends without awaiting the
 * answer to the previous unit is measured with that one.
 */
public final class StatementWatch implements UnitWatch {
    private static final int NO_UNIT = -1;

    private final LoopContext loop;
    private final WatchedClient client;
    private final Exchange exchange;
    private final Unit unit;
    private final LatestRoute route;
    private final UnitText text;
    private final UnitWaits waits;

    /** Number of the unit seen last. */
    private long number = NO_UNIT;
    /** Number of the unit whose first bytes are known. */
    private long numberOfHead = NO_UNIT;

    private boolean open;
    /** Whether more units were sent before the first was answered. */
    private boolean several;

    private long beganNanos;

    /** @param prepared the statements that the client has prepared, in which the unit may name some */
    public StatementWatch(
            WatchedClient client, Exchange exchange, Unit unit, ClientStatements prepared, LatestRoute route) {
        this.loop = client.loop();
        this.client = client;
        this.exchange = exchange;
        this.unit = unit;
        this.route = route;
        text = new UnitText(exchange, prepared);
        waits = new UnitWaits(loop::nanoTime);
    }

    @Override
    public void message(ByteBuf in, byte type) {
        if (number == unit.number()) {
            if (numberOfHead == number) {
                text.takeRest(in);
            }
            return;
        }
        if (!isOfUnit(type)) {
            return;
        }
        number = unit.number();
        if (open && !exchange.isDrained()) {
            several = true;
            return;
        }
        open = true;
        several = false;
        beganNanos = loop.nanoTime();
        waits.clear();
        numberOfHead = number;
        text.take(in);
    }

    private static boolean isOfUnit(byte type) {
        return switch (type) {
            case Frontend.QUERY,
                    Frontend.FUNCTION_CALL,
                    Frontend.PARSE,
                    Frontend.BIND,
                    Frontend.DESCRIBE,
                    Frontend.EXECUTE,
                    Frontend.CLOSE -> true;
            default -> false;
        };
    }

    @Override
    public void restarts() {
        number = unit.number();
        numberOfHead = number;
    }

    @Override
    public void waits(Wait why) {
        waits.end();
        if (open && numberOfHead == unit.number() && isBeforeEngine(why)) {
            waits.begin(why);
        }
    }

    private static boolean isBeforeEngine(Wait why) {
        return switch (why) {
            case CLASSIFICATION,
                    CATALOG,
                    FRESHNESS,
                    VISIBILITY,
                    CONNECTION,
                    TURN,
                    SESSIONS,
                    SAME_READ,
                    REPLIES,
                    RETRY,
                    RULE -> true;
            case NOTHING, NOTIFICATIONS, ENGINE_WRITABLE -> false;
        };
    }

    @Override
    public void goesOn() {
        waits.end();
    }

    @Override
    public void answered(boolean failed) {
        // A unit that is still at the head of the input waits for the answer to an earlier one, or to a question of
        // Multimed's own.
        if (open && number != unit.number()) {
            open = false;
            ended(failed ? "failed" : "answered", failed, unit.lastSent());
        }
    }

    @Override
    public void sessionEnds() {
        waits.end();
        boolean busy = open && (waits.totalNanos() > 0 || !exchange.isDrained());
        open = false;
        if (busy) {
            ended("ended with its session", true, List.of());
        }
    }

    private void ended(String outcome, boolean failed, List<Statement> statements) {
        Watching watching = loop.options().watching();
        long now = loop.nanoTime();
        long nanos = now - beganNanos;
        if (watching.shapes() && !several) {
            Statement statement = telling(statements);
            if (statement != null) {
                loop.answeredTimes()
                        .add(
                                new AnsweredTimes.Answered(
                                        statement, route.node(), route.reason(), nanos, waits.totalNanos(), failed),
                                now,
                                () -> text.shown(false));
            }
        }
        boolean slow = watching.slow().isPositive() && nanos >= watching.slow().toNanos();
        StatementTraces traces = watching.traces();
        String traceParent = traces == null ? null : text.traceParent();
        if (!slow && traceParent == null) {
            return;
        }
        WatchedStatement statement = watched(outcome, failed, nanos, watching.literals());
        if (slow) {
            SlowLog.write(statement);
        }
        if (traces != null && traceParent != null) {
            traces.answered(traceParent, statement);
        }
    }

    /** Returns the statement by which a unit is known; null if it is not worth it. */
    private static @Nullable Statement telling(List<Statement> statements) {
        for (int i = 0; i < statements.size(); i++) {
            Statement statement = statements.get(i);
            if (statement instanceof Statement.Read
                    || statement instanceof Statement.Update
                    || statement instanceof Statement.Commit) {
                return statement;
            }
        }
        return null;
    }

    private WatchedStatement watched(String outcome, boolean failed, long nanos, boolean literals) {
        return new WatchedStatement(
                outcome,
                failed,
                nanos,
                waits.totalNanos(),
                waits.longest(),
                route.text(),
                client.key().user(),
                client.key().database(),
                exchange.reported().getOrDefault("application_name", ""),
                client.addressText(),
                client.processId(),
                route.shape(),
                several,
                text.shown(literals));
    }
}
