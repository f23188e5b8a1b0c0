package io.multimed.bench.dialect;

import io.multimed.bench.client.Beginning;
import io.multimed.bench.load.BulkLoad;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * An engine's SQL, as far as the benchmarks need different SQL there. All other statements are understood by every engine:
 * LIMIT, LIKE, dates as parameters, DDL.
 */
public enum BenchmarkDialect {
    POSTGRESQL(
            false,
            BulkLoad.COPY,
            false,
            true,
            "SELECT nextval('%s')",
            "generate_series(1, ?) AS numbers (id)",
            // Rows are frozen, too: otherwise the first readers would write every page again, for its hint bits.
            List.of("VACUUM (FREEZE, ANALYZE)", "CHECKPOINT")),
    MARIADB(
            false,
            BulkLoad.LOAD_DATA,
            true,
            true,
            "SELECT NEXT VALUE FOR %s",
            "(SELECT seq AS id FROM seq_1_to_20000 WHERE seq <= ?) AS numbers",
            List.of("ANALYZE TABLE %s")),
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

    BenchmarkDialect(
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

    /** Returns the dialect of an engine, by the name that users write. */
    public static Optional<BenchmarkDialect> of(String engine) {
        return Arrays.stream(values())
                .filter(dialect -> dialect.engine().equals(engine))
                .findFirst();
    }

    /** Returns the engine's name for users and in results. */
    public String engine() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether the engine runs inside the JVM of its clients. */
    public boolean embedded() {
        return embedded;
    }

    /** Returns the way in which rows are loaded. */
    public BulkLoad bulkLoad() {
        return bulkLoad;
    }

    /**
     * Whether primary keys are made with their tables, before there are rows. H2 stores rows by such a key; by a key made later
     * it needs a second lookup to find them. Otherwise the keys are made after the rows, as indexes are.
     */
    public boolean keysWithTables() {
        return keysWithTables;
    }

    /** Returns a query for the next value of a sequence: one row, one column. */
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

    /**
     * Returns statements to execute once everything is loaded, for work that the engine would otherwise do later beside its
     * first clients.
     *
     * @param tables all tables
     */
    public List<String> settling(List<String> tables) {
        return settling.stream()
                .map(sql -> sql.formatted(String.join(", ", tables)))
                .toList();
    }

    /** Returns the type of a day with a time, to microseconds and without a time zone. */
    public String timestamp() {
        return this == MARIADB ? "datetime(6)" : "timestamp";
    }

    /** Returns how transactions begin. */
    public Beginning beginning() {
        return this == MARIADB ? Beginning.BY_STATEMENTS : Beginning.BY_DRIVER;
    }
}
