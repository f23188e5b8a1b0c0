package io.multimed.bench.tpcw.population;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Rows in the text form of COPY, gathered. Values must hold none of COPY's own signs; TPC-W's never do. */
final class CopyText {
    private byte[] bytes = new byte[1 << 16];
    private int length;

    /** Appends one row; the fields' {@code toString} is what the column's type reads. */
    CopyText row(Object... fields) {
        for (int i = 0; i < fields.length; i++) {
            byte[] field = fields[i].toString().getBytes(StandardCharsets.US_ASCII);
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

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    @Override
    public String toString() {
        return new String(bytes, 0, length, StandardCharsets.US_ASCII);
    }
}
