package io.multimed.endpoint.pg.session.requests;

import io.multimed.protocol.pg.ErrorFields;
import org.jspecify.annotations.Nullable;

/**
 * An attempt to send a segment, message by message. If its messages are taken again from their beginning, another attempt begins. It
 * goes on behind a Flush or pause if the engine is the Master, to which messages are sent without being examined.
 */
final class SegmentAttempt implements SegmentOpened {
    /** Whether the messages sent now were not examined in advance. */
    private boolean unseen;
    /**
     * Whether the messages sent now were not examined as a part of the segment, because they stand behind a Flush or a pause, or
     * the segment is too long.
     */
    private boolean unscanned;
    /** The reason why one of the messages to come is refused; null if none is. */
    private @Nullable ErrorFields refused;
    /** Number of messages to send before that one. */
    private int sentBeforeRefused;
    /** Number of bytes of the segment up to the client's pause that are still to be sent; 0 if there is no pause. */
    private int beforePause;
    /** Whether the last message of the segment has been taken. */
    private boolean over;

    /**
     * Begins an attempt.
     *
     * @param isExamined whether all messages were examined in advance
     * @param isScanned whether they were examined as a part of the segment
     * @param beforePause number of bytes up to the client's pause; 0 if there is no pause
     */
    SegmentAttempt(boolean isExamined, boolean isScanned, int beforePause) {
        unseen = !isExamined;
        unscanned = !isScanned;
        this.beforePause = beforePause;
    }

    /**
     * Refuses one of the messages.
     *
     * @param before number of messages to send before it
     */
    void refuse(ErrorFields reason, int before) {
        refused = reason;
        sentBeforeRefused = before;
    }

    /** Notes that the last message of the segment is being taken. */
    void end() {
        over = true;
    }

    /** Whether the last message of the segment has been taken. */
    boolean isOver() {
        return over;
    }

    boolean isUnscanned() {
        return unscanned;
    }

    boolean isUnseen() {
        return unseen;
    }

    /** Whether all messages before the client's pause have been taken, or there is no pause. */
    boolean isBehindPause() {
        return beforePause == 0;
    }

    /** Whether a message is still to be refused, or the client's pause is still to come. */
    boolean isUnfinished() {
        return refused != null || beforePause > 0;
    }

    /**
     * Notes that a message is being taken.
     *
     * @param flushes whether it is a Flush
     * @return whether the messages behind it were not examined, because it is a Flush or stands before the client's pause
     */
    boolean takes(int length, boolean flushes) {
        boolean last = flushes || beforePause == length;
        beforePause = Math.max(0, beforePause - length);
        unseen |= last;
        unscanned |= last;
        return last;
    }

    /** Returns the error of the message that is being taken, if that is the refused one; otherwise null. */
    @Nullable
    ErrorFields takeRefusal() {
        ErrorFields reason = refused;
        if (reason == null || sentBeforeRefused-- > 0) {
            return null;
        }
        refused = null;
        return reason;
    }
}
