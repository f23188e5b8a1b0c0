package io.multimed.endpoint.pg.session.requests;

import io.multimed.protocol.pg.Frontend;
import io.multimed.protocol.pg.ProtocolException;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Examines the segment at the head of the input: waits for its messages and for the classification of its statements. Examining all of
 * it with every byte that arrives would take time quadratic in its length, so only the rest of its messages is looked for meanwhile.
 */
public final class SegmentExamination {
    private final Classifying classifying;
    private final ClientPause pause;
    /** Number of bytes from which a segment is sent although its end is missing. */
    private final int mostBytes;
    /** The segment that was examined last and is still in the input. */
    private Segment latest = Segment.NONE;
    /** Whether the segment was examined and its end had not arrived. */
    private boolean incomplete;
    /** Length of its messages that have arrived completely. */
    private int arrived;
    /** Whether it is watched whether the client pauses. */
    private boolean watches;

    public SegmentExamination(Classifying classifying, ClientPause pause, int mostBytes) {
        this.classifying = classifying;
        this.pause = pause;
        this.mostBytes = mostBytes;
    }

    /** The segment that was examined last, while it is in the input. */
    Segment latest() {
        return latest;
    }

    /** Notes that the segment has been answered. */
    void answered() {
        latest = Segment.NONE;
    }

    /** Notes that the segment is being sent. */
    void sent() {
        latest = Segment.NONE;
        if (watches) {
            watches = false;
            pause.end();
        }
    }

    /**
     * Scans the segment.
     *
     * @return null if the session has to wait for the rest of it
     */
    @Nullable
    Segment scan(ByteBuf in) throws ProtocolException {
        classifying.begin();
        Segment segment = SegmentScanner.scan(in, classifying);
        if (!segment.isComplete() && segment.length() > 0 && !isTooLong(in)) {
            if (!isPaused(in)) {
                awaitRest(segment);
                return null;
            }
            segment = segment.upToPause();
        }
        latest = segment;
        return segment;
    }

    /**
     * Has all statements of a complete segment classified.
     *
     * @return null if the session has to wait for that
     */
    @Nullable
    Segment classify(Segment scanned, ByteBuf in) throws ProtocolException {
        Segment segment = scanned;
        while (segment.isComplete() && !segment.isClassified()) {
            if (!classifying.findOut()) {
                return null;
            }
            classifying.begin();
            Segment again = SegmentScanner.scan(in, classifying);
            segment = segment.end() == Segment.End.PAUSE ? again.upToPause() : again;
        }
        latest = segment;
        return segment;
    }

    /**
     * Waits for the rest of the segment's first message.
     *
     * @return false if the segment is so long that it is sent without its end
     */
    boolean awaitsRest(Segment segment, ByteBuf in) {
        if (isTooLong(in)) {
            return false;
        }
        awaitRest(segment);
        return true;
    }

    private void awaitRest(Segment segment) {
        incomplete = true;
        arrived = segment.length();
    }

    /** Whether the segment was examined and its end had not arrived. */
    boolean isIncomplete() {
        return incomplete;
    }

    /** Forgets an incomplete segment, because its messages are sent, ignored or taken again from their beginning. */
    void forgetIncomplete() {
        incomplete = false;
    }

    /** Whether to wait further for a segment that was incomplete. */
    boolean isAwaited(ByteBuf in) throws ProtocolException {
        incomplete = !isTooLong(in) && isStillIncomplete(in) && !(arrived > 0 && isPaused(in));
        return incomplete;
    }

    /** Whether the client has stopped sending. If it has not yet, the session is resumed when it has. */
    private boolean isPaused(ByteBuf in) {
        watches = true;
        return pause.hasBegun(in.readableBytes());
    }

    private boolean isTooLong(ByteBuf in) {
        return in.readableBytes() >= mostBytes;
    }

    private boolean isStillIncomplete(ByteBuf in) throws ProtocolException {
        while (true) {
            int there = in.readableBytes() - arrived;
            if (there < 5) {
                return true;
            }
            int at = in.readerIndex() + arrived;
            byte type = in.getByte(at);
            int total = in.getInt(at + 1);
            Frontend.checkHeader(type, total);
            if (!Segment.isExtended(type)) {
                return false;
            }
            if (there < total + 1) {
                return true;
            }
            if (type == Frontend.SYNC || type == Frontend.FLUSH) {
                return false;
            }
            arrived += total + 1;
        }
    }
}
