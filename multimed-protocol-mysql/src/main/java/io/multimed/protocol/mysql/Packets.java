package io.multimed.protocol.mysql;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Packet framing: three bytes of length, one of sequence number, payload.
 *
 * <p>A payload of 2<sup>24</sup>-1 bytes or more is split: packets of exactly that length are followed by more, the last one may be
 * empty.
 */
public final class Packets {
    public static final int HEADER = 4;

    /** Length of a packet that is followed by more of the same payload. */
    public static final int MAX_LENGTH = 0xffffff;

    /** A payload of which all packets have arrived. The sequence number is that of the last packet. */
    public record Packet(int sequence, ByteBuf payload) {}

    private Packets() {}

    /** Returns the payload's length of the packet whose header begins at {@code index}. */
    public static int length(ByteBuf in, int index) {
        return in.getUnsignedMediumLE(index);
    }

    /** Returns the sequence number of the packet whose header begins at {@code index}. */
    public static int sequence(ByteBuf in, int index) {
        return in.getUnsignedByte(index + 3);
    }

    /** Changes the sequence number of the packet whose header begins at {@code index}. */
    public static void sequence(ByteBuf packet, int index, int other) {
        packet.setByte(index + 3, other);
    }

    /**
     * Reads one payload if all of it is there. A payload in one packet is a slice, a split one a copy.
     *
     * @param maxLength longest payload that is accepted
     * @return null when more bytes are needed
     */
    public static @Nullable Packet read(ByteBuf in, long maxLength) throws MysqlProtocolException {
        int end = in.readerIndex();
        long total = 0;
        int length;
        do {
            if (in.writerIndex() - end < HEADER) {
                return null;
            }
            length = length(in, end);
            total += length;
            if (total > maxLength) {
                throw new MysqlProtocolException("payload of more than " + maxLength + " bytes");
            }
            if (in.writerIndex() - end - HEADER < length) {
                return null;
            }
            end += HEADER + length;
        } while (length == MAX_LENGTH);
        if (total < MAX_LENGTH) {
            int sequence = sequence(in, in.readerIndex());
            return new Packet(sequence, in.skipBytes(HEADER).readSlice((int) total));
        }
        return new Packet(sequence(in, end - HEADER - length), joined(in, end, (int) total));
    }

    private static ByteBuf joined(ByteBuf in, int end, int total) {
        ByteBuf payload = in.alloc().buffer(total);
        while (in.readerIndex() < end) {
            int length = length(in, in.readerIndex());
            in.skipBytes(HEADER).readBytes(payload, length);
        }
        return payload;
    }

    /**
     * Appends the readable bytes of {@code payload}, in as many packets as they need.
     *
     * @return the sequence number of the packet after the last
     */
    public static int write(ByteBuf out, int sequence, ByteBuf payload) {
        int next = sequence;
        int length;
        do {
            length = Math.min(payload.readableBytes(), MAX_LENGTH);
            out.writeMediumLE(length).writeByte(next).writeBytes(payload, length);
            next = next + 1 & 0xff;
        } while (length == MAX_LENGTH);
        return next;
    }

    /** Begins a packet whose payload is written next. @return the position for {@link #end} */
    public static int begin(ByteBuf out, int sequence) {
        out.writeMediumLE(0).writeByte(sequence);
        return out.writerIndex();
    }

    /** Ends a packet, shorter than {@link #MAX_LENGTH}, that {@link #begin} has begun. */
    public static void end(ByteBuf out, int begun) {
        int length = out.writerIndex() - begun;
        if (length >= MAX_LENGTH) {
            throw new IllegalArgumentException("payload of " + length + " bytes in one packet");
        }
        out.setMediumLE(begun - HEADER, length);
    }

    /** Appends the first packet of a command without operands, or with a text. */
    public static void command(ByteBuf out, int command, String text) {
        ByteBuf payload = out.alloc().buffer();
        try {
            payload.writeByte(command).writeCharSequence(text, StandardCharsets.UTF_8);
            write(out, 0, payload);
        } finally {
            payload.release();
        }
    }
}
