package io.multimed.engine.mariadb.wire;

import io.multimed.protocol.mysql.Packets;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * Cuts a stream of packets into payloads, of each of which it keeps the beginning: an event of the binary log may have gigabytes.
 * Not thread-safe.
 */
public final class PacketHeads {
    private final int kept;
    private final ByteBuf head = Unpooled.buffer(1024);
    private long length;
    /** Bytes of the present packet that are still to come. */
    private int left;
    /** Whether the present packet's header has been read. */
    private boolean within;
    /** Whether the present packet is followed by more of the same payload. */
    private boolean followed;
    /** Whether the payload is complete, so that the next one begins with the next packet. */
    private boolean complete = true;

    /** @param kept how many bytes of a payload are kept at most */
    public PacketHeads(int kept) {
        this.kept = kept;
    }

    /**
     * Takes bytes up to the end of a payload.
     *
     * @return whether a payload is complete; otherwise all bytes were taken
     */
    public boolean take(ByteBuf in) {
        while (true) {
            if (!within) {
                if (in.readableBytes() < Packets.HEADER) {
                    return false;
                }
                if (complete) {
                    complete = false;
                    head.clear();
                    length = 0;
                }
                left = Packets.length(in, in.readerIndex());
                followed = left == Packets.MAX_LENGTH;
                in.skipBytes(Packets.HEADER);
                within = true;
            }
            int count = Math.min(left, in.readableBytes());
            int keep = Math.min(count, kept - head.writerIndex());
            head.writeBytes(in, keep);
            in.skipBytes(count - keep);
            length += count;
            left -= count;
            if (left > 0) {
                return false;
            }
            within = false;
            if (!followed) {
                complete = true;
                return true;
            }
        }
    }

    /** Returns the beginning of the payload that is complete, valid until the next call of {@link #take}. */
    public ByteBuf head() {
        return head;
    }

    /** Returns the length of the payload that is complete. */
    public long length() {
        return length;
    }
}
