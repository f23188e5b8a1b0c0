package io.multimed.endpoint.pg.client;

import io.multimed.endpoint.pg.admin.AdminDatabase;
import io.multimed.protocol.pg.BackendMessages;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.Frontend;
import io.multimed.protocol.pg.ProtocolException;
import io.multimed.protocol.pg.SqlState;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A client that is connected to the admin database. */
final class AdminConversation implements ClientConnection.Conversation {
    private static final int LONGEST_MESSAGE = 10_000;

    private final ClientConnection client;
    private final AdminDatabase admin;
    private boolean waiting;
    private boolean skipping;
    private boolean ended;

    AdminConversation(ClientConnection client, AdminDatabase admin) {
        this.client = client;
        this.admin = admin;
    }

    @Override
    public void process() {
        ByteBuf in = client.input();
        try {
            while (!waiting && !ended && client.isWritable() && in.readableBytes() >= 5) {
                byte type = in.getByte(in.readerIndex());
                int length = in.getInt(in.readerIndex() + 1);
                Frontend.checkHeader(type, length);
                if (length > LONGEST_MESSAGE) {
                    throw ProtocolException.fatal(
                            SqlState.PROGRAM_LIMIT_EXCEEDED, "the multimed database knows no command of this length");
                }
                if (in.readableBytes() < length + 1) {
                    break;
                }
                message(type, in.readSlice(length + 1).skipBytes(5));
            }
            client.reading(!waiting && client.isWritable());
        } catch (ProtocolException violation) {
            ended = true;
            client.refuse(violation);
        }
    }

    private void message(byte type, ByteBuf body) throws ProtocolException {
        switch (type) {
            case Frontend.QUERY -> {
                if (!body.isReadable() || body.getByte(body.writerIndex() - 1) != 0) {
                    throw ProtocolException.fatal(SqlState.PROTOCOL_VIOLATION, "invalid string in message");
                }
                query(body.toString(body.readerIndex(), body.readableBytes() - 1, StandardCharsets.UTF_8));
            }
            case Frontend.TERMINATE -> {
                ended = true;
                client.close();
            }
            case Frontend.SYNC -> {
                skipping = false;
                ByteBuf out = client.buffer(16);
                BackendMessages.readyForQuery(out, (byte) 'I');
                client.write(out);
            }
            case Frontend.PARSE, Frontend.BIND, Frontend.DESCRIBE, Frontend.EXECUTE, Frontend.CLOSE -> {
                if (!skipping) {
                    skipping = true;
                    ByteBuf out = client.buffer(128);
                    BackendMessages.error(
                            out,
                            ErrorFields.error(
                                            SqlState.FEATURE_NOT_SUPPORTED,
                                            "the multimed database speaks the simple query protocol only")
                                    .withHint("With pgjdbc: preferQueryMode=simple."));
                    client.write(out);
                }
            }
            default -> {}
        }
    }

    private void query(String sql) {
        if (sql.isBlank() || sql.strip().equals(";")) {
            ByteBuf out = client.buffer(16);
            BackendMessages.emptyQueryResponse(out);
            BackendMessages.readyForQuery(out, (byte) 'I');
            client.write(out);
            return;
        }
        if (sql.strip().regionMatches(true, 0, "SET ", 0, 4)) {
            // Drivers set a few things when they connect; none matters here.
            ByteBuf out = client.buffer(32);
            BackendMessages.commandComplete(out, "SET");
            BackendMessages.readyForQuery(out, (byte) 'I');
            client.write(out);
            return;
        }
        var answer = admin.answer(sql);
        if (answer == null) {
            ByteBuf out = client.buffer(256);
            BackendMessages.error(
                    out,
                    ErrorFields.error(SqlState.SYNTAX_ERROR, "the multimed database does not know this command")
                            .withHint("SHOW NODES, SHOW POOLS, SHOW CLIENTS, SHOW ROUTES or SHOW STATS."));
            BackendMessages.readyForQuery(out, (byte) 'I');
            client.write(out);
            return;
        }
        waiting = true;
        answer.whenCompleteAsync(
                (table, failure) -> {
                    waiting = false;
                    if (ended) {
                        return;
                    }
                    ByteBuf out = client.buffer(1024);
                    if (table == null) {
                        BackendMessages.error(out, ErrorFields.error(SqlState.INTERNAL_ERROR, failure.toString()));
                    } else {
                        BackendMessages.textColumns(out, table.columns());
                        for (List<Object> row : table.rows()) {
                            BackendMessages.textRow(out, row);
                        }
                        BackendMessages.commandComplete(out, "SHOW");
                    }
                    BackendMessages.readyForQuery(out, (byte) 'I');
                    client.write(out);
                    process();
                    client.loop().backends().flushAll();
                },
                client.loop().loop());
    }

    @Override
    public void writable() {
        process();
        client.loop().backends().flushAll();
    }

    @Override
    public void end() {
        ended = true;
    }
}
