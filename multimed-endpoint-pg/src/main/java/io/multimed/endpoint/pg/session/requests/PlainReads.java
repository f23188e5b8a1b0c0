package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.loop.PreparedStatement;
import io.multimed.endpoint.pg.session.prepared.ClientStatements;
import io.multimed.endpoint.pg.session.prepared.ReadSender;
import io.multimed.endpoint.pg.session.routing.Replay;
import io.multimed.endpoint.pg.session.routing.UnboundRouting;
import io.multimed.endpoint.pg.session.routing.Unit;
import io.multimed.endpoint.pg.session.settings.Placeholders;
import io.multimed.protocol.pg.ExtendedMessage;
import io.multimed.sql.Statement;
import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The short way of plain reads: units that execute nothing but {@link Statement.Read} statements, in a session in its
 * {@link OrdinaryState}. Such a unit concerns nothing but its result, so no other part of the session is asked about it or notified
 * of it. Freshness, placement, the sharing of connections and replies, and the replay elsewhere are those of all units.
 *
 * <p>A unit may leave the short way at any step, and is then taken from the input as any other.
 */
public final class PlainReads {
    private final Exchange exchange;
    private final Unit unit;
    private final UnboundRouting routing;
    private final Replay replay;
    private final ClientStatements prepared;
    private final ReadSender sender;
    private final Placeholders placeholders;
    private final OrdinaryState ordinary;

    public PlainReads(
            Exchange exchange,
            Unit unit,
            UnboundRouting routing,
            Replay replay,
            ClientStatements prepared,
            ReadSender sender,
            Placeholders placeholders,
            OrdinaryState ordinary) {
        this.exchange = exchange;
        this.unit = unit;
        this.routing = routing;
        this.replay = replay;
        this.prepared = prepared;
        this.sender = sender;
        this.placeholders = placeholders;
        this.ordinary = ordinary;
    }

    /** Whether a Query that consists of reads, and has this length, may take the short way. */
    boolean suits(int bytes) {
        return bytes <= Unit.MOST_BRIEF_BYTES && unit.stopped() == null && ordinary.holds();
    }

    /** Whether a segment that consists of one read may take the short way. */
    boolean suits(OneRead read) {
        return suits(read.length()) && (read.used() != null || prepared.hasMemoryFor(read.length()));
    }

    /**
     * Places the unit at the head of the input, or goes on with one that has waited.
     *
     * @param bytes the length of its messages
     * @param used the prepared statement that it executes; null if it executes none of the client's
     */
    UnboundRouting.ReadPlaced place(List<Statement> statements, int bytes, @Nullable PreparedStatement used) {
        if (exchange.isBound()) {
            unit.statements(statements);
            return routing.mayReadHere() ? UnboundRouting.ReadPlaced.ON_SATELLITE : UnboundRouting.ReadPlaced.ELSEWHERE;
        }
        assert ordinary.isConfirmed() : "a plain read has left something behind";
        unit.seenPlain(statements, bytes, used);
        return routing.placeRead();
    }

    /** Sends the Query at the head of {@code in}, which has been placed. */
    void sendQuery(ByteBuf in, int total) {
        BackendConnection backend = exchange.bound();
        begin(in, total);
        prepared.queryBegins(backend);
        exchange.expectReadByQuery();
        backend.write(in.readRetainedSlice(total));
        sent(in, backend);
    }

    /**
     * Sends the segment at the head of {@code in}, which has been placed.
     *
     * @return false if the engine lacks the prepared statement; then nothing has been sent
     */
    boolean sendSegment(ByteBuf in, OneRead read) {
        BackendConnection backend = exchange.bound();
        PreparedStatement used = read.used();
        ExtendedMessage.Parse parse = read.parse();
        int length = read.length();
        if (used != null && !backend.prepared().holds(used)) {
            return false;
        }
        begin(in, length);
        prepared.unitBegins();
        if (used != null) {
            sender.sendPrepared(in, length, used, read.describes(), backend);
        } else if (parse != null) {
            sender.sendUnnamed(in, length, parse, read.describes(), backend);
        }
        sent(in, backend);
        return true;
    }

    private void begin(ByteBuf in, int length) {
        replay.keepRead(in, length);
        exchange.beginPlainRead();
    }

    private void sent(ByteBuf in, BackendConnection backend) {
        backend.mayHold(placeholders.marking());
        exchange.sentRead(unit.isBrief() && !in.isReadable());
        unit.sent();
    }
}
