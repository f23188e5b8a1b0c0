package io.multimed.jdbc.statement;

import java.sql.Blob;
import java.sql.Clob;
import java.sql.PreparedStatement;
import java.sql.Ref;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a prepared statement as they were set, to be set again on another connection. Recording allocates nothing
 * except copies of values that the application could change later. Indexes begin at 1, as in JDBC.
 */
final class Parameters {
    private static final byte UNSET = 0;
    /** The parameter was set on the Master and cannot be set again. */
    private static final byte UNREPEATABLE = -1;

    /** Larger than the number of parameters that any engine allows. */
    private static final int MOST = 1 << 20;

    private byte[] kinds = new byte[8];
    private long[] bits = new long[8];
    private int[] numbers = new int[8];
    private @Nullable Object[] values = new Object[8];
    private @Nullable Object[] more = new Object[8];
    private int highest;
    private int unrepeatable;

    /** Whether the value can be read only once, or belongs to the connection that made it. */
    static boolean isUnrepeatable(@Nullable Object value) {
        return value instanceof java.io.InputStream
                || value instanceof java.io.Reader
                || value instanceof Blob
                || value instanceof Clob
                || value instanceof java.sql.Array
                || value instanceof SQLXML
                || value instanceof Ref
                || value instanceof RowId
                || value instanceof java.sql.ResultSet;
    }

    void record(int index, byte kind, long bit, int number, @Nullable Object value, @Nullable Object second) {
        room(index);
        kinds[index] = kind;
        bits[index] = bit;
        numbers[index] = number;
        values[index] = copy(value);
        more[index] = second instanceof java.util.Calendar calendar ? calendar.clone() : second;
    }

    /** Records a parameter that cannot be set again. Called before the engine, which refuses indexes that are too large. */
    void recordUnrepeatable(int index) {
        if (index > MOST) {
            return;
        }
        room(index);
        kinds[index] = UNREPEATABLE;
        values[index] = null;
        unrepeatable++;
    }

    /** Makes room for a parameter and drops its old value. */
    private void room(int index) {
        if (index >= kinds.length) {
            int size = Math.max(index + 1, kinds.length * 2);
            kinds = Arrays.copyOf(kinds, size);
            bits = Arrays.copyOf(bits, size);
            numbers = Arrays.copyOf(numbers, size);
            values = Arrays.copyOf(values, size);
            more = Arrays.copyOf(more, size);
        }
        highest = Math.max(highest, index);
        if (kinds[index] == UNREPEATABLE) {
            unrepeatable--;
        }
    }

    @SuppressWarnings("JavaUtilDate") // JDBC's dates and times are such, and the application may change them later.
    private static Object copy(java.util.Date date) {
        return date.clone();
    }

    private static @Nullable Object copy(@Nullable Object value) {
        if (value instanceof byte[] bytes) {
            return bytes.clone();
        }
        if (value instanceof java.util.Date date) {
            return copy(date);
        }
        if (value instanceof Object[] elements) {
            Object[] copies = elements.clone();
            for (int i = 0; i < copies.length; i++) {
                copies[i] = copy(copies[i]);
            }
            return copies;
        }
        return value instanceof java.util.Calendar calendar ? calendar.clone() : value;
    }

    /** Whether some parameters are known only to the connection on which they were set. */
    boolean areBound() {
        return unrepeatable > 0;
    }

    void clear() {
        for (int i = 1; i <= highest; i++) {
            kinds[i] = UNSET;
            values[i] = null;
            more[i] = null;
        }
        highest = 0;
        unrepeatable = 0;
    }

    /** Returns a copy of the present parameters. */
    Parameters copy() {
        Parameters copy = new Parameters();
        copy.kinds = kinds.clone();
        copy.bits = bits.clone();
        copy.numbers = numbers.clone();
        copy.values = values.clone();
        copy.more = more.clone();
        copy.highest = highest;
        return copy;
    }

    void replay(PreparedStatement on) throws SQLException {
        for (int i = 1; i <= highest; i++) {
            if (kinds[i] > UNSET) {
                ParameterReplay.set(on, i, kinds[i], bits[i], numbers[i], values[i], more[i]);
            }
        }
    }
}
