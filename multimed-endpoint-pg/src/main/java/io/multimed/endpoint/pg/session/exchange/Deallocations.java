package io.multimed.endpoint.pg.session.exchange;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The statements of a unit that prepare or deallocate statements by SQL, in order. Each takes effect once it has been executed,
 * whatever happens to later statements and to the transaction. A statement that fails has no effect.
 */
public final class Deallocations {
    private static final List<byte[]> TAGS =
            List.of(tag("PREPARE"), tag("DEALLOCATE"), tag("DEALLOCATE ALL"), tag("DISCARD ALL"), tag("DROP DATABASE"));

    private final ArrayDeque<Runnable> left = new ArrayDeque<>();
    /** The action that runs once any statement of the unit has been executed. */
    private @Nullable Runnable first;

    /**
     * Adds a statement.
     *
     * @param executed the action that runs once the statement has been executed
     */
    public void add(Runnable executed) {
        left.add(executed);
    }

    /**
     * Sets the action for the first executed statement.
     *
     * @param executed the action that runs once the first statement of the unit, of whatever kind, has been executed
     */
    public void addToFirst(Runnable executed) {
        first = executed;
    }

    /** Runs the actions for a CommandComplete that begins at {@code index}. */
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
