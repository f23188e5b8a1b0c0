package io.multimed.endpoint.pg.backend;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

/** The received parts of a DataRow or CopyData message whose end is still to come, without copies. */
final class BegunRow {
    private final List<ByteBuf> parts = new ArrayList<>(4);
    /** Number of bytes still to come. */
    private int missing;

    /** Takes over the reference of the first part, which contains at least the header. */
    BegunRow(ByteBuf first) {
        missing = length(first);
        add(first);
    }

    /** Returns the number of bytes still to come. */
    int missing() {
        return missing;
    }

    /** Takes over the reference of the next part. */
    final void add(ByteBuf part) {
        parts.add(part);
        missing -= part.readableBytes();
    }

    /** Hands on the received parts. @return whether the message is accepted */
    boolean handOn(EngineReplies replies) {
        ByteBuf first = parts.getFirst();
        int index = first.readerIndex();
        if (!replies.message(first.getByte(index), first, index, length(first))) {
            return false;
        }
        for (int i = 0; i < parts.size(); i++) {
            ByteBuf part = parts.get(i);
            replies.bytes(part, part.readerIndex(), part.writerIndex());
        }
        return true;
    }

    /** Returns the length of the whole message, type byte included. */
    private static int length(ByteBuf first) {
        return 1 + first.getInt(first.readerIndex() + 1);
    }

    void release() {
        for (int i = 0; i < parts.size(); i++) {
            parts.get(i).release();
        }
        parts.clear();
    }
}
