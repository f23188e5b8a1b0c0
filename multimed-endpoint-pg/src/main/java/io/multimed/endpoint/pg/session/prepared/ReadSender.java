package io.multimed.endpoint.pg.session.prepared;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.Note;
import io.multimed.endpoint.pg.session.loop.PreparedStatement;
import io.multimed.protocol.pg.ExtendedMessage;
import io.multimed.protocol.pg.Frontend;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/** Sends whole segments that execute one read, which concern nothing but its result. */
public final class ReadSender {
    private final Exchange exchange;
    private final ParseSender parses;

    public ReadSender(Exchange exchange, ParseSender parses) {
        this.exchange = exchange;
        this.parses = parses;
    }

    /**
     * Sends a whole segment that prepares and executes a read without names.
     *
     * @param parse its first message
     * @param describes whether it describes the portal
     */
    public void sendUnnamed(
            ByteBuf in, int length, ExtendedMessage.Parse parse, boolean describes, BackendConnection backend) {
        Note prepared = parses.unnamedRead(parse);
        backend.write(in.readRetainedSlice(length));
        exchange.expectRead(prepared, Note.CLIENTS, describes);
    }

    /**
     * Sends a whole segment that binds and executes a read without a portal name.
     *
     * @param statement the read, which the engine holds
     * @param describes whether it describes the portal
     */
    public void sendPrepared(
            ByteBuf in, int length, PreparedStatement statement, boolean describes, BackendConnection backend) {
        ByteBuf out = backend.buffer(length + 64);
        int start = in.readerIndex();
        int nameStart = start + 6;
        int nameEnd = in.indexOf(nameStart, in.writerIndex(), (byte) 0);
        String name = statement.engineName();
        int longer = name.length() - (nameEnd - nameStart);
        out.writeByte(Frontend.BIND).writeInt(in.getInt(start + 1) + longer).writeByte(0);
        out.writeCharSequence(name, StandardCharsets.ISO_8859_1);
        out.writeBytes(in, nameEnd, start + length - nameEnd);
        String clientName = in.toString(nameStart, nameEnd - nameStart, StandardCharsets.ISO_8859_1);
        in.skipBytes(length);
        backend.write(out);
        exchange.expectRead(null, new ClientName(clientName).of(statement), describes);
    }
}
