package io.multimed.endpoint.pg.session.reads;

import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.endpoint.pg.backend.Settings;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads that wait for a connection to a Satellite, so that whoever asks the same meanwhile need not have it executed again:
 * what has not begun when somebody asks will show what that somebody must see. (What has begun might not.) Used by all event
 * loops: were each to look among its own reads alone, more loops would mean more executions of the same.
 */
public final class CoalescedReads {
    /**
     * Reads are the same if engines are told the same, word for word, in sessions that begin and are set alike. On which
     * Satellite does not matter.
     *
     * @param text what an engine is told, without names of prepared statements
     * @param prepared what those names stand for, in the order in which the text has them
     */
    public record Key(PoolKey pool, Settings settings, ByteBuffer text, List<Object> prepared) {
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
     * A read waits, and others may join.
     *
     * @param other that is the same and waits too, which nobody joins from now on; null if there is none
     * @return false if that is not so any more
     */
    public boolean add(Key key, CoalescedRead read, @Nullable CoalescedRead other) {
        return other == null ? waiting.putIfAbsent(key, read) == null : waiting.replace(key, other, read);
    }

    /** It is executed now, or not at all. */
    public void remove(Key key, CoalescedRead read) {
        waiting.remove(key, read);
    }
}
