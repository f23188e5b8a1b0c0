package io.multimed.endpoint.pg.session.reads;

import io.multimed.core.node.ComputationalNode;
import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.endpoint.pg.backend.Settings;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads that wait for a connection to a Satellite, so that whoever asks the same meanwhile need not have it executed again:
 * what has not begun when somebody asks will show what that somebody must see. (What has begun might not.) Used on one
 * event loop.
 */
public final class CoalescedReads {
    /**
     * Reads are the same if engines are told the same, word for word, in sessions that begin and are set alike.
     *
     * @param text what an engine is told
     */
    public record Key(ComputationalNode node, PoolKey pool, Settings settings, ByteBuffer text) {}

    private final Map<Key, CoalescedRead> waiting = new HashMap<>();

    public boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** The same read that waits; null if there is none. */
    public @Nullable CoalescedRead get(Key key) {
        return waiting.get(key);
    }

    /** A read waits, and others may join. */
    public void add(Key key, CoalescedRead read) {
        waiting.put(key, read);
    }

    /** It is executed now, or not at all. */
    public void remove(Key key) {
        waiting.remove(key);
    }
}
