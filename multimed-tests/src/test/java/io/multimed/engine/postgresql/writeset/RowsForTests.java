package io.multimed.engine.postgresql.writeset;

import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Gives tests access to rows that differ from those of the log. */
public final class RowsForTests {
    private RowsForTests() {}

    /** Returns the row with NULL for values that the log does not have. */
    public static Row withoutUnchanged(Row row) {
        return Row.of(IntStream.range(0, row.size())
                .mapToObj(i -> row.isUnchanged(i) ? null : row.text(i))
                .toArray(String[]::new));
    }

    /** Returns the text of the first column, which tests have as the key. */
    public static @Nullable String key(Row row) {
        return row.text(0);
    }
}
