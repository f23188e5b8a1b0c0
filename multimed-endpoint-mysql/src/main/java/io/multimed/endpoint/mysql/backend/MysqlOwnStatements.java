package io.multimed.endpoint.mysql.backend;

import io.multimed.protocol.mysql.ErrMessage;
import io.multimed.protocol.mysql.Fields;
import io.multimed.protocol.mysql.MysqlCommand;
import io.multimed.protocol.mysql.MysqlProtocolException;
import io.multimed.protocol.mysql.OkMessage;
import io.multimed.protocol.mysql.Packets;
import io.multimed.protocol.mysql.PrepareOk;
import io.multimed.protocol.mysql.Reply;
import io.multimed.protocol.mysql.ReplyFlow;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Statements of Multimed's own on a connection, sent at once and answered one after the other. */
public final class MysqlOwnStatements implements PacketSink {
    /**
     * The answer to one statement.
     *
     * @param rows in text form
     * @param error null if there was none
     * @param ok the OK that has ended the reply, if it was one
     * @param prepared the statement that was prepared; null if none was
     */
    public record Answer(
            List<List<@Nullable String>> rows,
            @Nullable ErrMessage error,
            @Nullable OkMessage ok,
            int status,
            @Nullable PrepareOk prepared) {
        /** Returns the answer without its error. */
        public Answer without() {
            return new Answer(rows, null, ok, status, prepared);
        }

        /** Returns the values of the only row; null if there is not one row. */
        public @Nullable List<@Nullable String> onlyRow() {
            return error == null && rows.size() == 1 ? rows.get(0) : null;
        }
    }

    private final long capabilities;
    private final ReplyFlow flow;
    private final int count;
    /** The commands whose replies are still to come, the present one first. */
    private final ArrayDeque<Integer> commands = new ArrayDeque<>();

    private final Consumer<@Nullable List<Answer>> done;
    private final List<Answer> answers = new ArrayList<>();
    private List<List<@Nullable String>> rows = new ArrayList<>();
    private @Nullable ErrMessage error;
    private @Nullable OkMessage ok;
    private boolean discards;

    private MysqlOwnStatements(long capabilities, List<Integer> all, Consumer<@Nullable List<Answer>> done) {
        this.capabilities = capabilities;
        this.done = done;
        flow = new ReplyFlow(capabilities);
        for (int command : all) {
            if (flow.begin(command)) {
                commands.add(command);
            }
        }
        count = commands.size();
        flow.begin(commands.element());
    }

    /**
     * Executes statements. Those behind a failed one are executed too.
     *
     * @param capabilities of the connection
     * @param done receives all answers, or null if the connection has ended; it chooses the connection's next sink
     */
    public static void execute(
            EngineLink link, long capabilities, List<String> statements, Consumer<@Nullable List<Answer>> done) {
        List<Integer> commands = Collections.nCopies(statements.size(), MysqlCommand.QUERY);
        link.sink(new MysqlOwnStatements(capabilities, commands, done));
        ByteBuf out = link.alloc().buffer();
        statements.forEach(statement -> Packets.command(out, MysqlCommand.QUERY, statement));
        link.writeAndFlush(out);
    }

    /**
     * Executes commands, at least one of them with a reply, for their effect on the engine's session; rows are discarded.
     *
     * @param payloads of the commands
     */
    public static void repeat(
            EngineLink link, long capabilities, List<byte[]> payloads, Consumer<@Nullable List<Answer>> done) {
        List<Integer> commands = new ArrayList<>();
        payloads.forEach(payload -> commands.add(payload[0] & 0xff));
        MysqlOwnStatements sink = new MysqlOwnStatements(capabilities, commands, done);
        sink.discards = true;
        link.sink(sink);
        ByteBuf out = link.alloc().buffer();
        payloads.forEach(payload -> Packets.write(out, 0, Unpooled.wrappedBuffer(payload)));
        link.writeAndFlush(out);
    }

    @Override
    public void packets(ByteBuf in) throws MysqlProtocolException {
        while (answers.size() < count && PacketInput.hasPacket(in)) {
            int length = Packets.length(in, in.readerIndex());
            ByteBuf payload = in.skipBytes(Packets.HEADER).readSlice(length);
            int first = length == 0 ? -1 : payload.getUnsignedByte(0);
            boolean isOk = flow.mayBeOk(first, length);
            long before = flow.rows();
            ReplyFlow.Step step = flow.next(payload, 0, length);
            if (flow.rows() > before) {
                if (!discards) {
                    rows.add(row(payload));
                }
            } else if (isOk) {
                ok = OkMessage.decode(payload, capabilities);
            } else if (first == Reply.ERR && flow.errorCode() != 0) {
                error = ErrMessage.decode(payload);
            }
            if (step == ReplyFlow.Step.ENDED) {
                answers.add(new Answer(rows, error, ok, flow.status(), prepared()));
                rows = new ArrayList<>();
                error = null;
                ok = null;
                if (answers.size() == count) {
                    done.accept(answers);
                    return;
                }
                commands.remove();
                flow.begin(commands.element());
            }
        }
    }

    private @Nullable PrepareOk prepared() {
        return flow.statement() == 0
                ? null
                : new PrepareOk(flow.statement(), flow.columnsOfPrepared(), flow.parameters());
    }

    private static List<@Nullable String> row(ByteBuf payload) throws MysqlProtocolException {
        List<@Nullable String> values = new ArrayList<>();
        while (payload.isReadable()) {
            values.add(Fields.readNullableText(payload));
        }
        return values;
    }

    @Override
    public void closed() {
        done.accept(null);
    }
}
