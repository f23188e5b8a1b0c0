package io.multimed.endpoint.pg.session;

import io.multimed.protocol.pg.BackendMessages;
import io.multimed.protocol.pg.ExtendedMessage;
import io.multimed.sql.ClassifiedSql;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * SHOW multimed.route as extended query messages. No engine knows what is prepared of it, nor a portal made of that: each
 * message about them is answered here, in its place among the engine's replies.
 */
final class RouteMessages {
    private static final Runnable NOTHING = () -> {};

    private final LoopContext loop;
    private final String database;
    private final Exchange exchange;
    private final Placing placing;
    /** The portals made of it, and the format in which each gives its result. */
    private final Map<String, Short> portals = new HashMap<>();

    RouteMessages(LoopContext loop, Exchange exchange, Placing placing, String database) {
        this.loop = loop;
        this.database = database;
        this.exchange = exchange;
        this.placing = placing;
    }

    /** Whether the SQL is that; the first letters tell it of nearly all that is not. */
    boolean isAskedBy(byte[] sql) {
        int at = 0;
        while (at < sql.length && sql[at] >= 0 && sql[at] <= ' ') {
            at++;
        }
        if (at + 1 >= sql.length) {
            return false;
        }
        boolean comment = sql[at] == '/' || sql[at] == '-';
        if (!comment && ((sql[at] | ' ') != 's' || (sql[at + 1] | ' ') != 'h')) {
            return false;
        }
        ClassifiedSql known = loop.services()
                .classifier()
                .classify(sql, 0, sql.length, loop.services().schemas().catalog(database));
        return known != null && MultimedSettings.asksRoute(known.statements());
    }

    /** A Bind at the head of {@code in} names a statement of this kind; of a long one only the beginning is there. */
    void bound(ByteBuf in, int total, ExtendedMessage.Bind bind) {
        String portal = portal(in, in.readerIndex(), bind);
        // The message ends with the last result format or, if there is none, with their number, which is 0.
        short format = in.readableBytes() < total ? 0 : in.getShort(in.readerIndex() + total - 2);
        portals.put(portal, format);
        answer(BackendMessages::bindComplete, () -> portals.remove(portal));
    }

    /** A Bind makes a portal of another statement. */
    void boundToOther(ByteBuf in, ExtendedMessage.Bind bind) {
        if (!portals.isEmpty()) {
            portals.remove(portal(in, in.readerIndex(), bind));
        }
    }

    /** Under its name as messages spell it. */
    static String portal(ByteBuf in, int index, ExtendedMessage.Bind bind) {
        return in.toString(index + 5, bind.statementStart() - 6, StandardCharsets.ISO_8859_1);
    }

    /** An Execute begins at {@code index}. */
    static String portalExecuted(ByteBuf in, int index) {
        int length = in.getInt(index + 1) - 9;
        return length < 0 ? "" : in.toString(index + 5, length, StandardCharsets.ISO_8859_1);
    }

    void statementDescribed() {
        answer(
                out -> {
                    BackendMessages.noParameters(out);
                    columns(out, (short) 0);
                },
                NOTHING);
    }

    /** @return whether it is a portal of this kind */
    boolean portalDescribed(String portal) {
        Short format = portals.get(portal);
        if (format == null) {
            return false;
        }
        answer(out -> columns(out, format), NOTHING);
        return true;
    }

    /** @return whether it was a portal of this kind */
    boolean portalClosed(String portal) {
        if (portals.remove(portal) == null) {
            return false;
        }
        answer(BackendMessages::closeComplete, NOTHING);
        return true;
    }

    /** An Execute stands at the head of {@code in}. @return whether it is of a portal of this kind */
    boolean executed(ByteBuf in) {
        if (portals.isEmpty()) {
            return false;
        }
        if (!portals.containsKey(portalExecuted(in, in.readerIndex()))) {
            return false;
        }
        answer(out -> OwnAnswers.routeRow(out, placing.route()), NOTHING);
        return true;
    }

    /** The transaction is over, and every portal with it. */
    void forgetPortals() {
        portals.clear();
    }

    /** A Sync that no engine has to see. */
    void ready(byte status) {
        answer(out -> BackendMessages.readyForQuery(out, status), NOTHING);
    }

    private static void columns(ByteBuf out, short format) {
        BackendMessages.textColumns(out, List.of(MultimedSettings.ROUTE));
        // Text has the same bytes in either format; RowDescription ends with the format of its last column.
        out.setShort(out.writerIndex() - 2, format);
    }

    private void answer(Consumer<ByteBuf> message, Runnable ignored) {
        ByteBuf out = Unpooled.buffer(64);
        message.accept(out);
        exchange.answer(ByteBufUtil.getBytes(out), ignored);
    }
}
