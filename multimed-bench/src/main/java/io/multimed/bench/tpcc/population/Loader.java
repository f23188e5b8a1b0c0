package io.multimed.bench.tpcc.population;

import io.multimed.bench.load.Connector;
import io.multimed.bench.load.CopyText;
import io.multimed.bench.load.LoadProgress;
import io.multimed.bench.load.Parallel;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Fills an empty database: tables, rows, indexes; for PostgreSQL its statistics. */
public final class Loader {
    private static final int BATCH = 200;

    private final Parallel parallel;
    private final Population population;
    private final boolean postgresql;

    /** @param postgresql whether the database understands COPY; else rows go there in batches */
    public Loader(Connector database, Population population, boolean postgresql, int threads, LoadProgress progress) {
        this.parallel = new Parallel(database, threads, progress);
        this.population = population;
        this.postgresql = postgresql;
    }

    /** Returns when all is there; an interrupt ends it half-way, with no thread left. */
    public void load() throws SQLException, InterruptedException {
        parallel.inOrder(Schema.TABLES);
        List<Parallel.Work> rows = population.pieces().stream()
                .<Parallel.Work>map(piece -> connection -> {
                    if (postgresql) {
                        copy(connection, piece);
                    } else {
                        insert(connection, piece);
                    }
                })
                .toList();
        parallel.all("rows", rows);
        parallel.inOrder(Schema.INDEXES);
        if (postgresql) {
            parallel.settle();
        }
    }

    private void copy(Connection connection, Population.Piece piece) throws SQLException {
        Map<String, CopyText> tables = new TreeMap<>();
        population.rows(
                piece,
                (table, fields) ->
                        tables.computeIfAbsent(table, any -> new CopyText()).row(fields));
        Parallel.copy(connection, tables);
    }

    private void insert(Connection connection, Population.Piece piece) throws SQLException {
        Map<String, PreparedStatement> statements = new HashMap<>();
        connection.setAutoCommit(false);
        // HSQLDB refuses to execute an empty batch.
        Set<PreparedStatement> filled = new HashSet<>();
        int[] gathered = {0};
        try {
            population.rows(piece, (table, fields) -> {
                PreparedStatement statement = statements.get(table);
                if (statement == null) {
                    statement = connection.prepareStatement("INSERT INTO " + table + " VALUES ("
                            + String.join(", ", Collections.nCopies(fields.length, "?")) + ")");
                    statements.put(table, statement);
                }
                for (int i = 0; i < fields.length; i++) {
                    statement.setObject(i + 1, fields[i]);
                }
                statement.addBatch();
                filled.add(statement);
                if (++gathered[0] % BATCH == 0) {
                    send(connection, filled);
                }
            });
            send(connection, filled);
        } finally {
            for (PreparedStatement statement : statements.values()) {
                statement.close();
            }
        }
    }

    private static void send(Connection connection, Set<PreparedStatement> filled) throws SQLException {
        for (PreparedStatement statement : filled) {
            statement.executeBatch();
        }
        filled.clear();
        connection.commit();
    }
}
