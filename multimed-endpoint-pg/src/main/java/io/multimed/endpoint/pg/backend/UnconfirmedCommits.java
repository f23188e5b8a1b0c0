package io.multimed.endpoint.pg.backend;

import io.multimed.protocol.pg.SqlState;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Commits on one connection to the Master whose wait for the relay was cut short: a cancelled or terminated backend makes its
 * commit visible although the relay has not received it. It says so before, and what it says after that is not listened to until the
 * relay has received the commit, so that nobody is told of it earlier.
 */
final class UnconfirmedCommits {
    /** What of PostgreSQL ends such waits; its words depend on lc_messages. */
    private static final byte[] SOURCE_FILE = "syncrep.c".getBytes(StandardCharsets.US_ASCII);

    private static final byte[] TERMINATED = SqlState.ADMIN_SHUTDOWN.getBytes(StandardCharsets.US_ASCII);

    /** A relay that stands still for so long keeps all others who commit waiting, but this one is not to wait for it. */
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long LOOK_MILLIS = 1;

    private final CommitDoubts doubts;
    private final Connector connector;
    private final LongSupplier clock;
    private final Runnable listenAgain;
    private boolean listening = true;
    private long doubt;
    private long sinceNanos;

    /** @param listenAgain called when {@link #isListening} again */
    UnconfirmedCommits(CommitDoubts doubts, Connector connector, LongSupplier clock, Runnable listenAgain) {
        this.doubts = doubts;
        this.connector = connector;
        this.clock = clock;
        this.listenAgain = listenAgain;
    }

    /** Whether a notice says that a wait is cut short. */
    static boolean isToldBy(ByteBuf notice, int index, int length) {
        int end = index + length;
        int at = index + 5;
        while (at < end && notice.getByte(at) != 0) {
            int terminator = notice.indexOf(at + 1, end, (byte) 0);
            if (terminator < 0) {
                return false;
            }
            byte field = notice.getByte(at);
            if (field == 'F' && isText(notice, at + 1, terminator, SOURCE_FILE)
                    || field == 'C' && isText(notice, at + 1, terminator, TERMINATED)) {
                return true;
            }
            at = terminator + 1;
        }
        return false;
    }

    private static boolean isText(ByteBuf in, int from, int to, byte[] text) {
        if (to - from != text.length) {
            return false;
        }
        for (int i = 0; i < text.length; i++) {
            if (in.getByte(from + i) != text[i]) {
                return false;
            }
        }
        return true;
    }

    boolean isListening() {
        return listening;
    }

    /** A commit may be visible that the relay has not received, and what comes next may tell somebody. */
    void begin() {
        doubt = doubts.begin();
        if (listening) {
            listening = false;
            sinceNanos = clock.getAsLong();
            connector.after(LOOK_MILLIS, this::look);
        }
    }

    /** The engine is gone, and nobody knows what has become of what it was executing. */
    void lost() {
        doubts.begin();
    }

    private void look() {
        if (doubts.isOver(doubt) || clock.getAsLong() - sinceNanos >= MOST_NANOS) {
            listening = true;
            listenAgain.run();
        } else {
            connector.after(LOOK_MILLIS, this::look);
        }
    }
}
