package io.multimed.server.satellite;

import io.multimed.engine.postgresql.comparison.ComparedTable;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tables that one round of comparing has still to look at, and the part that comes next: so many blocks as a look may take. One thread.
 */
final class ComparisonRound {
    /** Largest number of blocks in a part. */
    static final int MOST_BLOCKS = 64;
    /** Time for comparing a part above which the next one has fewer blocks, since its values are large or engines are busy. */
    static final Duration LONG = Duration.ofMillis(100);

    // Classes of SQLSTATEs:
    private static final String NO_DATABASE = "3D";
    private static final String NO_TABLE = "42";

    private final Deque<String> databases = new ArrayDeque<>();
    private final Deque<ComparedTable> tables = new ArrayDeque<>();
    /** Database of the tables. */
    private String database = "";
    /** The first block of the first table that is not compared yet. */
    private long block;

    private int blocks = MOST_BLOCKS;

    /** Begins a round through databases. */
    void begin(List<String> names) {
        databases.addAll(names);
    }

    /** Returns the table to which the next part belongs; null if the next database's tables are to be found first. */
    @Nullable
    ComparedTable table() {
        return tables.peekFirst();
    }

    /** Goes on to the next database, and returns its name; null if the round is over. */
    @Nullable
    String nextDatabase() {
        String next = databases.pollFirst();
        database = next == null ? "" : next;
        return next;
    }

    /** Adds the tables of the present database. */
    void found(List<ComparedTable> inDatabase) {
        tables.addAll(inDatabase);
    }

    String database() {
        return database;
    }

    /** Returns the first block of the next part. */
    long block() {
        return block;
    }

    /** Returns the block behind the next part. */
    long end() {
        return block + blocks;
    }

    /** Whether the next part is as small as can be. */
    boolean isOneBlock() {
        return blocks == 1;
    }

    /** Goes on behind a part that has been compared, in {@code nanos} with the slowest Satellite. */
    void compared(long nanos) {
        nextPart();
        blocks = nanos > LONG.toNanos() ? Math.max(1, blocks / 2) : Math.min(MOST_BLOCKS, blocks * 2);
    }

    /**
     * Goes on behind a part that cannot be compared, or makes it smaller.
     *
     * @param state SQLSTATE of the failure
     */
    void passOver(String state) {
        if (state.startsWith(NO_DATABASE)) {
            tables.clear();
            block = 0;
        } else if (state.startsWith(NO_TABLE)) {
            tables.pollFirst();
            block = 0;
        } else if (blocks > 1) {
            blocks = 1;
        } else {
            nextPart();
        }
    }

    private void nextPart() {
        block += blocks;
        ComparedTable table = tables.peekFirst();
        if (table == null || block >= table.blocks()) {
            tables.pollFirst();
            block = 0;
        }
    }
}
