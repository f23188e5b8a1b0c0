package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.session.block.BlockParts;
import io.multimed.endpoint.pg.session.exchange.AwaitingEngine;
import io.multimed.endpoint.pg.session.exchange.ClientLink;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.ExchangeParts;
import io.multimed.endpoint.pg.session.exchange.PartialMessage;
import io.multimed.endpoint.pg.session.exchange.SessionContext;
import io.multimed.endpoint.pg.session.exchange.SessionControl;
import io.multimed.endpoint.pg.session.prepared.PreparedParts;
import io.multimed.endpoint.pg.session.routing.RoutingParts;
import io.multimed.endpoint.pg.session.settings.SessionVariables;
import io.multimed.protocol.pg.Frontend;
import io.multimed.protocol.pg.ProtocolException;
import io.multimed.sql.Statement;
import io.netty.buffer.ByteBuf;
import java.util.List;

/**
 * Takes unit after unit from the client's input. Each unit is examined, placed and sent, by {@link QueryReader} or by
 * {@link SegmentReader}. A unit that has to wait is left in the input, to be taken again from its first byte.
 */
public final class RequestReader {
    private final SessionControl owner;
    private final ClientLink client;
    private final Exchange exchange;
    private final AwaitingEngine engine;
    private final PartialMessage partial;
    private final Notifications notifications;
    private final ProcessNumbering numbering;
    private final Classifying classifying;
    private final Sending sending;
    private final SegmentReader segments;
    private final QueryReader queries;

    public RequestReader(
            SessionContext session,
            ExchangeParts parts,
            BlockParts blocks,
            PreparedParts prepared,
            RoutingParts placed,
            SessionVariables variables) {
        owner = session.owner();
        client = session.client();
        exchange = parts.exchange();
        engine = parts.engine();
        partial = parts.partial();
        notifications = new Notifications(session, parts, blocks.block(), variables);
        classifying = new Classifying(session, parts, blocks.block(), placed.unit(), prepared.clients());
        LocalAnswers localAnswers =
                new LocalAnswers(session, parts, blocks, prepared, placed, variables, notifications);
        UsedDatabases databases = new UsedDatabases(session, parts, blocks.block(), placed.unit());
        numbering = new ProcessNumbering(session, parts, prepared.clients());
        Rejections rejections =
                new Rejections(session, parts, blocks, prepared, placed, variables, notifications, databases);
        sending = new Sending(session, parts, blocks, prepared, placed, variables, notifications, databases, numbering);
        segments = new SegmentReader(
                session,
                parts,
                blocks,
                prepared,
                placed,
                classifying,
                notifications,
                localAnswers,
                rejections,
                sending,
                numbering);
        queries = new QueryReader(
                session,
                parts,
                blocks,
                prepared,
                placed,
                classifying,
                localAnswers,
                rejections,
                sending,
                segments,
                numbering);
    }

    /** The support of statements about server processes. */
    public ProcessNumbering processNumbering() {
        return numbering;
    }

    public Notifications notifications() {
        return notifications;
    }

    /** Whether the end of a segment is still to come. */
    public boolean isSegmentOpen() {
        return segments.isOpen();
    }

    /** Whether the beginning of a message was sent and its end is still to come. */
    public boolean isPassing() {
        return partial.isUnderWay();
    }

    /** The statements that were sent last. */
    public List<Statement> sentLast() {
        return sending.last();
    }

    /** Ends all inquiries, because the session has ended. */
    public void end() {
        classifying.end();
    }

    /** Prepares for taking the sent messages again from their beginning. */
    public void beginAgain() {
        segments.beginAgain();
    }

    /** Ignores messages up to Sync, because the engine that has failed in the middle of a segment is gone. */
    public void ignoreUpToSync() {
        segments.ignoreUpToSync();
    }

    /**
     * Drops the segment, because the engine is gone that was sent messages which no Sync has followed. No part of it goes on
     * elsewhere.
     */
    public void segmentLost() {
        segments.lost();
    }

    /**
     * Whether the session still has room for the statements that the unit at the head of {@code in} prepares, as when it was
     * examined.
     */
    public boolean canBeAnsweredAlike(ByteBuf in) {
        return in.getByte(in.readerIndex()) == Frontend.QUERY || segments.canAnswer();
    }

    /** Takes the unit at the head of {@code in}, whose read is answered with another session's reply. */
    public void answeredAlike(ByteBuf in) {
        if (in.getByte(in.readerIndex()) == Frontend.QUERY) {
            queries.answeredAlike(in);
        } else {
            segments.answeredAlike(in);
        }
    }

    /**
     * Takes the next message or unit.
     *
     * @return whether to go on with the input
     */
    public boolean step(ByteBuf in) throws ProtocolException {
        if (partial.isUnderWay()) {
            return partial.goOn(in);
        }
        if (in.readableBytes() < 5) {
            return false;
        }
        byte type = in.getByte(in.readerIndex());
        int length = in.getInt(in.readerIndex() + 1);
        Frontend.checkHeader(type, length);
        int total = length + 1;
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
            case Frontend.FUNCTION_CALL -> queries.functionCall(in, total);
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
