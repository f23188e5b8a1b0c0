package io.multimed.endpoint.mysql.session;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.propagation.Floor;
import io.multimed.endpoint.mysql.backend.PacketInput;
import io.multimed.protocol.mysql.MysqlProtocolException;
import io.multimed.protocol.mysql.Packets;
import io.multimed.protocol.mysql.ReplyFlow;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

/** A Satellite's reply to one read. Its beginning is held back, so that the client sees nothing of a read that fails there. */
final class ReadReply {
    /** Bytes of the reply that are held back at most. */
    private static final int MOST_HELD = 1 << 16;

    private final MysqlSession session;
    private final ComputationalNode node;
    private final ReplyFlow flow;
    private final List<ByteBuf> held = new ArrayList<>();
    private int heldBytes;
    private boolean released;
    private int sequence;

    /** @param flow of the connection; the command has begun */
    ReadReply(MysqlSession session, ComputationalNode node, ReplyFlow flow) {
        this.session = session;
        this.node = node;
        this.flow = flow;
    }

    /** Takes the whole packets that belong to the reply. @return whether it has ended */
    boolean take(ByteBuf in) throws MysqlProtocolException {
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
        return finished;
    }

    ReplyFlow flow() {
        return flow;
    }

    /** Whether the client has seen the reply's beginning. */
    boolean isReleased() {
        return released;
    }

    /** Whether the reply has grown too large to be held back, or the client has seen its beginning. */
    boolean isToBeShown() {
        return released || heldBytes > MOST_HELD;
    }

    /** Whether the reply was small and without errors and warnings. */
    boolean isPlain() {
        return heldBytes <= MOST_HELD && flow.errorCode() == 0 && flow.warnings() == 0;
    }

    /** Sends the client what was taken. */
    void release() {
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
        long forwarded = node.forwarded();
        session.loop()
                .services()
                .admission()
                .visibility()
                .shown(present == Floor.UNKNOWN ? forwarded : Math.min(forwarded, present));
        session.freshness().observedOnSatellite(node, floor);
    }

    /** Ends the reply, for the client, with the error that the Satellite has gone. */
    void lost() {
        held.forEach(session.client()::write);
        held.clear();
        ByteBuf out = session.client().alloc().buffer();
        MysqlErrors.write(out, sequence + 1 & 0xff, MysqlErrors.SATELLITE_LOST);
        session.client().write(out);
        session.client().flush();
    }

    /** Discards what the client is not to see. */
    void drop() {
        held.forEach(ByteBuf::release);
        held.clear();
        if (!released) {
            sequence = 0;
        }
    }
}
