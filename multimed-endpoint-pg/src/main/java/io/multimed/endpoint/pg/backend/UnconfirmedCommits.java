package io.multimed.endpoint.pg.backend;

import io.multimed.protocol.pg.SqlState;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Commits on one connection to the Master whose wait for the relay was cut short: a cancelled or terminated backend makes its
 * commit visible although the relay has not received it. The backend sends a warning before that. Its later messages are not
 * handled until the relay has received the commit, so that no client learns of the commit earlier.
 */
final class UnconfirmedCommits {
    /**
     * Source file of PostgreSQL that ends such waits. The text of its messages depends on lc_messages, so the file name is
     * compared.
     */
    private static final byte[] SOURCE_FILE = "syncrep.c".getBytes(StandardCharsets.US_ASCII);

    private static final byte[] TERMINATED = SqlState.ADMIN_SHUTDOWN.getBytes(StandardCharsets.US_ASCII);

    /**
     * Longest time for which messages are delayed. A relay that stands still for so long blocks all other commits, but this one is
     * not to wait for it.
     */
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long LOOK_MILLIS = 1;

    private final CommitDoubts doubts;
    private final EngineConnector connector;
    private final LongSupplier clock;
    private final Runnable listenAgain;
    private boolean listening = true;
    private long doubt;
    private long sinceNanos;

    /** @param listenAgain called when messages may be handled again */
    UnconfirmedCommits(CommitDoubts doubts, EngineConnector connector, LongSupplier clock, Runnable listenAgain) {
        this.doubts = doubts;
        this.connector = connector;
        this.clock = clock;
        this.listenAgain = listenAgain;
    }

    /** Whether a notice says that a wait for the relay is cut short. */
    static boolean isToldBy(ByteBuf notice, int index, int length) {
        int end = index + length;
        int at = index + 5;
        while (at < end && notice.getByte(at) != 0) {
            int terminator = notice.indexOf(at + 1, end, (byte) 0);
            if (terminator < 0) {
                return false;
            }
            byte field = notice.getByte(at);
            if ((field == 'F' && isText(notice, at + 1, terminator, SOURCE_FILE))
                    || (field == 'C' && isText(notice, at + 1, terminator, TERMINATED))) {
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

    /**
     * Stops handling messages, because a commit may be visible that the relay has not received, and the next message may reveal it.
     */
    void begin() {
        doubt = doubts.begin();
        if (listening) {
            listening = false;
            sinceNanos = clock.getAsLong();
            connector.after(LOOK_MILLIS, this::look);
        }
    }

    /** Begins a doubt after the engine closed the connection, because the outcome of its last execution is unknown. */
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
