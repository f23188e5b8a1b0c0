package io.multimed.endpoint.pg.backend;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The prepared statements that an engine session holds. Named ones have names given by Multimed, so that clients that prepare the
 * same text share them. Beyond a bound, the least recently used are closed.
 */
public final class PreparedOnBackend {
    /** Largest total size of the statement texts remembered for one engine session. */
    private static final long MOST_BYTES = 2 << 20;

    /** A statement, its name in the engine, and the memory it takes here. */
    public record Held(Object statement, String name, int bytes) {}

    private final int max;
    private final LinkedHashMap<Object, Held> named = new LinkedHashMap<>(16, 0.75f, true);
    /** The plans that the engine session keeps. */
    final KeptPlans plans = new KeptPlans();

    private long bytes;
    private @Nullable Object unnamed;

    PreparedOnBackend(int max) {
        this.max = max;
    }

    public boolean holds(Object statement) {
        return named.get(statement) != null;
    }

    /** Records that the engine receives the statement under this name; remembering it takes {@code size} bytes. */
    public void added(Object statement, String name, int size) {
        removed(statement);
        named.put(statement, new Held(statement, name, size));
        bytes += size;
    }

    public void removed(Object statement) {
        Held held = named.remove(statement);
        if (held != null) {
            bytes -= held.bytes;
        }
    }

    /** Returns the number of named statements. */
    public int size() {
        return named.size();
    }

    /** Returns the names in the engine. */
    public List<String> names() {
        return named.values().stream().map(Held::name).toList();
    }

    /** Records that the engine has dropped all named statements. */
    public void clear() {
        named.clear();
        bytes = 0;
    }

    /**
     * Removes and returns the statements to close because there are too many. If the engine ignores a Close message it still holds
     * the statement, which is then {@link #added} again.
     */
    public List<Held> evict() {
        List<Held> evicted = new ArrayList<>(0);
        while (named.size() >= max || (bytes > MOST_BYTES && !named.isEmpty())) {
            Held eldest = named.values().iterator().next();
            removed(eldest.statement);
            evicted.add(eldest);
        }
        return evicted;
    }

    /** Returns the engine's unnamed statement; null if there is none or it is unknown. */
    public @Nullable Object unnamed() {
        return unnamed;
    }

    public void unnamed(@Nullable Object statement) {
        unnamed = statement;
    }
}
