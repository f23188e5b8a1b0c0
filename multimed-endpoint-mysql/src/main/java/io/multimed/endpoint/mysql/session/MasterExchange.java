package io.multimed.endpoint.mysql.session;

import io.multimed.endpoint.mysql.backend.PacketInput;
import io.multimed.endpoint.mysql.backend.PacketSink;
import io.multimed.protocol.mysql.Capability;
import io.multimed.protocol.mysql.ErrMessage;
import io.multimed.protocol.mysql.MysqlCommand;
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
 *
 * <p>It has more fields than other classes, since it has one for each fact about the one command that the Master executes.
 */
final class MasterExchange implements PacketSink, ClientReader {
    private static final int EOF_LENGTH = 5;
    /** Length of the first packet of the reply to a preparation. Its last two bytes are the number of warnings. */
    private static final int PREPARED_LENGTH = 12;

    private final MysqlSession session;
    private final ReplyFlow flow;
    private PreparedReply prepared = PreparedReply.NONE;
    private boolean explained;
    private boolean showsChange;
    private boolean sending;
    private boolean sendingFile;
    private boolean underWay;
    private boolean replies;
    private int command;
    private long changedRows;
    private boolean warned;
    /** Whether the next packet is the first one of the reply to a preparation. */
    private boolean isPrepared;

    MasterExchange(MysqlSession session) {
        this.session = session;
        flow = new ReplyFlow(session.masterCapabilities());
    }

    /**
     * Sends a command.
     *
     * @param first the command's first packet; the others follow from the client
     * @param isExplained see {@link SessionState#changed}
     * @param switchesDatabase whether the Master would tell a client by itself that it changes the database and back
     * @param differences of the reply for the client
     */
    void begin(int begun, ByteBuf first, boolean isExplained, boolean switchesDatabase, PreparedReply differences) {
        command = begun;
        prepared = differences;
        explained = isExplained;
        showsChange = switchesDatabase;
        changedRows = 0;
        warned = false;
        isPrepared = command == MysqlCommand.STMT_PREPARE;
        underWay = true;
        replies = flow.begin(command);
        session.master().sink(this);
        sending = true;
        send(first.duplicate());
        if (sending) {
            // The others may have come while the command waited.
            session.client().readOnAgain();
        }
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
            session.master().writeAndFlush(in.retainedSlice(from, in.readerIndex() - from));
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

    /** Returns the last command's reply. */
    ReplyFlow flow() {
        return flow;
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
            if (isPrepared && first == Reply.OK && length >= PREPARED_LENGTH) {
                warned |= in.getUnsignedShortLE(start + Packets.HEADER + PREPARED_LENGTH - 2) > 0;
                in.setIntLE(start + Packets.HEADER + 1, prepared.shown());
            }
            isPrepared = false;
            if (first == Reply.EOF && length == EOF_LENGTH) {
                int warnings = in.getUnsignedShortLE(start + Packets.HEADER + 1);
                warned |= warnings > 0;
                prepared.changeEof(in, start + Packets.HEADER, flow.columns());
            }
            if (first == Reply.ERR && step == ReplyFlow.Step.ENDED && prepared.isRenumbered()) {
                passOn(in, from, start);
                passOnError(in, start, length);
                from = in.readerIndex();
                wrote = true;
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
                session.watchClient(session.master());
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

    private void passOnError(ByteBuf in, int start, int length) throws MysqlProtocolException {
        ByteBuf out = session.client().alloc().buffer();
        MysqlErrors.write(
                out,
                Packets.sequence(in, start),
                prepared.error(ErrMessage.decode(in.slice(start + Packets.HEADER, length))));
        session.client().write(out);
    }

    private void passOnOk(ByteBuf in, int start, int length) throws MysqlProtocolException {
        OkMessage ok = OkMessage.decode(in.slice(start + Packets.HEADER, length), session.masterCapabilities());
        changedRows = ok.header() == Reply.OK ? ok.affectedRows() : 0;
        warned |= ok.warnings() > 0;
        OkMessage shown = session.state().changed(ok, explained);
        int status = prepared.status(ok.status(), flow.columns());
        if (status == ok.status()
                && shown.changes().size() == ok.changes().size()
                && Capability.has(session.clientCapabilities(), Capability.SESSION_TRACK)) {
            passOn(in, start, start + Packets.HEADER + length);
            return;
        }
        ByteBuf out = session.client().alloc().buffer();
        int begun = Packets.begin(out, Packets.sequence(in, start));
        shown.withStatus(status).encode(out, session.clientCapabilities());
        Packets.end(out, begun);
        session.client().write(out);
    }

    private void ended() {
        session.state().status(flow.status());
        if (leavesCounts()) {
            session.state().changedRows(changedRows);
        }
        if (flow.changedStateSilently() && !explained) {
            session.state().pin("the session may have temporary tables or the like");
        }
        if (warned || flow.errorCode() != 0) {
            session.state().warned();
        }
        if (CommandTraits.isNoStatement(command, session.state().text())) {
            if (!CommandTraits.isRefusal(flow.errorCode())) {
                session.state().pin("a statement is not known");
                session.state().hold();
            }
        } else if (flow.errorCode() != 0) {
            session.state().failed(!explained);
        }
        session.masterReplied();
        session.client().flush();
        session.ready();
    }

    /** Whether the command leaves another number of changed rows. */
    private boolean leavesCounts() {
        return switch (command) {
            case MysqlCommand.QUERY, MysqlCommand.STMT_EXECUTE, MysqlCommand.PING, MysqlCommand.INIT_DB -> true;
            default -> false;
        };
    }

    @Override
    public void closed() {
        session.closed();
    }
}
