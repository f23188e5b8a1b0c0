package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.session.exchange.AwaitingEngine;
import io.multimed.endpoint.pg.session.exchange.ClientLink;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.PartialMessage;
import io.multimed.endpoint.pg.session.exchange.SessionControl;
import io.multimed.endpoint.pg.session.exchange.UnitWatch;
import io.multimed.protocol.pg.Frontend;
import io.multimed.protocol.pg.ProtocolException;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Takes unit after unit from the client's input. Each unit is examined, placed and sent, by {@link QueryReader},
 * {@link FunctionCallReader} or {@link SegmentReader}. A unit that has to wait is left in the input, to be taken again from its first
 * byte.
 */
public final class RequestReader {
    private final SessionControl owner;
    private final ClientLink client;
    private final Exchange exchange;
    private final AwaitingEngine engine;
    private final PartialMessage partial;
    private final SegmentReader segments;
    private final QueryReader queries;
    private final OrdinaryState ordinary;
    private final FunctionCallReader functionCalls;
    private final @Nullable UnitWatch watch;

    /** @param watch null if nobody watches */
    public RequestReader(
            SessionControl owner,
            ClientLink client,
            Exchange exchange,
            AwaitingEngine engine,
            PartialMessage partial,
            SegmentReader segments,
            QueryReader queries,
            FunctionCallReader functionCalls,
            OrdinaryState ordinary,
            @Nullable UnitWatch watch) {
        this.owner = owner;
        this.client = client;
        this.exchange = exchange;
        this.engine = engine;
        this.partial = partial;
        this.segments = segments;
        this.queries = queries;
        this.functionCalls = functionCalls;
        this.ordinary = ordinary;
        this.watch = watch;
    }

    /**
     * Takes the next message or unit.
     *
     * @return whether to go on with the input
     */
    public boolean step(ByteBuf in) throws ProtocolException {
        boolean isOrdinary = ordinary.lasts();
        if (!isOrdinary && partial.isUnderWay()) {
            return partial.goOn(in);
        }
        if (in.readableBytes() < 5) {
            return false;
        }
        byte type = in.getByte(in.readerIndex());
        int length = in.getInt(in.readerIndex() + 1);
        Frontend.checkHeader(type, length);
        int total = length + 1;
        if (watch != null && !segments.isOpen()) {
            watch.message(in, type);
        }
        if (isOrdinary) {
            // Nothing is under way but perhaps a plain read.
            if (type == Frontend.QUERY) {
                return queries.query(in, total);
            }
            if (Segment.isExtended(type)) {
                return segments.message(in, type, total);
            }
            ordinary.ends();
        }
        if (segments.isIgnoring() && type != Frontend.TERMINATE) {
            return segments.ignore(in, type, total);
        }
        if ((type == Frontend.QUERY || type == Frontend.FUNCTION_CALL) && mayBeIgnored()) {
            if (!exchange.isDrained()) {
                return engine.awaitReplies();
            }
            if (exchange.isIgnored()) {
                partial.drop(in, total);
                return true;
            }
        }
        if (exchange.copyIn().isReading() && !isOfCopy(type)) {
            return amidCopy(in, type, total);
        }
        if (exchange.copyIn().mayBegin()
                && exchange.isUnsynced()
                && !isOfCopy(type)
                && type != Frontend.SYNC
                && type != Frontend.FLUSH) {
            // If the engine reads COPY data then, it must receive this message unchanged. If the engine has failed, it
            // ignores the message.
            return engine.awaitReplies();
        }
        return switch (type) {
            case Frontend.QUERY -> queries.query(in, total);
            case Frontend.FUNCTION_CALL -> functionCalls.take(in, total);
            case Frontend.COPY_DATA, Frontend.COPY_DONE, Frontend.COPY_FAIL -> copy(in, type, total);
            case Frontend.TERMINATE -> terminate();
            default -> segments.message(in, type, total);
        };
    }

    /**
     * Whether the engine may ignore a Query or FunctionCall that it is sent now. It does so behind messages that no Sync has
     * followed if one of them has failed, which its replies show.
     */
    private boolean mayBeIgnored() {
        return exchange.isBound()
                && (exchange.isUnsynced() || exchange.isIgnored())
                && !exchange.copyIn().isReading();
    }

    private static boolean isOfCopy(byte type) {
        return type == Frontend.COPY_DATA
                || type == Frontend.COPY_DONE
                || type == Frontend.COPY_FAIL
                || type == Frontend.TERMINATE;
    }

    /**
     * Handles a message during COPY as PostgreSQL does, which ignores Sync and Flush while it reads COPY data, and ends the session
     * for any other message.
     */
    private boolean amidCopy(ByteBuf in, byte type, int total) {
        if (type == Frontend.SYNC || type == Frontend.FLUSH) {
            // An engine that has failed by now would answer the Sync.
            partial.drop(in, total);
            return true;
        }
        if (!engine.takesMore()) {
            return false;
        }
        partial.pass(in, total);
        return true;
    }

    private boolean copy(ByteBuf in, byte type, int total) {
        if (!exchange.isBound()) {
            // Outside COPY, PostgreSQL accepts and ignores such a message too.
            partial.drop(in, total);
            return true;
        }
        if (!exchange.copyIn().isReading() && !exchange.isDrained()) {
            // The message was sent ahead. The engine's replies show whether it is in COPY when it reaches the message,
            // and so what the following messages mean.
            return engine.awaitReplies();
        }
        if (!engine.takesMore()) {
            return false;
        }
        partial.pass(in, total);
        exchange.copyIn().sent();
        if (type != Frontend.COPY_DATA) {
            exchange.copyIn().ended();
        }
        return true;
    }

    private boolean terminate() {
        if (exchange.isBound() && !exchange.isDrained() && !exchange.copyIn().isReading()) {
            // Earlier messages are still answered, unless their statement waits for data that cannot come any more.
            return engine.awaitReplies();
        }
        owner.end();
        client.close();
        return false;
    }
}
