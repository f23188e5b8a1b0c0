package io.multimed.endpoint.pg.session;

import io.multimed.sql.Statement;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Reads behind which others had to wait, by their shape: for a while nobody sends anything behind such a one. That is
 * short at first, since it may have been the machine that was slow, and doubles when it happens again. Used on one event
 * loop.
 */
final class LongReads {
    private static final int MOST_REMEMBERED = 1024;
    private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** Until when, and how long that was. */
    private record Sentence(long untilNanos, long nanos) {
        /** As long again without cause for complaint, and all is forgotten. */
        long next(long nowNanos) {
            return nowNanos - untilNanos < nanos ? Math.min(2 * nanos, LONGEST_NANOS) : SHORTEST_NANOS;
        }
    }

    /** The classifier gives reads of one shape the same object. */
    private final Map<Statement, Sentence> sentences = new IdentityHashMap<>();

    void add(List<Statement> statements, long nowNanos) {
        if (sentences.size() >= MOST_REMEMBERED) {
            sentences.clear();
        }
        for (Statement statement : statements) {
            Sentence before = sentences.get(statement);
            long nanos = before == null ? SHORTEST_NANOS : before.next(nowNanos);
            sentences.put(statement, new Sentence(nowNanos + nanos, nanos));
        }
    }

    boolean hasAny(List<Statement> statements, long nowNanos) {
        for (int i = 0; i < statements.size(); i++) {
            Sentence sentence = sentences.get(statements.get(i));
            if (sentence != null && nowNanos - sentence.untilNanos < 0) {
                return true;
            }
        }
        return false;
    }

    boolean isEmpty() {
        return sentences.isEmpty();
    }
}
