package io.multimed.endpoint.pg.session.exchange;

import io.multimed.protocol.pg.ErrorFields;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/** Recognizes messages of an engine whose process ends for reasons of its own, not because of its client. Without state. */
final class DyingWords {
    /** A field of the warning from a process that must end at once. It does not depend on the language of messages (postgres.c). */
    private static final byte[] ROUTINE = "Rquickdie\0".getBytes(StandardCharsets.US_ASCII);

    private DyingWords() {}

    /**
     * Whether an error that ends the connection has its cause in the engine: a shutdown or crash (57), a conflict with replay (40),
     * or a resource that is exhausted or broken (53, 58, XX).
     */
    static boolean isLast(ErrorFields error) {
        if (error.severity().equals("PANIC") || error.sqlState().length() != 5) {
            return true;
        }
        return switch (error.sqlState().substring(0, 2)) {
            case "40", "53", "57", "58", "XX" -> true;
            default -> false;
        };
    }

    /** Whether the notice at {@code index} announces the end of the process. */
    static boolean areIn(ByteBuf in, int index) {
        int end = index + 1 + in.getInt(index + 1);
        for (int at = index + 5; at + ROUTINE.length <= end; ) {
            int matched = 0;
            while (matched < ROUTINE.length && in.getByte(at + matched) == ROUTINE[matched]) {
                matched++;
            }
            if (matched == ROUTINE.length) {
                return true;
            }
            int terminator = in.indexOf(at, end, (byte) 0);
            if (terminator < 0) {
                return false;
            }
            at = terminator + 1;
        }
        return false;
    }
}
