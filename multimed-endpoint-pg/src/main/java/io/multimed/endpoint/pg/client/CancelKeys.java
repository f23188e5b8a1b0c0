package io.multimed.endpoint.pg.client;

import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The keys of cancel requests: process number and secret, as sent in BackendKeyData. Thread-safe. */
public final class CancelKeys {
    /** Length of secrets in protocol 3.2, which allows up to 256 bytes; PostgreSQL 18 uses 32. */
    private static final int LONG_SECRET = 32;

    private static final int SHORT_SECRET = 4;

    /**
     * The lowest process number sent to clients. The kernel never uses such numbers for processes (PID_MAX_LIMIT, linux/threads.h,
     * is 4,194,304), so a signal to one cannot hit an engine's process.
     */
    static final int LOWEST_PROCESS_ID = 1 << 30;

    /** Cancels a session's present execution. */
    @FunctionalInterface
    interface Cancel {
        /**
         * Called on the thread that receives the request.
         *
         * @param done to be called, on any thread, when the request can no longer hit anything that the client sends from then
         *     on
         */
        void request(Runnable done);
    }

    private record Entry(byte[] secret, Cancel cancel) {}

    private final ConcurrentHashMap<Integer, Entry> entries = new ConcurrentHashMap<>();
    private final AtomicInteger lastProcessId = new AtomicInteger();
    private final SecureRandom random = new SecureRandom();

    /** @param processId process number sent to the client */
    public record Key(int processId, byte[] secret) {}

    /** Creates a key, which cancels nothing yet. */
    Key register(boolean longKey) {
        byte[] secret = new byte[longKey ? LONG_SECRET : SHORT_SECRET];
        random.nextBytes(secret);
        while (true) {
            int processId = LOWEST_PROCESS_ID | (lastProcessId.incrementAndGet() & Integer.MAX_VALUE);
            if (entries.putIfAbsent(processId, new Entry(secret, Runnable::run)) == null) {
                return new Key(processId, secret);
            }
        }
    }

    void activate(Key key, Cancel cancel) {
        entries.put(key.processId(), new Entry(key.secret(), cancel));
    }

    void remove(int processId) {
        entries.remove(processId);
    }

    /**
     * Cancels if the key is right; takes the same time whether or not it is.
     *
     * @param done called when the request has been handled, also if it had no effect
     */
    void cancel(int processId, byte[] secret, Runnable done) {
        Entry entry = entries.get(processId);
        byte[] expected = entry == null ? new byte[secret.length] : entry.secret;
        if (MessageDigest.isEqual(expected, secret) && entry != null) {
            entry.cancel.request(done);
        } else {
            done.run();
        }
    }
}
