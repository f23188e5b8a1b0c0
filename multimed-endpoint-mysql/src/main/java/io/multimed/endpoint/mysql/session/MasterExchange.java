package io.multimed.endpoint.mysql.session;

import io.multimed.endpoint.mysql.backend.EngineLink;
import io.multimed.endpoint.mysql.backend.PacketInput;
import io.multimed.endpoint.mysql.backend.PacketSink;
import io.multimed.protocol.mysql.Capability;
import io.multimed.protocol.mysql.MysqlProtocolException;
import io.multimed.protocol.mysql.OkMessage;
import io.multimed.protocol.mysql.Packets;
import io.multimed.protocol.mysql.Reply;
import io.multimed.protocol.mysql.ReplyFlow;
import io.multimed.protocol.mysql.ServerStatus;
import io.netty.buffer.ByteBuf;

/**
 * The execution of one command by the Master: its packets go there, the reply comes back. An OK is changed if the client has not asked
 * for what Multimed hears in it.
 */
final class MasterExchange implements PacketSink, ClientReader {
    private static final int EOF_LENGTH = 5;

    private final MysqlSession session;
    private final EngineLink master;
    private final ReplyFlow flow;
    private boolean explained;
    private boolean showsChange;
    private boolean sending;
    private boolean sendingFile;
    private boolean underWay;
    private boolean replies;

    MasterExchange(MysqlSession session, EngineLink master) {
        this.session = session;
        this.master = master;
        flow = new ReplyFlow(session.masterCapabilities());
    }

    /**
     * Sends a command.
     *
     * @param first the command's first packet; the others follow from the client
     * @param isExplained see {@link SessionState#changed}
     * @param switchesDatabase whether the Master would tell a client by itself that it changes the database and back
     */
    void begin(int command, ByteBuf first, boolean isExplained, boolean switchesDatabase) {
        explained = isExplained;
        showsChange = switchesDatabase;
        underWay = true;
        replies = flow.begin(command);
        master.sink(this);
        sending = true;
        send(first.duplicate());
    }

    /** Passes on the packets of the command that are there. */
    private void send(ByteBuf in) {
        int from = in.readerIndex();
        while (sending && PacketInput.hasPacket(in)) {
            int length = Packets.length(in, in.readerIndex());
            in.skipBytes(Packets.HEADER + length);
            sending = sendingFile ? length != 0 : length == Packets.MAX_LENGTH;
        }
        if (in.readerIndex() > from) {
            master.writeAndFlush(in.retainedSlice(from, in.readerIndex() - from));
        }
        if (!sending) {
            sendingFile = false;
            if (!replies) {
                underWay = false;
                session.ready();
            }
        }
    }

    /** Whether the last command has ended without an error. */
    boolean hasSucceeded() {
        return !underWay && flow.errorCode() == 0;
    }

    /** Returns the server's status after the last command. */
    int status() {
        return flow.status();
    }

    /** Returns the number of the statement that the last command has prepared. */
    int preparedNumber() {
        return flow.statement();
    }

    /** Returns how many parameters that statement has. */
    int preparedParameters() {
        return flow.parameters();
    }

    /** Whether the command, or a local file, is not there yet as a whole. */
    boolean isSending() {
        return sending;
    }

    @Override
    public void clientPackets(ByteBuf in) {
        if (sending) {
            send(in);
        }
    }

    @Override
    public void packets(ByteBuf in) throws MysqlProtocolException {
        int from = in.readerIndex();
        boolean wrote = false;
        while (underWay && PacketInput.hasPacket(in)) {
            int start = in.readerIndex();
            int length = Packets.length(in, start);
            int first = length == 0 ? -1 : in.getUnsignedByte(start + Packets.HEADER);
            boolean isOk = flow.mayBeOk(first, length);
            ReplyFlow.Step step = flow.next(in, start + Packets.HEADER, length);
            in.skipBytes(Packets.HEADER + length);
            if (flow.changedStateSilently() && !showsChange) {
                hideChange(in, start, length, first);
            }
            if (isOk) {
                passOn(in, from, start);
                passOnOk(in, start, length);
                from = in.readerIndex();
                wrote = true;
            }
            if (step == ReplyFlow.Step.AWAITS_FILE) {
                sending = true;
                sendingFile = true;
            }
            if (step == ReplyFlow.Step.ENDED) {
                underWay = false;
            }
        }
        if (in.readerIndex() > from) {
            passOn(in, from, in.readerIndex());
            wrote = true;
        }
        if (!underWay) {
            ended();
        } else if (wrote) {
            session.client().flush();
            if (sendingFile) {
                session.client().readOnAgain();
            } else {
                session.watchClient(master);
            }
        }
    }

    private void passOn(ByteBuf in, int from, int to) {
        if (to > from) {
            session.client().write(in.retainedSlice(from, to - from));
        }
    }

    /** Clears the flag of an EOF that the Master sets only because Multimed wants to hear of changes. */
    private void hideChange(ByteBuf in, int start, int length, int first) {
        if (first == Reply.EOF
                && length == EOF_LENGTH
                && !Capability.has(session.clientCapabilities(), Capability.SESSION_TRACK)) {
            int at = start + Packets.HEADER + 3;
            in.setShortLE(at, in.getUnsignedShortLE(at) & ~ServerStatus.SESSION_STATE_CHANGED);
        }
    }

    private void passOnOk(ByteBuf in, int start, int length) throws MysqlProtocolException {
        OkMessage ok = OkMessage.decode(in.slice(start + Packets.HEADER, length), session.masterCapabilities());
        OkMessage shown = session.state().changed(ok, explained);
        if (shown.changes().size() == ok.changes().size()
                && Capability.has(session.clientCapabilities(), Capability.SESSION_TRACK)) {
            passOn(in, start, start + Packets.HEADER + length);
            return;
        }
        ByteBuf out = session.client().alloc().buffer();
        int begun = Packets.begin(out, Packets.sequence(in, start));
        shown.encode(out, session.clientCapabilities());
        Packets.end(out, begun);
        session.client().write(out);
    }

    private void ended() {
        session.state().status(flow.status());
        if (flow.changedStateSilently() && !explained) {
            session.state().pin("the session may have temporary tables or the like");
        }
        if (flow.errorCode() != 0) {
            session.state().failed(!explained);
        }
        session.masterReplied();
        session.client().flush();
        session.ready();
    }

    @Override
    public void closed() {
        session.closed();
    }
}
