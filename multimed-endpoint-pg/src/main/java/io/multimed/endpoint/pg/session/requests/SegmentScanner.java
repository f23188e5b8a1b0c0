package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.session.loop.PreparedStatement;
import io.multimed.endpoint.pg.session.prepared.OwnPortals;
import io.multimed.protocol.pg.ExtendedMessage;
import io.multimed.protocol.pg.Frontend;
import io.multimed.protocol.pg.ProtocolException;
import io.multimed.sql.ClassifiedSql;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Looks ahead over extended query messages, from the head of the input to Sync or Flush, and resolves the names in them. Takes
 * nothing from the input. Serves one scan.
 */
final class SegmentScanner {
    /** Classifies the statements that a segment prepares. */
    interface Statements {
        /**
         * Classifies a text.
         *
         * @return null if it has to be classified first
         */
        @Nullable
        ClassifiedSql classify(byte[] sql);

        /** The statement that a name of the client denotes; null if unknown. */
        @Nullable
        PreparedStatement named(String name);

        @Nullable
        ClassifiedSql classify(PreparedStatement statement);
    }

    /** Length of the type of a message and of its length. */
    private static final int HEADER = 5;
    /** Position of the name of the statement in a Bind without the name of a portal. */
    private static final int UNNAMED_PORTAL_END = 6;

    private final ByteBuf in;
    private final Statements known;
    private final List<SegmentMessage> messages = new ArrayList<>(5);
    /** The statement that the segment has prepared without a name; null if there is none. */
    private @Nullable ClassifiedSql unnamed;
    /** The statements that the segment has prepared under a name. */
    private final Map<String, ClassifiedSql> named = new HashMap<>(0);

    private boolean classified = true;

    private SegmentScanner(ByteBuf in, Statements known) {
        this.in = in;
        this.known = known;
    }

    /** Returns the segment at the head of {@code in}. */
    static Segment scan(ByteBuf in, Statements known) throws ProtocolException {
        return new SegmentScanner(in, known).scan();
    }

    private Segment scan() throws ProtocolException {
        int start = in.readerIndex();
        int end = in.writerIndex();
        int at = start;
        while (end - at >= HEADER) {
            byte type = in.getByte(at);
            int length = in.getInt(at + 1);
            Frontend.checkHeader(type, length);
            boolean last = type == Frontend.SYNC || type == Frontend.FLUSH;
            if (!last && !Segment.isExtended(type)) {
                return new Segment(messages, at - start, Segment.End.OTHER_KIND, classified);
            }
            if (end - at < length + 1) {
                break;
            }
            messages.add(message(type, at, length));
            at += length + 1;
            if (last) {
                Segment.End kind = type == Frontend.SYNC ? Segment.End.SYNC : Segment.End.FLUSH;
                return new Segment(messages, at - start, kind, classified);
            }
        }
        return new Segment(messages, at - start, Segment.End.MISSING, classified);
    }

    private SegmentMessage message(byte type, int at, int length) {
        return switch (type) {
            case Frontend.PARSE -> parse(at);
            case Frontend.BIND -> bind(at);
            case Frontend.DESCRIBE -> describe(at);
            case Frontend.EXECUTE ->
                new SegmentMessage.Execute(
                        length == OneRead.EXECUTE_LENGTH ? "" : OwnPortals.executed(in, at),
                        length,
                        length > 4 && in.getByte(at + HEADER) == 0,
                        in.getInt(at + length - 3) == 0);
            case Frontend.CLOSE -> close(at);
            default -> new SegmentMessage.Last(type == Frontend.SYNC, length == 4);
        };
    }

    private SegmentMessage parse(int at) {
        var parse = ExtendedMessage.Parse.decode(in, at);
        if (parse == null) {
            return new SegmentMessage.Malformed(Frontend.PARSE);
        }
        ClassifiedSql sql = PreparedStatement.hidesInput(parse.parameterTypes())
                ? ClassifiedSql.UNPARSED
                : orUnclassified(known.classify(parse.sql()));
        String name = parse.name();
        if (name.isEmpty()) {
            unnamed = sql;
            return new SegmentMessage.Parse(parse, sql, false);
        }
        named.put(name, sql);
        return new SegmentMessage.Parse(parse, sql, known.named(name) != null);
    }

    private SegmentMessage bind(int at) {
        var bind = ExtendedMessage.Bind.decode(in, at);
        if (bind == null) {
            return new SegmentMessage.Malformed(Frontend.BIND);
        }
        String portal = bind.statementStart() == UNNAMED_PORTAL_END ? "" : OwnPortals.made(in, at, bind);
        return new SegmentMessage.Bind(portal, bind.hasParameters(in, at), reference(bind.statement()));
    }

    private SegmentMessage describe(int at) {
        var describe = ExtendedMessage.Named.decode(in, at);
        if (describe == null) {
            return new SegmentMessage.Malformed(Frontend.DESCRIBE);
        }
        return describe.kind() == 'S'
                ? new SegmentMessage.DescribeStatement(reference(describe.name()))
                : new SegmentMessage.DescribePortal(describe.kind(), describe.name());
    }

    private SegmentMessage close(int at) {
        var close = ExtendedMessage.Named.decode(in, at);
        return close == null
                ? new SegmentMessage.Malformed(Frontend.CLOSE)
                : new SegmentMessage.Close(close, close.kind() == 'S' && known.named(close.name()) != null);
    }

    private SegmentMessage.Reference reference(String name) {
        ClassifiedSql own = name.isEmpty() ? unnamed : named.get(name);
        if (own != null) {
            return new SegmentMessage.Reference(name, own, null);
        }
        PreparedStatement earlier = known.named(name);
        ClassifiedSql sql = earlier == null ? null : orUnclassified(known.classify(earlier));
        return new SegmentMessage.Reference(name, sql, earlier);
    }

    /** Returns a preliminary classification in place of a missing one. The segment is going to be examined again. */
    private ClassifiedSql orUnclassified(@Nullable ClassifiedSql sql) {
        if (sql == null) {
            classified = false;
            return ClassifiedSql.UNPARSED;
        }
        return sql;
    }
}
