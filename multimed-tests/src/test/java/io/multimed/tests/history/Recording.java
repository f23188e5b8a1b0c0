package io.multimed.tests.history;

import io.multimed.testkit.history.Read;
import io.multimed.testkit.history.Update;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** What all sessions of a run did and saw. */
final class Recording {
    private final Queue<Update> updates = new ConcurrentLinkedQueue<>();
    private final Queue<Read> reads = new ConcurrentLinkedQueue<>();
    private final Queue<String> contradictions = new ConcurrentLinkedQueue<>();
    private final Map<String, AtomicInteger> errors = new ConcurrentHashMap<>();
    private final AtomicLong ids = new AtomicLong(1_000);
    private final AtomicInteger sessions = new AtomicInteger();

    long nextId() {
        return ids.incrementAndGet();
    }

    int nextSession() {
        return sessions.incrementAndGet();
    }

    void add(Update update) {
        updates.add(update);
    }

    void add(Read read) {
        reads.add(read);
    }

    /** One snapshot showed two states. */
    void contradiction(String what) {
        contradictions.add(what);
    }

    void error(String sqlState) {
        errors.computeIfAbsent(sqlState, s -> new AtomicInteger()).incrementAndGet();
    }

    List<Update> updates() {
        return List.copyOf(updates);
    }

    List<Read> reads() {
        return List.copyOf(reads);
    }

    List<String> contradictions() {
        return List.copyOf(contradictions);
    }

    /** Errors that clients were told, by SQLSTATE. */
    Map<String, AtomicInteger> errors() {
        return Map.copyOf(errors);
    }
}
