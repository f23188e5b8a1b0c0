package io.multimed.endpoint.pg.session.watch;

import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.endpoint.pg.config.EndpointOptions.Watching;
import io.multimed.endpoint.pg.services.StatementTraces;
import io.multimed.endpoint.pg.services.WatchedStatement;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.UnitWatch;
import io.multimed.endpoint.pg.session.exchange.Wait;
import io.multimed.endpoint.pg.session.loop.ClientSession;
import io.multimed.endpoint.pg.session.loop.ConnectedClient;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.endpoint.pg.session.prepared.ClientStatements;
import io.multimed.endpoint.pg.session.reads.AnsweredTimes;
import io.multimed.endpoint.pg.session.routing.LatestRoute;
import io.multimed.endpoint.pg.session.routing.Unit;
import io.multimed.protocol.pg.Frontend;
import io.multimed.sql.Statement;
import io.multimed.sql.StatementClassifier;
import io.multimed.sql.StatementText;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long the client waits for its units, from the first message to the last of the answer. What it sends without awaiting the
 * answer to the previous unit is measured with that one.
 */
public final class StatementWatch implements UnitWatch {
    private static final String SECRET = "password";
    private static final int NO_UNIT = -1;

    private final LoopContext loop;
    private final ClientSession session;
    private final PoolKey key;
    private final int processId;
    private final Exchange exchange;
    private final Unit unit;
    private final ClientStatements prepared;
    private final LatestRoute route;
    private final UnitHead head = new UnitHead();

    /** Number of the unit seen last. */
    private long number = NO_UNIT;
    /** Number of the unit whose first bytes are known. */
    private long numberOfHead = NO_UNIT;

    private boolean open;
    /** Whether more units were sent before the first was answered. */
    private boolean several;

    private long beganNanos;
    private @Nullable Wait waiting;
    private long waitBeganNanos;
    private long waitNanos;
    private @Nullable Wait longest;
    private long longestNanos;

    /** @param processId the number by which the client knows its server process */
    public StatementWatch(
            LoopContext loop,
            ClientSession session,
            PoolKey key,
            int processId,
            Exchange exchange,
            Unit unit,
            ClientStatements prepared,
            LatestRoute route) {
        this.loop = loop;
        this.session = session;
        this.key = key;
        this.processId = processId;
        this.exchange = exchange;
        this.unit = unit;
        this.prepared = prepared;
        this.route = route;
    }

    @Override
    public void message(ByteBuf in, byte type) {
        if (number == unit.number()) {
            if (numberOfHead == number) {
                head.copyRest(in);
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
        waiting = null;
        waitNanos = 0;
        longest = null;
        longestNanos = 0;
        numberOfHead = number;
        head.copy(in);
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
        goesOn();
        if (open && numberOfHead == unit.number() && isBeforeEngine(why)) {
            waiting = why;
            waitBeganNanos = loop.nanoTime();
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
        if (waiting == null) {
            return;
        }
        long nanos = loop.nanoTime() - waitBeganNanos;
        waitNanos += nanos;
        if (nanos >= longestNanos) {
            longestNanos = nanos;
            longest = waiting;
        }
        waiting = null;
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
        goesOn();
        boolean busy = open && (waitNanos > 0 || !exchange.isDrained());
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
                                        statement, route.node(), route.reason(), nanos, waitNanos, failed),
                                now,
                                () -> text(false));
            }
        }
        boolean slow = watching.slow().isPositive() && nanos >= watching.slow().toNanos();
        StatementTraces traces = watching.traces();
        String traceParent = traces == null ? null : head.traceParent();
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
        ConnectedClient client = loop.clients().get(session);
        Wait why = longest;
        return new WatchedStatement(
                outcome,
                failed,
                nanos,
                waitNanos,
                why == null ? "" : why.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                route.text(),
                key.user(),
                key.database(),
                exchange.reported().getOrDefault("application_name", ""),
                client == null ? "" : client.addressText(),
                processId,
                route.shape(),
                several,
                text(literals));
    }

    /** Returns the unit's text; empty if it cannot be shown. */
    private String text(boolean literals) {
        return head.texts(prepared::get).stream()
                .map(sql -> shown(sql, literals))
                .collect(Collectors.joining("; "));
    }

    private String shown(byte[] sql, boolean literals) {
        if (!StatementClassifier.understands(exchange.clientEncoding(), sql, sql.length)) {
            return "(in the encoding " + exchange.clientEncoding() + ")";
        }
        String whole = new String(sql, StandardCharsets.UTF_8);
        return literals && !whole.toLowerCase(Locale.ROOT).contains(SECRET)
                ? whole.strip()
                : StatementText.withoutLiterals(sql, 0, sql.length);
    }
}
