package io.multimed.endpoint.pg.session.prepared;

import io.multimed.protocol.pg.BackendMessages;
import io.multimed.sql.StatementClassifier;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The answers to the EXPLAIN (MULTIMED) statements of the unit at the head of the input, by text. */
public final class ExplainedTexts {
    private static final List<String> COLUMNS = List.of("QUERY PLAN");

    private final Map<ByteBuffer, List<String>> answers = new HashMap<>(0);
    private long unit = -1;

    /** Begins a unit, unless it has begun before. */
    public void begin(long number) {
        if (unit != number) {
            unit = number;
            answers.clear();
        }
    }

    /** Whether there are answers for this unit. */
    public boolean areOf(long number) {
        return unit == number && !answers.isEmpty();
    }

    /** Whether there is an answer to this text. */
    public boolean contains(byte[] sql) {
        return answers.containsKey(ByteBuffer.wrap(sql));
    }

    /** Adds the answer to a text, line by line. */
    public void add(byte[] sql, List<String> lines) {
        answers.put(ByteBuffer.wrap(sql), lines);
    }

    /** Returns the answer to a text and forgets it; null if there is none. */
    public @Nullable List<String> take(byte[] sql) {
        return answers.remove(ByteBuffer.wrap(sql));
    }

    /** Returns the explained statement at its place in the text, with blanks before it. */
    public static byte[] explained(byte[] sql) {
        byte[] blank = sql.clone();
        int begin = StatementClassifier.beginOfExplained(sql, sql.length);
        for (int i = begin; i < sql.length; i++) {
            if (sql[i] < 0 || sql[i] > ' ') {
                Arrays.fill(blank, 0, begin, (byte) ' ');
                return blank;
            }
        }
        // The engine reports that a statement is missing.
        return blank;
    }

    /** Writes the description of the answer. */
    public static void columns(ByteBuf out) {
        BackendMessages.textColumns(out, COLUMNS);
    }

    /** Writes the answer. */
    public static void rows(ByteBuf out, List<String> lines) {
        lines.forEach(line -> BackendMessages.textRow(out, List.of(line)));
        BackendMessages.commandComplete(out, "EXPLAIN");
    }
}
