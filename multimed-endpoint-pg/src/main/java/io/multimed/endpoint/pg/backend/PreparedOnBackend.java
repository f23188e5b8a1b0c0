package io.multimed.endpoint.pg.backend;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which prepared statements an engine session holds. Named ones carry Multimed's own names, so that clients that
 * prepare the same text share them; the least recently used give way beyond a bound.
 */
public final class PreparedOnBackend {
    private final int max;
    private final LinkedHashMap<Object, String> named = new LinkedHashMap<>(16, 0.75f, true);
    private @Nullable Object unnamed;

    PreparedOnBackend(int max) {
        this.max = max;
    }

    public boolean holds(Object statement) {
        return named.get(statement) != null;
    }

    /** The engine has accepted the statement under this name. */
    public void added(Object statement, String name) {
        named.put(statement, name);
    }

    public void removed(Object statement) {
        named.remove(statement);
    }

    public void clear() {
        named.clear();
        unnamed = null;
    }

    /** The name of a statement to close because there are too many, already forgotten here; null when there are not. */
    public @Nullable String evict() {
        if (named.size() < max) {
            return null;
        }
        Map.Entry<Object, String> eldest = named.entrySet().iterator().next();
        named.remove(eldest.getKey());
        return eldest.getValue();
    }

    /** What the engine's unnamed statement is, null when none or unknown. */
    public @Nullable Object unnamed() {
        return unnamed;
    }

    public void unnamed(@Nullable Object statement) {
        unnamed = statement;
    }
}
