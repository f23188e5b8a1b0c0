package io.multimed.endpoint.pg.client;

import io.multimed.endpoint.pg.admin.AdminAnswer;
import io.multimed.endpoint.pg.admin.AdminCommand;
import io.multimed.endpoint.pg.admin.AdminDatabase;
import io.multimed.endpoint.pg.admin.CommandFailure;
import io.multimed.endpoint.pg.admin.Viewer;
import io.multimed.endpoint.pg.session.exchange.ClientTasks;
import io.multimed.protocol.pg.BackendMessages;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.Frontend;
import io.multimed.protocol.pg.ProtocolException;
import io.multimed.protocol.pg.SqlState;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The session of a client of the admin database. While rows are computed, further messages stay in the client's input. */
final class AdminConversation implements ClientConnection.Conversation {
    private static final int LONGEST_MESSAGE = 10_000;

    private final ClientConnection client;
    private final AdminDatabase admin;
    private final Viewer viewer;
    private final AdminStatements statements;
    private final ClientTasks tasks;
    /** Commands of the latest Query that were not begun. */
    private final Deque<String> commands = new ArrayDeque<>();

    private byte transaction = 'I';
    /** The execution of the present command; null if there is none. */
    private @Nullable CompletableFuture<AdminAnswer> awaited;
    /** Whether an extended query message has failed, so that all messages up to Sync are ignored. */
    private boolean skipping;

    private boolean ended;

    AdminConversation(ClientConnection client, AdminDatabase admin, Viewer viewer) {
        this.client = client;
        this.admin = admin;
        this.viewer = viewer;
        this.statements = new AdminStatements(admin, viewer);
        this.tasks = new ClientTasks(client.loop().loop(), client);
    }

    @Override
    public void process() {
        try {
            boolean progress = true;
            while (progress && awaited == null && !ended && client.isWritable()) {
                if (commands.isEmpty()) {
                    progress = message(client.input());
                } else {
                    run(commands.removeFirst());
                }
            }
            // The end of a client that waits for long is noticed by reading.
            client.reading(
                    client.isWritable() && (awaited == null || client.input().readableBytes() < LONGEST_MESSAGE));
        } catch (ProtocolException violation) {
            ended = true;
            client.refuse(violation);
        }
    }

    private boolean message(ByteBuf in) throws ProtocolException {
        if (in.readableBytes() < 5) {
            return false;
        }
        byte type = in.getByte(in.readerIndex());
        int length = in.getInt(in.readerIndex() + 1);
        Frontend.checkHeader(type, length);
        if (length > LONGEST_MESSAGE) {
            throw ProtocolException.fatal(
                    SqlState.PROGRAM_LIMIT_EXCEEDED, "the multimed database knows no command of this length");
        }
        if (in.readableBytes() < length + 1) {
            return false;
        }
        message(type, in.readSlice(length + 1));
        return true;
    }

    private void message(byte type, ByteBuf message) throws ProtocolException {
        if (skipping && type != Frontend.SYNC && type != Frontend.TERMINATE) {
            return;
        }
        switch (type) {
            case Frontend.QUERY -> {
                if (message.readableBytes() < 6 || message.getByte(message.writerIndex() - 1) != 0) {
                    throw ProtocolException.fatal(SqlState.PROTOCOL_VIOLATION, "invalid string in message");
                }
                query(message.toString(5, message.readableBytes() - 6, StandardCharsets.UTF_8));
            }
            case Frontend.FUNCTION_CALL -> functionCall(message);
            case Frontend.TERMINATE -> {
                ended = true;
                client.close();
            }
            case Frontend.SYNC -> {
                skipping = false;
                if (transaction == 'I') {
                    statements.forgetPortals();
                }
                ready(client.buffer(16));
            }
            case Frontend.PARSE, Frontend.BIND, Frontend.DESCRIBE, Frontend.EXECUTE, Frontend.CLOSE ->
                extended(type, message);
            default -> {}
        }
    }

