package io.multimed.endpoint.pg.session.reads;

import io.multimed.sql.Statement;
import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** What is remembered of reads by their shape. Beyond a bound that of which something was remembered first is forgotten. */
final class Shapes<T> {
    private final int most;
    /** The classifier gives reads of one shape the same object. */
    private final Map<Statement, T> known = new IdentityHashMap<>();
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

    /** Nothing is remembered of it yet. */
    void add(Statement statement, T about) {
        if (byAge.size() >= most) {
            known.remove(byAge.remove());
        }
        known.put(statement, about);
        byAge.add(statement);
    }

    void remove(Statement statement) {
        if (known.remove(statement) != null) {
            // Statements of different shapes may be equal.
            byAge.removeIf(each -> each == statement);
        }
    }
}
