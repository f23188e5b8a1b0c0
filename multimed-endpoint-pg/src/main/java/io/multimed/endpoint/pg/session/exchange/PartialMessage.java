package io.multimed.endpoint.pg.session.exchange;

import io.netty.buffer.ByteBuf;

/**
 * Takes messages from the input that need not be there as a whole: what is still to come of one goes where its beginning
 * went, to the engine or to nobody.
 */
public final class PartialMessage {
    private final Exchange exchange;
    private final AwaitingEngine engine;
    /** Bytes still to come. */
    private int missing;
    /** They are for nobody: the beginning was not sent after all. */
    private boolean dropping;
    /** Bytes that came later than the beginning of their message, ever. */
    private long passed;

    PartialMessage(Exchange exchange, AwaitingEngine engine) {
        this.exchange = exchange;
        this.engine = engine;
    }

    /** Whether the end of a message is still to come whose beginning was taken. */
    public boolean isUnderWay() {
        return missing > 0;
    }

    /** Rises with every further part that comes. */
    public long passed() {
        return passed;
    }

    /** Passes on what there is of a message at the head of {@code in}. */
    public void pass(ByteBuf in, int total) {
        int part = Math.min(total, in.readableBytes());
        exchange.bound().write(in.readRetainedSlice(part));
        taken(total, part, false);
    }

    /** Passes it on, and has its reply expected. */
    public void pass(ByteBuf in, int total, Kind kind, Note note) {
        exchange.expect(kind, note);
        pass(in, total);
    }

    /** Takes for nobody what there is of a message at the head of {@code in}. */
    public void drop(ByteBuf in, int total) {
        int part = Math.min(total, in.readableBytes());
        in.skipBytes(part);
        taken(total, part, true);
    }

    /** So many bytes of a message were taken from the input and sent in another form; the rest goes as it is. */
    public void begun(int total, int part) {
        taken(total, part, false);
    }

    private void taken(int total, int part, boolean dropped) {
        missing = total - part;
        dropping = dropped;
    }

    /** Takes more of it from the input. @return false when nothing more is there or the engine takes no more now */
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
