package io.multimed.endpoint.pg.session.requests;

import io.multimed.protocol.pg.Frontend;
import java.util.List;

/**
 * Extended query messages from the head of the input to Sync or Flush, or as many of them as have arrived. Immutable.
 *
 * @param length in bytes
 * @param isClassified whether all its statements are classified; otherwise some of the classifications are preliminary
 */
record Segment(List<SegmentMessage> messages, int length, End end, boolean isClassified) {
    /** The reason why the segment has no further messages. */
    enum End {
        SYNC,
        FLUSH,
        /** A message that is no extended query message follows. */
        OTHER_KIND,
        /** The client has stopped sending. */
        PAUSE,
        /** The further messages have not arrived. */
        MISSING
    }

    static final Segment NONE = new Segment(List.of(), 0, End.MISSING, true);

    Segment {
        messages = List.copyOf(messages);
    }

    /** Whether its end has arrived. */
    boolean isComplete() {
        return end != End.MISSING;
    }

    boolean endsWithSync() {
        return end == End.SYNC;
    }

    /** The same messages as a segment that ends where the client has stopped sending. */
    Segment upToPause() {
        return new Segment(messages, length, End.PAUSE, isClassified);
    }

    /** Number of statements that it prepares. */
    int prepared() {
        int prepared = 0;
        for (int i = 0; i < messages.size(); i++) {
            if (messages.get(i) instanceof SegmentMessage.Parse) {
                prepared++;
            }
        }
        return prepared;
    }

    /** Whether an engine must answer any of it. Otherwise it only closes statements or portals and synchronises. */
    boolean needsEngine() {
        for (int i = 0; i < messages.size(); i++) {
            boolean needs = switch (messages.get(i)) {
                case SegmentMessage.Close close -> !close.message().isWellFormed();
                case SegmentMessage.Last last -> !last.isWellFormed();
                default -> true;
            };
            if (needs) {
                return true;
            }
        }
        return false;
    }

    /** Whether messages of this type are extended query messages. */
    static boolean isExtended(byte type) {
        return switch (type) {
            case Frontend.PARSE,
                    Frontend.BIND,
                    Frontend.DESCRIBE,
                    Frontend.EXECUTE,
                    Frontend.CLOSE,
                    Frontend.FLUSH,
                    Frontend.SYNC -> true;
            default -> false;
        };
    }
}
