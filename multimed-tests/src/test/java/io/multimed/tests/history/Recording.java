package io.multimed.tests.history;

import io.multimed.testkit.history.Read;
import io.multimed.testkit.history.Update;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** The actions and observations of all sessions of a run. */
final class Recording {
    private final Queue<Update> updates = new ConcurrentLinkedQueue<>();
    private final Queue<Read> reads = new ConcurrentLinkedQueue<>();
    private final Queue<String> contradictions = new ConcurrentLinkedQueue<>();
    private final Map<String, AtomicInteger> errors = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> snapshots = new ConcurrentHashMap<>();
    private final AtomicLong ids = new AtomicLong(1_000);
    private final Map<Integer, String> sessions = new ConcurrentSkipListMap<>();
    private final Map<String, String> firstErrors = new ConcurrentHashMap<>();
    private final AtomicInteger elsewhereBeforeWrite = new AtomicInteger();
    private final AtomicInteger lastSession = new AtomicInteger();

    long nextId() {
        return ids.incrementAndGet();
    }

    /**
     * @param kind the kind of session, for readers of a verdict
     */
    int nextSession(String kind) {
        int number = lastSession.incrementAndGet();
        sessions.put(number, kind);
        return number;
    }

    void add(Update update) {
        updates.add(update);
    }

    void add(Read read) {
        reads.add(read);
    }

    /** Records that a transaction has read on a Satellite and goes on with a write. */
    void readElsewhereBeforeWrite() {
        elsewhereBeforeWrite.incrementAndGet();
    }

    /** Returns the number of transactions that have read on a Satellite and then written. */
    int readsElsewhereBeforeWrites() {
        return elsewhereBeforeWrite.get();
    }

    /** Records that a transaction has read registers alone, on one snapshot. */
    void snapshotOn(String node) {
        snapshots.computeIfAbsent(node, s -> new AtomicInteger()).incrementAndGet();
    }

    /** Returns the number of transactions that read registers alone, on one snapshot, on the node. */
    int snapshotsOn(String node) {
        AtomicInteger count = snapshots.get(node);
        return count == null ? 0 : count.get();
    }

    /** Records that one snapshot showed two states. */
    void contradiction(String what) {
        contradictions.add(what);
    }

    void error(String sqlState, String message) {
        errors.computeIfAbsent(sqlState, s -> new AtomicInteger()).incrementAndGet();
        firstErrors.putIfAbsent(sqlState, message);
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

    /** Returns the kind of each session, by number. */
    Map<Integer, String> sessions() {
        return Map.copyOf(sessions);
    }

    /** Returns the first error of each SQLSTATE, in words. */
    Map<String, String> firstErrors() {
        return Map.copyOf(firstErrors);
    }

    /** Returns the errors that clients received, by SQLSTATE. */
    Map<String, AtomicInteger> errors() {
        return Map.copyOf(errors);
    }
}
