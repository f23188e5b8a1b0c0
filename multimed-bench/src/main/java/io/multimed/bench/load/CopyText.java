package io.multimed.bench.load;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Collects rows in the text form of COPY. Values must contain none of COPY's special characters; those of the benchmarks never
 * do.
 */
public final class CopyText {
    private byte[] bytes = new byte[1 << 16];
    private int length;

    /** Appends one row. The fields' {@code toString} must be input of the column's type, and null is NULL. */
    public CopyText row(@Nullable Object... fields) {
        for (int i = 0; i < fields.length; i++) {
            Object value = fields[i];
            byte[] field = (value == null ? "\\N" : value.toString()).getBytes(StandardCharsets.US_ASCII);
            reserve(field.length + 1);
            System.arraycopy(field, 0, bytes, length, field.length);
            length += field.length;
            bytes[length++] = (byte) (i == fields.length - 1 ? '\n' : '\t');
        }
        return this;
    }

    private void reserve(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * (length + more));
        }
    }

    public byte[] bytes() {
        return bytes;
    }

    public int length() {
        return length;
    }

    @Override
    public String toString() {
        return new String(bytes, 0, length, StandardCharsets.US_ASCII);
    }
}
