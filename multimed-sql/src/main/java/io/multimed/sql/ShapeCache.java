package io.multimed.sql;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Cache of classifications by shape and catalog, in sets of four entries. The oldest unused entry of a set is evicted. Any thread;
 * reading takes no lock and allocates nothing. An entry lost to a race is simply classified again.
 */
final class ShapeCache {
    private static final int WAYS = 4;

    private final AtomicReferenceArray<Entry> entries;
    private final int setMask;

    /**
     * Makes a cache.
     *
     * @param capacity number of entries; rounded up to a power of two, at least four
     */
    ShapeCache(int capacity) {
        int sets = Integer.highestOneBit(Math.max(1, (capacity + WAYS - 1) / WAYS) * 2 - 1);
        entries = new AtomicReferenceArray<>(sets * WAYS);
        setMask = sets - 1;
    }

    private static final class Entry {
        private final long high;
        private final long low;
        private final long catalog;
        private final ClassifiedSql classified;
        /** Whether the entry was read since an eviction last looked at it. Races are harmless. */
        private boolean used;

        private Entry(long high, long low, long catalog, ClassifiedSql classified) {
            this.high = high;
            this.low = low;
            this.catalog = catalog;
            this.classified = classified;
        }

        private boolean is(long high, long low, long catalog) {
            return this.low == low && this.high == high && this.catalog == catalog;
        }
    }

    private int firstOfSet(long low) {
        return ((int) (low ^ low >>> 32) & setMask) * WAYS;
    }

    @Nullable
    ClassifiedSql get(long high, long low, long catalog) {
        int first = firstOfSet(low);
        for (int i = first; i < first + WAYS; i++) {
            Entry entry = entries.get(i);
            if (entry != null && entry.is(high, low, catalog)) {
                if (!entry.used) {
                    entry.used = true;
                }
                return entry.classified;
            }
        }
        return null;
    }

    void put(long high, long low, long catalog, ClassifiedSql classified) {
        int first = firstOfSet(low);
        int victim = first + (int) (high & WAYS - 1);
        for (int i = first; i < first + WAYS; i++) {
            Entry entry = entries.get(i);
            if (entry == null || entry.is(high, low, catalog)) {
                victim = i;
                break;
            }
            if (!entry.used) {
                victim = i;
            }
            entry.used = false;
        }
        entries.set(victim, new Entry(high, low, catalog, classified));
    }

    int capacity() {
        return entries.length();
    }
}