    /** Answers with PostgreSQL's error for a function that does not exist. */
    private void functionCall(ByteBuf message) {
        ByteBuf out = client.buffer(128);
        BackendMessages.error(
                out,
                message.readableBytes() < 9
                        ? ErrorFields.error(SqlState.PROTOCOL_VIOLATION, "insufficient data left in message")
                        : ErrorFields.error(
                                SqlState.UNDEFINED_FUNCTION,
                                "function with OID " + message.getUnsignedInt(5) + " does not exist"));
        ready(out);
    }

    private void extended(byte type, ByteBuf message) {
        ByteBuf out = client.buffer(256);
        try {
            if (type == Frontend.EXECUTE) {
                execute(message, out);
            } else {
                statements.message(type, message, out);
                client.write(out);
            }
        } catch (AdminRefusal refusal) {
            skipping = true;
            BackendMessages.error(out, refusal.error());
            client.write(out);
        }
    }

    private void execute(ByteBuf message, ByteBuf out) throws AdminRefusal {
        AdminStatements.Portal portal = statements.executed(message);
        int limit = message.getInt(message.writerIndex() - 4);
        if (portal.isExecuted()) {
            portal.next(limit, out);
            client.write(out);
            return;
        }
        await(portal.command(), out, answer -> {
            if (answer == null) {
                skipping = true;
            } else {
                portal.executed(answer);
                portal.next(limit, out);
            }
            client.write(out);
        });
    }

    private void query(String sql) {
        commands.addAll(admin.commands(sql));
        if (commands.isEmpty()) {
            ByteBuf out = client.buffer(16);
            BackendMessages.emptyQueryResponse(out);
            ready(out);
        }
    }

    /** Executes one command of a Query. If it fails, those behind it are not executed. */
    private void run(String text) {
        ByteBuf out = client.buffer(1024);
        AdminCommand command = admin.command(text, viewer);
        if (command == null) {
            BackendMessages.error(out, AdminRefusal.unknownCommand().error());
            commands.clear();
            ready(out);
            return;
        }
        await(command, out, answer -> {
            if (answer == null) {
                commands.clear();
            } else {
                if (command.hasRows()) {
                    BackendMessages.textColumns(out, command.columns());
                    answer.rows().forEach(row -> BackendMessages.textRow(out, row));
                }
                BackendMessages.commandComplete(out, command.tag());
            }
            if (commands.isEmpty()) {
                ready(out);
            } else {
                client.write(out);
            }
        });
    }

    private void ready(ByteBuf out) {
        BackendMessages.readyForQuery(out, transaction);
        client.write(out);
    }

    /**
     * Executes a command and continues on the client's loop.
     *
     * @param out receives the command's notices, or the error if it fails
     * @param then receives the answer; null if the command has failed
     */
    @SuppressWarnings("FutureReturnValueIgnored") // The action takes the result and the failure.
    private void await(AdminCommand command, ByteBuf out, Consumer<@Nullable AdminAnswer> then) {
        CompletableFuture<AdminAnswer> execution = command.execution().get();
        awaited = execution;
        execution.whenCompleteAsync(
                (answer, failure) -> tasks.heard(() -> answer(command, answer, failure, out, then))
                        .run(),
                client.loop().loop());
    }

    private void answer(
            AdminCommand command,
            @Nullable AdminAnswer answer,
            Throwable failure,
            ByteBuf out,
            Consumer<@Nullable AdminAnswer> then) {
        awaited = null;
        if (ended) {
            out.release();
            return;
        }
        if (answer == null) {
            BackendMessages.error(out, CommandFailure.error(failure));
        } else {
            answer.notices().forEach(notice -> BackendMessages.notice(out, notice));
            transaction = command.transaction(transaction);
        }
        then.accept(answer);
        process();
    }

    @Override
    public void writable() {
        process();
    }

    @Override
    public void end() {
        ended = true;
        CompletableFuture<AdminAnswer> execution = awaited;
        if (execution != null) {
            execution.cancel(false);
        }
    }
}
