package io.multimed.endpoint.pg.client;

import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The keys by which clients ask to cancel: process number and secret, as BackendKeyData told them. Any thread. */
public final class CancelKeys {
    /** Protocol 3.2 lets a server choose up to 256 bytes; PostgreSQL 18 uses 32. */
    private static final int LONG_SECRET = 32;

    private static final int SHORT_SECRET = 4;

    /**
     * The lowest number that a client takes for its server process. No process of the kernel ever has such a number
     * (PID_MAX_LIMIT, linux/threads.h, is 4,194,304): whoever signals one can hit no engine process.
     */
    static final int LOWEST_PROCESS_ID = 1 << 30;

    /** Cancels what a session executes. */
    @FunctionalInterface
    interface Cancel {
        /**
         * Called on whatever thread the request arrives on.
         *
         * @param done to be called, on any thread, when nothing that the client sends from then on can be hit
         */
        void request(Runnable done);
    }

    private record Entry(byte[] secret, Cancel cancel) {}

    private final ConcurrentHashMap<Integer, Entry> entries = new ConcurrentHashMap<>();
    private final AtomicInteger lastProcessId = new AtomicInteger();
    private final SecureRandom random = new SecureRandom();

    /** @param processId what the client takes for its server process */
    public record Key(int processId, byte[] secret) {}

    /** Makes a key, which cancels nothing yet. */
    Key register(boolean longKey) {
        byte[] secret = new byte[longKey ? LONG_SECRET : SHORT_SECRET];
        random.nextBytes(secret);
        while (true) {
            int processId = LOWEST_PROCESS_ID | lastProcessId.incrementAndGet() & Integer.MAX_VALUE;
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
     * @param done called when that is done, be it nothing
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
