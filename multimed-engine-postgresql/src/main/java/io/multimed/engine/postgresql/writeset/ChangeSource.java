package io.multimed.engine.postgresql.writeset;

import io.multimed.engine.postgresql.wire.MasterRefusedException;
import java.io.IOException;
import java.time.Duration;

/** The part of the Master's log that a slot holds, from which streams of a database's changes begin. Any thread. */
interface ChangeSource {
    /** The time that the Master has for an answer. */
    Duration ANSWER = Duration.ofSeconds(10);

    /**
     * Starts the stream that holds the slot. A process of the Master that still uses it is ended, so that a further attempt succeeds.
     *
     * @param from every commit behind it is given, and maybe some before
     * @param openBytes bound of the memory of transactions that have not ended; more than that ends the stream
     */
    WriteSetStream open(long from, long openBytes) throws IOException, MasterRefusedException;

    /** Starts a stream in the same way, which does not hold the slot: another stream may. */
    WriteSetStream openBeside(long from, long openBytes) throws IOException, MasterRefusedException;
}
