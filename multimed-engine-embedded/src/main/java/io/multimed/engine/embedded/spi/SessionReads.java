package io.multimed.engine.embedded.spi;

import java.sql.Connection;
import java.util.function.BiConsumer;

/** The connections of a database's sessions to its Satellites. Any thread. */
@FunctionalInterface
public interface SessionReads {
    /**
     * Passes on each of them, with the session on the Master to which it belongs.
     *
     * @param each must not keep them
     */
    void each(BiConsumer<MasterSession, Connection> each);
}
