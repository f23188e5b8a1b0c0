package io.multimed.endpoint.mysql.session;

import io.multimed.core.propagation.Floor;
import io.multimed.endpoint.mysql.backend.EngineLink;
import io.multimed.endpoint.mysql.backend.PacketInput;
import io.multimed.endpoint.mysql.backend.PacketSink;
import io.multimed.protocol.mysql.MysqlCommand;
import io.multimed.protocol.mysql.MysqlProtocolException;
import io.multimed.protocol.mysql.Packets;
import io.multimed.protocol.mysql.ReplyFlow;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The execution of one read by a Satellite. The reply's beginning is held back: if the Satellite answers with an error, or ends, the client
 * sees nothing of it.
 */
final class SatelliteExchange implements PacketSink {
    /** Bytes of the reply that are held back at most. */
    private static final int MOST_HELD = 1 << 16;

    /** The error of a statement that was killed. */
    private static final int INTERRUPTED = 1317;

    private final MysqlSession session;
    private final SatelliteConnection connection;
    private final ReplyFlow flow;
    private final List<ByteBuf> held = new ArrayList<>();
    private Consumer<Boolean> done = ignored -> {};
    private int heldBytes;
    private boolean released;
    private boolean ended;
    private int sequence;

    SatelliteExchange(MysqlSession session, SatelliteConnection connection) {
        this.session = session;
        this.connection = connection;
        flow = new ReplyFlow(connection.capabilities());
    }

    /** @param whenDone receives whether the client has a reply; if not, it has seen nothing */
    void begin(ByteBuf packet, Consumer<Boolean> whenDone) {
        done = whenDone;
        EngineLink link = connection.link();
        if (link == null || !link.isOpen()) {
            done.accept(false);
            return;
        }
        flow.begin(MysqlCommand.QUERY);
        link.sink(this);
        connection.node().transactionBegan();
        link.writeAndFlush(packet.retainedDuplicate());
    }

    @Override
    public void packets(ByteBuf in) throws MysqlProtocolException {
        int from = in.readerIndex();
        boolean finished = false;
        while (!finished && PacketInput.hasPacket(in)) {
            int start = in.readerIndex();
            int length = Packets.length(in, start);
            sequence = Packets.sequence(in, start);
            ReplyFlow.Step step = flow.next(in, start + Packets.HEADER, length);
            in.skipBytes(Packets.HEADER + length);
            finished = step != ReplyFlow.Step.GOES_ON;
        }
        if (in.readerIndex() > from) {
            held.add(in.retainedSlice(from, in.readerIndex() - from));
            heldBytes += in.readerIndex() - from;
        }
        if (finished) {
            // A client that has the reply finds it counted.
            connection.node().transactionEnded();
        }
        boolean isKill = flow.errorCode() == INTERRUPTED && connection.wasKilled();
        if (finished && !released && flow.errorCode() != 0 && !isKill) {
            end(false);
            return;
        }
        if (finished || heldBytes > MOST_HELD || released) {
            release();
        }
        if (finished) {
            end(true);
        } else if (released) {
            EngineLink link = connection.link();
            if (link != null) {
                session.watchClient(link);
            }
        }
    }

    private void release() {
        if (!released) {
            released = true;
            shown();
        }
        held.forEach(session.client()::write);
        held.clear();
        session.client().flush();
    }

    /** Records, before the client sees anything, which commits it may see. */
    private void shown() {
        Floor floor = session.loop().services().admission().floor();
        long present = floor.floor();
        long forwarded = connection.node().forwarded();
        session.loop()
                .services()
                .admission()
                .visibility()
                .shown(present == Floor.UNKNOWN ? forwarded : Math.min(forwarded, present));
        session.freshness().observedOnSatellite(connection.node(), floor);
    }

    private void end(boolean answered) {
        ended = true;
        held.forEach(ByteBuf::release);
        held.clear();
        connection.idle();
        done.accept(answered);
    }

    @Override
    public void closed() {
        if (ended) {
            return;
        }
        connection.close();
        connection.node().transactionEnded();
        boolean answered = released;
        if (released) {
            ByteBuf out = session.client().alloc().buffer();
            MysqlErrors.write(out, sequence + 1 & 0xff, MysqlErrors.SATELLITE_LOST);
            session.client().write(out);
            session.client().flush();
        }
        end(answered);
    }
}
