package io.multimed.testkit.history;

import java.util.Map;
import java.util.Set;

/**
 * One update transaction as its client saw it. Times are monotonic nanoseconds of one clock.
 *
 * @param session number of the session
 * @param id its number, positive, and the value it wrote
 * @param invoked when its first message was sent
 * @param commitSent when COMMIT (or the one statement) was sent; meaningless if it never was
 * @param replied when the answer to COMMIT had arrived; {@link Long#MAX_VALUE} if none did
 * @param read the values it read under REPEATABLE READ before it wrote: register to number; empty if there are none
 * @param wrote the registers that it changed
 */
public record Update(
        int session,
        long id,
        long invoked,
        long commitSent,
        long replied,
        Outcome outcome,
        Map<Integer, Long> read,
        Set<Integer> wrote) {
    public Update {
        read = Map.copyOf(read);
        wrote = Set.copyOf(wrote);
    }
}
