package io.multimed.endpoint.pg.session.exchange;

import io.netty.buffer.ByteBuf;

/**
 * Takes messages from the input that may not have arrived completely. The rest of a message goes where its beginning went: to the
 * engine, or nowhere.
 */
public final class PartialMessage {
    private final Exchange exchange;
    private final AwaitingEngine engine;
    /** Number of bytes still to come. */
    private int missing;
    /** Whether the rest is dropped, because the beginning was not sent after all. */
    private boolean dropping;
    /** Total number of bytes that came later than the beginning of their message. */
    private long passed;

    public PartialMessage(Exchange exchange, AwaitingEngine engine) {
        this.exchange = exchange;
        this.engine = engine;
    }

    /** Whether the beginning of a message was taken and its end is still to come. */
    public boolean isUnderWay() {
        return missing > 0;
    }

    /** Number of bytes that came later than the beginning of their message. It grows with every further part. */
    public long passed() {
        return passed;
    }

    /** Passes on the available part of a message at the head of {@code in}. */
    public void pass(ByteBuf in, int total) {
        int part = Math.min(total, in.readableBytes());
        exchange.bound().write(in.readRetainedSlice(part));
        taken(total, part, false);
    }

    /** Passes on a message and records that its reply is expected. */
    public void pass(ByteBuf in, int total, MessageKind kind, Note note) {
        exchange.expect(kind, note);
        pass(in, total);
    }

    /** Drops the available part of a message at the head of {@code in}. */
    public void drop(ByteBuf in, int total) {
        int part = Math.min(total, in.readableBytes());
        in.skipBytes(part);
        taken(total, part, true);
    }

    /**
     * Records that this many bytes of a message were taken from the input and sent in another form. The rest is passed on
     * unchanged.
     */
    public void begun(int total, int part) {
        taken(total, part, false);
    }

    private void taken(int total, int part, boolean dropped) {
        missing = total - part;
        dropping = dropped;
    }

    /**
     * Takes more of the message from the input.
     *
     * @return false when no more input is available or the engine takes no more now
     */
    public boolean goOn(ByteBuf in) {
        if (!in.isReadable()) {
            return false;
        }
        passed += Math.min(missing, in.readableBytes());
        if (dropping || !exchange.isBound()) {
            drop(in, missing);
            return true;
        }
        if (!engine.takesMore()) {
            return false;
        }
        pass(in, missing);
        return true;
    }
}
