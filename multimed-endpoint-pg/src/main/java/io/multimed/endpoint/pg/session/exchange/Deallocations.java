package io.multimed.endpoint.pg.session.exchange;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The statements of a unit that prepare statements by SQL or let go of them, in order. Each has its effect as soon as it was
 * executed, whatever becomes of those behind it and of the transaction; one that fails has none.
 */
public final class Deallocations {
    private static final List<byte[]> TAGS =
            List.of(tag("PREPARE"), tag("DEALLOCATE"), tag("DEALLOCATE ALL"), tag("DISCARD ALL"), tag("DROP DATABASE"));

    private final ArrayDeque<Runnable> left = new ArrayDeque<>();
    /** To do as soon as any statement was executed. */
    private @Nullable Runnable first;

    /** @param executed what to do once the next of these statements was executed */
    public void add(Runnable executed) {
        left.add(executed);
    }

    /** @param executed what to do once the first statement of the unit was executed, whichever that is */
    public void addToFirst(Runnable executed) {
        first = executed;
    }

    /** A CommandComplete begins at {@code index}. */
    void completed(ByteBuf in, int index) {
        Runnable then = first;
        if (then != null) {
            first = null;
            then.run();
        }
        for (byte[] tag : TAGS) {
            Runnable executed = startsWith(in, index + 5, tag) ? left.poll() : null;
            if (executed != null) {
                executed.run();
                return;
            }
        }
    }

    private static byte[] tag(String text) {
        return (text + '\0').getBytes(StandardCharsets.US_ASCII);
    }

    private static boolean startsWith(ByteBuf in, int index, byte[] tag) {
        for (int i = 0; i < tag.length; i++) {
            if (in.getByte(index + i) != tag[i]) {
                return false;
            }
        }
        return true;
    }
}
