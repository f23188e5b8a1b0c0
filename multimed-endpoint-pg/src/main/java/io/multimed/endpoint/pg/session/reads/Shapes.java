package io.multimed.endpoint.pg.session.reads;

import io.multimed.sql.Statement;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** Information on reads by shape. Beyond a maximum number, the shape that was added first is forgotten. */
final class Shapes<T> {
    private final int most;
    /** The classifier returns the same object for reads of one shape. */
    private final IdentityHashMap<Statement, T> known = new IdentityHashMap<>();
    /** The same statements, the eldest first. */
    private final Queue<Statement> byAge = new ArrayDeque<>();

    Shapes(int most) {
        this.most = most;
    }

    boolean isEmpty() {
        return known.isEmpty();
    }

    @Nullable
    T get(Statement statement) {
        return known.get(statement);
    }

    /** The information on all shapes. */
    Collection<T> all() {
        return known.values();
    }

    /** Adds a shape that is not known yet. */
    void add(Statement statement, T about) {
        if (byAge.size() >= most) {
            known.remove(byAge.remove());
        }
        known.put(statement, about);
        byAge.add(statement);
    }

    void remove(Statement statement) {
        if (known.remove(statement) != null) {
            // Statements of different shapes may be equal, so the object is compared.
            byAge.removeIf(each -> each == statement);
        }
    }
}
