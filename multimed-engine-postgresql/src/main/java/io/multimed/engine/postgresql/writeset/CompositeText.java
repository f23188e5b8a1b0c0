package io.multimed.engine.postgresql.writeset;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads rows as the output function of a composite type writes them (record_out in utils/adt/rowtypes.c). One thread. */
final class CompositeText {
    private final byte[] in;
    private final ByteArrayOutputStream value = new ByteArrayOutputStream();
    private int at;

    /** @param at where the first row begins */
    CompositeText(byte[] in, int at) {
        this.in = in;
        this.at = at;
    }

    /**
     * Reads the next row.
     *
     * @param columns number of columns of the table; a row of an altered table may have another number
     */
    Row row(int columns) {
        require(next() == '(');
        List<byte @Nullable []> values = new ArrayList<>(columns);
        boolean more = true;
        while (more) {
            values.add(value());
            byte end = next();
            require(end == ',' || end == ')');
            more = end == ',';
        }
        if (columns == 0 && values.size() == 1 && values.get(0) == null) {
            values.clear();
        }
        Row.Builder row = new Row.Builder(values.size());
        for (int i = 0; i < values.size(); i++) {
            byte[] text = values.get(i);
            if (text != null) {
                row.text(i, text);
            }
        }
        return row.build();
    }

    /** Whether all has been read. */
    boolean isAtEnd() {
        return at == in.length;
    }

    private byte @Nullable [] value() {
        require(at < in.length);
        if (in[at] != '"') {
            int start = at;
            while (at < in.length && in[at] != ',' && in[at] != ')') {
                at++;
            }
            return at == start ? null : java.util.Arrays.copyOfRange(in, start, at);
        }
        at++;
        value.reset();
        while (true) {
            int start = at;
            while (at < in.length && in[at] != '"' && in[at] != '\\') {
                at++;
            }
            value.write(in, start, at - start);
            byte special = next();
            if (special == '"' && (at == in.length || in[at] != '"')) {
                return value.toByteArray();
            }
            // Quotes and backslashes are doubled.
            value.write(next());
        }
    }

    private byte next() {
        require(at < in.length);
        return in[at++];
    }

    private static void require(boolean condition) {
        if (!condition) {
            throw new MalformedWriteSetException("a captured row has another form");
        }
    }
}
