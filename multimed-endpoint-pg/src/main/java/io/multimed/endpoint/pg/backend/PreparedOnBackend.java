package io.multimed.endpoint.pg.backend;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which prepared statements an engine session holds. Named ones carry Multimed's own names, so that clients that
 * prepare the same text share them; the least recently used give way beyond a bound.
 */
public final class PreparedOnBackend {
    /** What the texts of the statements that one engine session holds may take here. */
    private static final long MOST_BYTES = 2 << 20;

    /** A statement, what the engine calls it, and what remembering it takes. */
    public record Held(Object statement, String name, int bytes) {}

    private final int max;
    private final LinkedHashMap<Object, Held> named = new LinkedHashMap<>(16, 0.75f, true);
    private final KeptPlans plans = new KeptPlans();
    private long bytes;
    private @Nullable Object unnamed;

    PreparedOnBackend(int max) {
        this.max = max;
    }

    public boolean holds(Object statement) {
        return named.get(statement) != null;
    }

    /** The engine is given the statement under this name; remembering it takes so many bytes. */
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

    /** How many named ones. */
    public int size() {
        return named.size();
    }

    /** What the engine calls them. */
    public List<String> names() {
        return named.values().stream().map(Held::name).toList();
    }

    /** The engine has let go of all that have names. */
    public void clear() {
        named.clear();
        bytes = 0;
    }

    /**
     * The statements to close because there are too many, already forgotten here. Should the engine ignore the message that
     * closes one, it holds that still: it is {@link #added} again then.
     */
    public List<Held> evict() {
        List<Held> evicted = new ArrayList<>(0);
        while (named.size() >= max || bytes > MOST_BYTES && !named.isEmpty()) {
            Held eldest = named.values().iterator().next();
            removed(eldest.statement);
            evicted.add(eldest);
        }
        return evicted;
    }

    /** How old the plans are that the engine session keeps. */
    public KeptPlans plans() {
        return plans;
    }

    /** What the engine's unnamed statement is, null when none or unknown. */
    public @Nullable Object unnamed() {
        return unnamed;
    }

    public void unnamed(@Nullable Object statement) {
        unnamed = statement;
    }
}
