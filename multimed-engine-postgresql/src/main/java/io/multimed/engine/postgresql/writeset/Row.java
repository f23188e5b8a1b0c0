package io.multimed.engine.postgresql.writeset;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The values of a row in the order of {@link Relation#columns}: text as the type's output function writes it, NULL, or unchanged. A
 * value is unchanged if it is stored apart from the row (TOAST) and an update left it as it was; the log then does not have it.
 * Immutable.
 */
public final class Row {
    /** Compared by identity. */
    private static final byte[] UNCHANGED = new byte[0];
    /** Memory of a row and of each value besides its bytes, on a JVM with compressed references. */
    private static final int ROW_BYTES = 40;

    private static final int VALUE_BYTES = 24;

    private final byte[] @Nullable [] values;

    private Row(byte[] @Nullable [] values) {
        this.values = values;
    }

    /** Values that are put together. */
    static final class Builder {
        private final byte[] @Nullable [] values;

        /** All values are NULL at first. */
        Builder(int columns) {
            values = new byte[columns][];
        }

        void text(int column, byte[] text) {
            values[column] = text;
        }

        void unchanged(int column) {
            values[column] = UNCHANGED;
        }

        void copy(int column, Row from) {
            values[column] = from.values[column];
        }

        Row build() {
            return new Row(values);
        }
    }

    /** Returns a row of texts; null stands for NULL. */
    static Row of(@Nullable String... texts) {
        Builder row = new Builder(texts.length);
        for (int i = 0; i < texts.length; i++) {
            String text = texts[i];
            if (text != null) {
                row.text(i, text.getBytes(StandardCharsets.UTF_8));
            }
        }
        return row.build();
    }

    public int size() {
        return values.length;
    }

    public boolean isNull(int column) {
        return values[column] == null;
    }

    public boolean isUnchanged(int column) {
        return values[column] == UNCHANGED;
    }

    public boolean hasUnchanged() {
        for (byte[] value : values) {
            if (value == UNCHANGED) {
                return true;
            }
        }
        return false;
    }

    /** Returns the text, null for NULL. */
    public @Nullable String text(int column) {
        byte[] value = bytes(column);
        return value == null ? null : new String(value, StandardCharsets.UTF_8);
    }

    /** Returns the text in UTF-8, null for NULL. The caller does not change it. */
    byte @Nullable [] bytes(int column) {
        byte[] value = values[column];
        if (value == UNCHANGED) {
            throw new IllegalStateException("column " + column + " is unchanged");
        }
        return value;
    }

    /** Returns this row with the values of {@code earlier} where they are unchanged. */
    Row over(Row earlier) {
        if (!hasUnchanged()) {
            return this;
        }
        byte[] @Nullable [] merged = values.clone();
        for (int i = 0; i < merged.length; i++) {
            if (merged[i] == UNCHANGED) {
                merged[i] = earlier.values[i];
            }
        }
        return new Row(merged);
    }

    /** Returns the row of these columns alone. */
    Row only(int[] columns) {
        byte[] @Nullable [] some = new byte[columns.length][];
        for (int i = 0; i < columns.length; i++) {
            some[i] = values[columns[i]];
        }
        return new Row(some);
    }

    /** Returns the number of bytes in memory, roughly. */
    long bytes() {
        long bytes = ROW_BYTES;
        for (byte[] value : values) {
            bytes += 4 + (value == null || value == UNCHANGED ? 0 : VALUE_BYTES + value.length);
        }
        return bytes;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        if (!(other instanceof Row row) || row.values.length != values.length) {
            return false;
        }
        for (int i = 0; i < values.length; i++) {
            // An empty text has the bytes of an unchanged value.
            if (!Arrays.equals(values[i], row.values[i]) || (values[i] == UNCHANGED) != (row.values[i] == UNCHANGED)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        return Arrays.deepHashCode(values);
    }

    /** Describes the row without its values, which are the clients' data. */
    @Override
    public String toString() {
        return "row of " + values.length + " columns";
    }
}
