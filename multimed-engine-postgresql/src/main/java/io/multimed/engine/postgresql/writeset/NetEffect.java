package io.multimed.engine.postgresql.writeset;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The net effect of changes to one table whose rows have a key: each row that was there before, or is there in the end, once.
 *
 * <p>To be applied in this order: {@link #deleted}, {@link #updated}, {@link #inserted}. A key that moves from one row to another may
 * still meet itself on the way (two rows that exchange theirs), which the engine refuses; the changes are then applied one by one.
 *
 * <p>Keys are compared by their text, in which the log has the very same bytes for the same stored value. One thread.
 */
final class NetEffect {
    /**
     * A row that has changed.
     *
     * @param key its key before
     * @param row its values now; a value is unchanged if no change had it
     */
    record Updated(Row key, Row row) {}

    /** A row that is there. */
    private static final class Live {
        /** Its key before the changes; null if it was not there. */
        final @Nullable Row original;

        Row row;

        Live(@Nullable Row original, Row row) {
            this.original = original;
            this.row = row;
        }
    }

    private final int[] key;
    /** By the key that the row has now. */
    private final Map<Row, Live> live = new LinkedHashMap<>();
    /** Keys before the changes of rows that are gone. */
    private final Map<Row, Boolean> gone = new LinkedHashMap<>();

    /** @param key the columns of the key */
    NetEffect(int[] key) {
        this.key = key.clone();
    }

    void insert(Row row) {
        Row now = row.only(key);
        Row original = gone.remove(now) == null ? null : now;
        put(now, new Live(original, row));
    }

    /** @param old has the former key, or is null if that is the key now */
    void update(@Nullable Row old, Row row) {
        Row now = row.only(key);
        Row before = old == null ? now : old.only(key);
        Live changed = live.remove(before);
        if (changed == null) {
            changed = new Live(before, row);
        } else {
            changed.row = row.over(changed.row);
        }
        put(now, changed);
    }

    /** @param old has the key */
    void delete(Row old) {
        Row before = old.only(key);
        Live deleted = live.remove(before);
        Row original = deleted == null ? before : deleted.original;
        if (original != null) {
            gone.put(original, true);
        }
    }

    private void put(Row now, Live row) {
        if (live.put(now, row) != null) {
            throw new KeyTwiceException();
        }
    }

    /** Thrown if two rows have one key, as within an update of several rows under a deferred constraint. */
    static final class KeyTwiceException extends RuntimeException {
        KeyTwiceException() {
            super("two rows have one key");
        }
    }

    /** Returns the keys of rows that are gone. */
    List<Row> deleted() {
        return List.copyOf(gone.keySet());
    }

    List<Updated> updated() {
        List<Updated> updated = new ArrayList<>();
        for (Live row : live.values()) {
            if (row.original != null) {
                updated.add(new Updated(row.original, row.row));
            }
        }
        return updated;
    }

    List<Row> inserted() {
        List<Row> inserted = new ArrayList<>();
        for (Live row : live.values()) {
            if (row.original == null) {
                inserted.add(row.row);
            }
        }
        return inserted;
    }
}
