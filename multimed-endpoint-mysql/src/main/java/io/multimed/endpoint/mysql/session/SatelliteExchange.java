package io.multimed.endpoint.mysql.session;

import io.multimed.endpoint.mysql.backend.EngineLink;
import io.multimed.endpoint.mysql.backend.PacketInput;
import io.multimed.endpoint.mysql.backend.PacketSink;
import io.multimed.protocol.mysql.MysqlCommand;
import io.multimed.protocol.mysql.MysqlProtocolException;
import io.multimed.protocol.mysql.Packets;
import io.multimed.protocol.mysql.ReplyFlow;
import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;

/**
 * The execution of one read by a Satellite. The reply's beginning is held back: if the Satellite answers with an error, or ends, the client
 * sees nothing of it.
 */
final class SatelliteExchange implements PacketSink {
    /** The error of a statement that was killed. */
    static final int INTERRUPTED = 1317;

    private final MysqlSession session;
    private final SatelliteConnection connection;
    private final SatelliteRead read;
    private final boolean isBound;
    private final ReplyFlow flow;
    private final ReadReply reply;
    private final long begunNanos = System.nanoTime();
    private Consumer<Boolean> done = ignored -> {};
    private boolean ended;
    /** Whether the present reply is that of a COM_STMT_PREPARE of Multimed's own. */
    private boolean prepares;
    /** The error of that; 0 for none. */
    private int refusal;

    /** @param isBound whether the client is to see an error, since the Master cannot execute the read instead */
    SatelliteExchange(MysqlSession session, SatelliteConnection connection, SatelliteRead read, boolean isBound) {
        this.isBound = isBound;
        this.session = session;
        this.connection = connection;
        this.read = read;
        flow = new ReplyFlow(connection.capabilities());
        reply = new ReadReply(session, connection.node(), flow);
    }

    /** @param whenDone receives whether the client has a reply; if not, it has seen nothing */
    void begin(Consumer<Boolean> whenDone) {
        done = whenDone;
        EngineLink link = connection.link();
        if (link == null || !connection.isOpen()) {
            if (isBound) {
                lost();
            }
            done.accept(isBound);
            return;
        }
        link.sink(this);
        connection.node().transactionBegan();
        ByteBuf out = link.alloc().buffer();
        prepares = read.write(connection, out);
        flow.begin(prepares ? MysqlCommand.STMT_PREPARE : read.command());
        link.writeAndFlush(out);
    }

    /** Passes over what the Satellite says about a statement that Multimed has it prepare. */
    private void passPreparation(ByteBuf in) throws MysqlProtocolException {
        while (prepares && PacketInput.hasPacket(in)) {
            int length = Packets.length(in, in.readerIndex());
            boolean isOver = flow.next(in, in.readerIndex() + Packets.HEADER, length) == ReplyFlow.Step.ENDED;
            in.skipBytes(Packets.HEADER + length);
            if (isOver) {
                prepares = false;
                refusal = flow.errorCode();
                if (refusal == 0) {
                    read.prepared(connection, flow.statement());
                }
                flow.begin(read.command());
            }
        }
    }

    @Override
    public void packets(ByteBuf in) throws MysqlProtocolException {
        passPreparation(in);
        boolean finished = !prepares && reply.take(in);
        if (finished) {
            // A client that has the reply finds it counted.
            connection.node().transactionEnded();
            connection.warned(flow.warnings() > 0 || flow.errorCode() != 0, read.keepsWarnings());
        }
        boolean isKill = flow.errorCode() == INTERRUPTED && connection.wasKilled();
        if (finished && !reply.isReleased() && flow.errorCode() != 0 && !isKill && !isBound) {
            end(false);
            return;
        }
        if ((finished || reply.isToBeShown()) && !reply.isReleased() && isOther()) {
            if (!finished) {
                connection.close();
                connection.node().transactionEnded();
            }
            if (isBound) {
                connection.close();
                reply.drop();
                lost();
            }
            end(isBound);
            return;
        }
        if (finished || reply.isToBeShown()) {
            reply.release();
        }
        if (finished) {
            read.answered(connection, flow.status(), flow.errorCode() != 0);
            if (!read.shape().isEmpty()) {
                session.loop()
                        .shortReads()
                        .executedAlone(read.shape(), System.nanoTime() - begunNanos, reply.isPlain());
            }
            end(true);
        } else if (reply.isReleased()) {
            EngineLink link = connection.link();
            if (link != null) {
                session.watchClient(link);
            }
        }
    }

    /** Whether the reply is not the one for the client: the engine has executed another statement, or one that has changed. */
    private boolean isOther() {
        return refusal == 0 ? !isBound && read.isOther(flow) : flow.errorCode() == 0;
    }

    private void end(boolean answered) {
        ended = true;
        if (refusal == MysqlErrors.TOO_MANY_STATEMENTS) {
            // The one that was prepared last has been executed instead, and may have lost a cursor.
            connection.close();
        }
        reply.drop();
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
        boolean answered = reply.isReleased() || isBound;
        if (answered) {
            lost();
        }
        end(answered);
    }

    private void lost() {
        read.answered(connection, 0, true);
        reply.lost();
    }
}
