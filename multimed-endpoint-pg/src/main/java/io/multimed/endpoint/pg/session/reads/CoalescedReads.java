package io.multimed.endpoint.pg.session.reads;

import io.multimed.endpoint.pg.backend.BackendSettings;
import io.multimed.endpoint.pg.backend.PoolKey;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads that wait for a connection to a Satellite, so that a session that asks the same meanwhile need not have it executed again.
 * A read that has not begun when a session joins will show what that session must see; a read that has begun might not. Used by all
 * event loops: if each loop searched only its own reads, more loops would mean more executions of the same read.
 */
public final class CoalescedReads {
    /**
     * Key of a read. Reads are the same if engines receive exactly the same text, in sessions that begin and are set alike. The
     * Satellite does not matter.
     *
     * @param text the text for the engine, without names of prepared statements
     * @param prepared the meanings of those names, in the order in which the text has them
     */
    public record Key(PoolKey pool, BackendSettings settings, ByteBuffer text, List<Object> prepared) {
        public Key {
            prepared = List.copyOf(prepared);
        }
    }

    private final Map<Key, CoalescedRead> waiting = new ConcurrentHashMap<>();

    public boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** The same read that waits; null if there is none. */
    public @Nullable CoalescedRead get(Key key) {
        return waiting.get(key);
    }

    /**
     * Adds a read that waits and that other sessions may join.
     *
     * @param other the same read that waits already and cannot be found from now on; null if there is none
     * @return false if {@code other} is no longer the read that waits
     */
    public boolean add(Key key, CoalescedRead read, @Nullable CoalescedRead other) {
        return other == null ? waiting.putIfAbsent(key, read) == null : waiting.replace(key, other, read);
    }

    /** Removes a read that is executed now, or not at all. */
    public void remove(Key key, CoalescedRead read) {
        waiting.remove(key, read);
    }
}
