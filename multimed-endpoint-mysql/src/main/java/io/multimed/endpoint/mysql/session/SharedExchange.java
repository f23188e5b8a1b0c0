package io.multimed.endpoint.mysql.session;

import io.multimed.endpoint.mysql.backend.PacketInput;
import io.multimed.protocol.mysql.MysqlCommand;
import io.multimed.protocol.mysql.MysqlProtocolException;
import io.multimed.protocol.mysql.Packets;
import io.multimed.protocol.mysql.ReplyFlow;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.function.Consumer;

/** The execution of one read on a connection to a Satellite that several sessions share. */
final class SharedExchange {
    /** The end of an execution, for its session. */
    enum Outcome {
        /** The client has the reply. */
        ANSWERED,
        /** The client has seen nothing, and the Master has to execute the read. */
        FAILED,
        /** The client has seen nothing, and the read can be executed elsewhere. */
        TAKEN_BACK
    }

    private final MysqlSession session;
    private final SatelliteRead read;
    private final boolean isShort;
    private final SharedConnection connection;
    private final ReadReply reply;
    private Consumer<Outcome> done = ignored -> {};
    private long begunNanos;
    /** Whether nobody waits for it any more. Its reply still comes. */
    private boolean abandoned;

    /** Whether the present reply is that of a COM_STMT_PREPARE. */
    private boolean prepares;
    /** Whether the engine could not prepare the statement, so that what it executes as the last one may be another's. */
    private boolean unprepared;

    private boolean killed;
    private boolean failed;

    /** @param isShort whether other reads may wait behind it */
    SharedExchange(MysqlSession session, SharedConnection connection, SatelliteRead read, boolean isShort) {
        this.session = session;
        this.read = read;
        this.isShort = isShort;
        this.connection = connection;
        ReplyFlow flow = new ReplyFlow(connection.capabilities());
        flow.begin(read.command());
        reply = new ReadReply(session, connection.node(), flow);
    }

    /** @param action called once, unless {@link #leave} is */
    void whenDone(Consumer<Outcome> action) {
        done = action;
    }

    void write(SharedStatements statements, ByteBuf out) {
        switch (read) {
            case SatelliteRead.Execution execution -> {
                prepares = statements.write(execution, out);
                if (prepares) {
                    reply.flow().begin(MysqlCommand.STMT_PREPARE);
                }
            }
            case SatelliteRead.Text text -> Packets.write(out, 0, Unpooled.wrappedBuffer(text.payload()));
            default -> throw new IllegalStateException("the read needs a connection of the session's own");
        }
    }

    /** Passes over what the engine says about a statement that it has been told to prepare. */
    private void passPreparation(ByteBuf in) throws MysqlProtocolException {
        ReplyFlow flow = reply.flow();
        while (prepares && PacketInput.hasPacket(in)) {
            int length = Packets.length(in, in.readerIndex());
            boolean isOver = flow.next(in, in.readerIndex() + Packets.HEADER, length) == ReplyFlow.Step.ENDED;
            in.skipBytes(Packets.HEADER + length);
            if (isOver) {
                prepares = false;
                unprepared = flow.errorCode() != 0;
                if (!unprepared && read instanceof SatelliteRead.Execution execution) {
                    connection.prepared(execution, flow.statement());
                }
                flow.begin(read.command());
            }
        }
    }

    /** Records that the engine has begun to execute it: those before have ended. */
    void begins() {
        begunNanos = System.nanoTime();
    }

    boolean isShort() {
        return isShort;
    }

    /** Whether the engine has been executing it for longer than reads should that others wait for. */
    boolean isSlow() {
        return elapsedNanos() > session.loop().shortReads().longestNanos();
    }

    /** Returns the time since the engine has begun to execute it. */
    long elapsedNanos() {
        return System.nanoTime() - begunNanos;
    }

    /** Takes the packets that belong to the reply. @return whether it has ended; then {@link #end} has to be called */
    boolean take(ByteBuf in) throws MysqlProtocolException {
        passPreparation(in);
        boolean finished = !prepares && reply.take(in);
        if (finished) {
            // A client that has the reply finds it counted.
            connection.node().transactionEnded();
        }
        if (abandoned) {
            reply.drop();
            return finished;
        }
        int error = reply.flow().errorCode();
        failed = finished && !reply.isReleased() && error != 0 && !(killed && error == SatelliteExchange.INTERRUPTED);
        if (!failed && (finished || reply.isToBeShown())) {
            if (!reply.isReleased() && isOther()) {
                failed = true;
                if (!finished) {
                    leave();
                    done.accept(Outcome.FAILED);
                }
                return finished;
            }
            reply.release();
        }
        return finished;
    }

    /** Whether the reply is not the one for the client. */
    private boolean isOther() {
        return unprepared ? reply.flow().errorCode() == 0 : read.isOther(reply.flow());
    }

    /** Whether the client does not take what it is sent. */
    boolean isClientSlow() {
        return !abandoned && reply.isReleased() && !session.client().isWritable();
    }

    /** Ends the execution after its reply. */
    void end() {
        session.loop().shortReads().executed(read.shape(), elapsedNanos(), reply.isPlain());
        reply.drop();
        if (!abandoned) {
            abandoned = true;
            done.accept(failed ? Outcome.FAILED : Outcome.ANSWERED);
        }
    }

    /** Ends the execution because its connection has ended. */
    void lost() {
        connection.node().transactionEnded();
        if (abandoned) {
            return;
        }
        abandoned = true;
        boolean answered = reply.isReleased();
        if (answered) {
            reply.lost();
        }
        reply.drop();
        done.accept(answered ? Outcome.ANSWERED : Outcome.FAILED);
    }

    /** Has the read executed elsewhere, if the client has not seen anything of the reply. */
    void takeBack() {
        if (!abandoned && !reply.isReleased()) {
            leave();
            done.accept(Outcome.TAKEN_BACK);
        }
    }

    /** Discards the reply: the session has ended, or goes on without it. */
    void leave() {
        abandoned = true;
        reply.drop();
    }

    /** Whether no client waits for it. */
    boolean isAbandoned() {
        return abandoned;
    }

    void kill() {
        killed = true;
    }

    boolean isKilled() {
        return killed;
    }

    /** Returns the number of rows of the reply. */
    long rows() {
        return reply.flow().rows();
    }

    /** Returns the number of warnings that the reply tells. */
    int warnings() {
        return reply.flow().warnings();
    }
}
