package io.multimed.bench.series;

import io.multimed.bench.client.Told;
import io.multimed.bench.client.Transactions;
import io.multimed.bench.client.Worker;
import io.multimed.bench.measure.Measured;
import io.multimed.bench.measure.MeasuredOperations;
import io.multimed.bench.report.Figure;
import io.multimed.bench.report.Run;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.BooleanSupplier;

/** One run of a benchmark on one database. */
public interface Trial {
    /** Returns the kinds of operations, by the numbers under which clients record them. */
    List<MeasuredOperations.Kind> kinds();

    /** Prepares the database before clients connect, on a connection like theirs. */
    void prepare(Connection connection) throws SQLException;

    /**
     * Makes a client.
     *
     * @param number from 1
     * @param going whether clients are to go on
     */
    Worker client(int number, Transactions.Opening opening, MeasuredOperations recording, BooleanSupplier going);

    /** Returns the outcomes reported to all clients. */
    Told told();

    /**
     * Checks, once the clients have ended, whether the database is consistent and agrees with the outcomes reported to them.
     */
    List<Run.Check> check(Connection master) throws SQLException;

    /** Returns the clients' figures beyond throughput and latency. */
    default List<Figure> figures(Measured measured) {
        return List.of();
    }

    /** Returns the names of all tables. */
    List<String> tables();
}
