package io.multimed.endpoint.pg.client;

import io.netty.buffer.ByteBuf;

/** Finds where messages end in a stream of bytes of which nothing else is looked at. */
final class MessageBoundaries {
    private static final int HEADER = 5;
    /** The length field counts itself. */
    private static final int LENGTH_FIELD = 4;

    /** Bytes of the present message's header that have passed, if it is not complete. */
    private int header;

    private int length;
    /** Bytes of the present message's body that have not passed. */
    private long body;

    /** Records that these bytes pass. */
    void pass(ByteBuf bytes) {
        int at = bytes.readerIndex();
        int end = bytes.writerIndex();
        while (at < end) {
            if (body > 0) {
                int skipped = (int) Math.min(body, end - at);
                body -= skipped;
                at += skipped;
            } else {
                headerByte(bytes.getByte(at));
                at++;
            }
        }
    }

    private void headerByte(byte next) {
        if (header > 0) {
            length = (length << Byte.SIZE) | (next & 0xff);
        }
        header++;
        if (header == HEADER) {
            body = Math.max(0, length - LENGTH_FIELD);
            header = 0;
            length = 0;
        }
    }

    /** Whether all messages that have begun are complete. */
    boolean isBetweenMessages() {
        return body == 0 && header == 0;
    }
}
