package io.multimed.endpoint.pg.session;

import io.multimed.endpoint.pg.session.exchange.ClientLink;
import io.multimed.endpoint.pg.session.exchange.ClientTasks;
import io.multimed.endpoint.pg.session.exchange.PartialMessage;
import io.multimed.endpoint.pg.session.exchange.SessionControl;
import io.multimed.endpoint.pg.session.exchange.Waiting;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;
import io.netty.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;

/** Watches for the rest of a message for which an engine waits. A client must not keep the engine's connection idle. */
final class StallWatch {
    private final LoopContext loop;
    private final ClientTasks tasks;
    private final SessionControl owner;
    private final ClientLink client;
    private final Waiting waiting;
    private final PartialMessage partial;
    private @Nullable ScheduledFuture<?> next;

    StallWatch(
            LoopContext loop,
            ClientTasks tasks,
            SessionControl owner,
            ClientLink client,
            Waiting waiting,
            PartialMessage partial) {
        this.loop = loop;
        this.tasks = tasks;
        this.owner = owner;
        this.client = client;
        this.waiting = waiting;
        this.partial = partial;
    }

    /** Begins to watch after input has been taken, if the end of a message is missing. */
    void begin() {
        if (next == null && partial.isUnderWay()) {
            long passed = partial.passed();
            next = tasks.in(loop.options().timeouts().clientProgress().toMillis(), () -> look(passed));
        }
    }

    private void look(long passedBefore) {
        next = null;
        if (partial.isUnderWay() && partial.passed() == passedBefore && waiting.isNothing() && client.isWritable()) {
            owner.fail(ErrorFields.fatal(SqlState.PROTOCOL_VIOLATION, "the rest of a message does not come"));
        } else {
            begin();
        }
    }

    void end() {
        if (next != null) {
            next.cancel(false);
            next = null;
        }
    }
}
