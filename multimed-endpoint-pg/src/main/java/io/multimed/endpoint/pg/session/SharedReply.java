package io.multimed.endpoint.pg.session;

import io.multimed.core.counters.RouteCounters;
import io.multimed.core.node.ComputationalNode;
import io.multimed.endpoint.pg.session.block.DeferredBegin;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.exchange.ClientLink;
import io.multimed.endpoint.pg.session.exchange.UnitWatch;
import io.multimed.endpoint.pg.session.exchange.Wait;
import io.multimed.endpoint.pg.session.exchange.Waiting;
import io.multimed.endpoint.pg.session.prepared.TransactionScope;
import io.multimed.endpoint.pg.session.requests.Notifications;
import io.multimed.endpoint.pg.session.requests.QueryAnswers;
import io.multimed.endpoint.pg.session.requests.SegmentReader;
import io.multimed.endpoint.pg.session.routing.LatestRoute;
import io.multimed.protocol.pg.BackendMessages;
import io.multimed.protocol.pg.Frontend;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Answers the session's waiting unit with the reply to another session's equal read. */
final class SharedReply {
    private final Session session;
    private final ClientLink client;
    private final Waiting waiting;
    private final QueryAnswers queries;
    private final SegmentReader segments;
    private final LatestRoute route;
    private final RouteCounters counters;
    private final TransactionBlock block;
    private final DeferredBegin deferred;
    private final TransactionScope scope;
    private final Notifications notifications;
    private final @Nullable UnitWatch watch;

    /** @param watch null if nobody watches */
    SharedReply(
            Session session,
            ClientLink client,
            Waiting waiting,
            QueryAnswers queries,
            SegmentReader segments,
            LatestRoute route,
            RouteCounters counters,
            TransactionBlock block,
            DeferredBegin deferred,
            TransactionScope scope,
            Notifications notifications,
            @Nullable UnitWatch watch) {
        this.session = session;
        this.client = client;
        this.waiting = waiting;
        this.queries = queries;
        this.segments = segments;
        this.route = route;
        this.counters = counters;
        this.block = block;
        this.deferred = deferred;
        this.scope = scope;
        this.notifications = notifications;
        this.watch = watch;
    }

    /** Answers the waiting unit with the node's reply, or lets it go on by itself if the session has no room for that. */
    void answer(ComputationalNode node, ByteBuf reply) {
        ByteBuf in = client.input();
        boolean isQuery = in.getByte(in.readerIndex()) == Frontend.QUERY;
        if (!isQuery && !segments.canAnswer()) {
            session.resume(Wait.SAME_READ);
            return;
        }
        waiting.end();
        session.satelliteAnswers(node);
        if (isQuery) {
            queries.answeredAlike(in);
        } else {
            segments.answeredAlike(in);
        }
        client.write(reply.retainedDuplicate());
        ByteBuf ready = client.buffer(8);
        BackendMessages.readyForQuery(ready, deferred.status());
        client.write(ready);
        route.answeredAlike();
        counters.query();
        if (watch != null) {
            watch.answered(false);
        }
        if (!block.isOpen()) {
            scope.ended(false);
            notifications.tell();
        }
        deferred.answered();
        session.process();
    }
}
