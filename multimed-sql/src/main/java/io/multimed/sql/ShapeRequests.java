package io.multimed.sql;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The shapes for which the parser has been asked and has not answered yet. Inquiries that miss the same shape wait for one answer; if too many
 * shapes are waited for, none is added. Any thread.
 */
final class ShapeRequests implements Inquiry.Parser {
    private final ShapeCache cache;
    private final ParserThread thread;
    private final Supplier<ClassifierOptions> options;
    private final Map<PendingShape.Key, PendingShape> pending = new ConcurrentHashMap<>();

    /** @param options those that apply at present */
    ShapeRequests(ShapeCache cache, ParserThread thread, Supplier<ClassifierOptions> options) {
        this.cache = cache;
        this.thread = thread;
        this.options = options;
    }

    @Override
    public @Nullable ClassifiedSql known(PendingShape.Key key) {
        return cache.get(key.high(), key.low(), key.catalog());
    }

    @Override
    public @Nullable PendingShape ask(Inquiry.Missing missing, Consumer<ClassifiedSql> then) {
        PendingShape.Key key = missing.key;
        while (true) {
            PendingShape shared = pending.get(key);
            if (shared == null) {
                if (pending.size() >= options.get().maxShapesInFlight()) {
                    then.accept(ClassifiedSql.OVERLOADED);
                    return null;
                }
                shared = new PendingShape(
                        key, missing.verb, missing.sql, missing.catalog, done -> pending.remove(key, done));
                shared.await(then);
                if (pending.putIfAbsent(key, shared) != null) {
                    continue;
                }
                thread.submit(shared);
                return shared;
            }
            if (shared.await(then)) {
                return shared;
            }
        }
    }

    @Override
    public void leave(PendingShape asked, Consumer<ClassifiedSql> then) {
        if (asked.leave(then)) {
            thread.withdraw(asked);
        }
    }

    @Override
    public boolean isOverdue(long began) {
        return System.nanoTime() - began > options.get().parseTimeout().toNanos();
    }

    /** Returns the number of shapes that are waited for. */
    int inFlight() {
        return pending.size();
    }

    /** Answers those that wait with {@link ClassifiedSql#UNPARSED}; the parser thread has ended. */
    void close() {
        pending.values().forEach(shape -> shape.settle(ClassifiedSql.UNPARSED));
    }
}
