package io.multimed.bench.dialect;

import io.multimed.bench.load.BulkLoad;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * An engine's SQL, as far as the benchmarks have to say the same thing differently there. All other statements are those that
 * every engine understands: LIMIT, LIKE, dates as parameters, DDL.
 */
public enum Dialect {
    POSTGRESQL(
            false,
            BulkLoad.COPY,
            false,
            true,
            "SELECT nextval('%s')",
            "generate_series(1, ?) AS numbers (id)",
            // Freezing too: otherwise the first readers would write every page again, for its hint bits.
            List.of("VACUUM (FREEZE, ANALYZE)", "CHECKPOINT")),
    H2(
            true,
            BulkLoad.BATCHES,
            true,
            true,
            "SELECT NEXT VALUE FOR %s",
            "(SELECT x AS id FROM SYSTEM_RANGE(1, ?)) AS numbers",
            List.of()),
    HSQLDB(
            true,
            BulkLoad.BATCHES,
            true,
            false,
            "VALUES (NEXT VALUE FOR %s)",
            "UNNEST(SEQUENCE_ARRAY(1, ?, 1)) AS numbers (id)",
            List.of());

    private final boolean embedded;
    private final BulkLoad bulkLoad;
    private final boolean keysWithTables;
    private final boolean looksUpLists;
    private final String nextValue;
    private final String numbers;
    private final List<String> settling;

    Dialect(
            boolean embedded,
            BulkLoad bulkLoad,
            boolean keysWithTables,
            boolean looksUpLists,
            String nextValue,
            String numbers,
            List<String> settling) {
        this.embedded = embedded;
        this.bulkLoad = bulkLoad;
        this.keysWithTables = keysWithTables;
        this.looksUpLists = looksUpLists;
        this.nextValue = nextValue;
        this.numbers = numbers;
        this.settling = settling;
    }

    /** The one of an engine, by the name that users write. */
    public static Optional<Dialect> of(String engine) {
        return Arrays.stream(values())
                .filter(dialect -> dialect.engine().equals(engine))
                .findFirst();
    }

    /** As users and results name it. */
    public String engine() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether the engine runs inside the JVM of its clients. */
    public boolean embedded() {
        return embedded;
    }

    /** How rows get in. */
    public BulkLoad bulkLoad() {
        return bulkLoad;
    }

    /**
     * Whether primary keys are made with their tables, before there are rows: H2 stores rows by such a key, and by a later one
     * finds them at a second look only. Otherwise they are made after the rows, as indexes are.
     */
    public boolean keysWithTables() {
        return keysWithTables;
    }

    /** A query for the next value of a sequence: one row, one column. */
    public String nextValue(String sequence) {
        return nextValue.formatted(sequence);
    }

    /** Returns the text behind FROM that yields the numbers from 1 to a parameter, in a column {@code id}. */
    public String numbers() {
        return numbers;
    }

    /**
     * Returns the condition that an indexed column equals one of other tables' columns. HSQLDB reads the whole table if this is
     * written with IN.
     */
    public String isOneOf(String column, List<String> others) {
        return looksUpLists
                ? column + " IN (" + String.join(", ", others) + ")"
                : others.stream().map(other -> column + " = " + other).collect(Collectors.joining(" OR ", "(", ")"));
    }

    /** Statements for what an engine would otherwise do later beside its first clients, once everything is loaded. */
    public List<String> settling() {
        return settling;
    }
}
