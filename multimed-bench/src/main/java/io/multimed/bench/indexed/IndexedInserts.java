package io.multimed.bench.indexed;

import io.multimed.bench.client.Query;
import io.multimed.bench.load.Connector;
import io.multimed.bench.load.LoadProgress;
import io.multimed.bench.series.Benchmark;
import io.multimed.bench.series.Episode;
import io.multimed.bench.series.Trial;
import io.multimed.bench.system.Carried;
import io.multimed.bench.system.RunningSystem;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Inserts into a table with eight indexes beside its primary key, and reads by these. With a partial Satellite, the indexes exist
 * on it alone, and the Master has only the primary key's.
 *
 * @param rows that the table begins with
 * @param batch rows of an insert
 * @param reads of all transactions, in per cent
 */
public record IndexedInserts(int rows, int batch, int reads) implements Benchmark<IndexedInserts.Loaded> {
    /** The number of rows at the beginning. */
    public record Loaded(long rows) {}

    static final int INDEXES = 8;
    /** Number of different values in an indexed column. */
    static final int VALUES = 1_000_000;

    /** Bytes of a row with its entries in all indexes. */
    private static final long ROW_BYTES = 400;

    private static final long LEAST_BYTES = 20_000_000;

    @Override
    public String name() {
        return "indexed inserts";
    }

    @Override
    public Map<String, String> parameters() {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("rows", Integer.toString(rows));
        parameters.put("rows of an insert", Integer.toString(batch));
        parameters.put("reads, %", Integer.toString(reads));
        return parameters;
    }

    @Override
    public long estimatedBytes() {
        return LEAST_BYTES + rows * ROW_BYTES;
    }

    @Override
    public String sizedBy() {
        return "--rows " + rows;
    }

    /** A partial Satellite takes part in no transaction under repeatable read. */
    @Override
    public String isolationOfReads() {
        return "read committed";
    }

    @Override
    public String isolation() {
        return isolationOfReads();
    }

    @Override
    public Loaded load(Connector database, LoadProgress progress) throws SQLException {
        try (Connection connection = database.open();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE reading (id bigint PRIMARY KEY, a1 int, a2 int, a3 int, a4 int, a5 int, a6 int,"
                            + " a7 int, a8 int, note text)");
            statement.execute(inserted(1 + "", Integer.toString(rows)));
            return new Loaded(Query.number(connection, "SELECT count(*) FROM reading"));
        }
    }

    /** Returns the insertion of rows whose indexed values are random. */
    static String inserted(String first, String count) {
        return "INSERT INTO reading SELECT " + first + " + n, random() * " + VALUES
                + (", random() * " + VALUES).repeat(INDEXES - 1)
                + ", 'a note of some length' FROM generate_series(1, " + count + ") n";
    }

    static List<String> indexes() {
        return IntStream.rangeClosed(1, INDEXES)
                .mapToObj(number -> "CREATE INDEX ON public.reading (a" + number + ")")
                .toList();
    }

    @Override
    public Carried carried() {
        return new Carried("indexed", List.of("reading"), indexes(), "all", true);
    }

    @Override
    public Episode episode(RunningSystem system, Consumer<String> progress) {
        return new IndexedReads(system, progress);
    }

    @Override
    public Trial trial(Loaded loaded, int clients, long seed) {
        return new IndexedTrial(this, loaded, seed, new Inserted());
    }
}
