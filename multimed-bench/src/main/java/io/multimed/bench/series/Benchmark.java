package io.multimed.bench.series;

import io.multimed.bench.load.Connector;
import io.multimed.bench.load.LoadProgress;
import io.multimed.bench.report.Run;
import io.multimed.bench.system.Carried;
import io.multimed.bench.system.RunningSystem;
import java.sql.SQLException;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A benchmark from the harness's view: a population, and the work of clients on it.
 *
 * @param <D> the data kept about the population once it is loaded
 */
public interface Benchmark<D> {
    String REPEATABLE_READ = "repeatable read";

    /** Returns its name in results, with the mix: {@code tpcw browsing}. */
    String name();

    /** Returns the name of the operations that clients complete, such as {@code interactions}. */
    default String operations() {
        return Run.operations(name());
    }

    /** Returns its own parameters, for results, in the order in which they are shown. */
    Map<String, String> parameters();

    /** Returns the size of the database on disk and in the memory of each copy, estimated before there is one. */
    long estimatedBytes();

    /** Returns the options that chose the size, for users who have to choose less: {@code --ebs 100, --items 10000}. */
    String sizedBy();

    /** Fills an empty database. */
    D load(Connector database, LoadProgress progress) throws SQLException, InterruptedException;

    /**
     * Returns the isolation level of transactions that only read, as PostgreSQL writes it. It becomes the database's default,
     * since a session's own would not survive a pooler. Updates run under repeatable read, PostgreSQL's snapshot isolation, as
     * in the papers.
     */
    default String isolationOfReads() {
        return REPEATABLE_READ;
    }

    /** Returns the isolation levels in words, for results. */
    default String isolation() {
        return "reads " + isolationOfReads() + ", updates " + REPEATABLE_READ;
    }

    /** Returns the contents of a partial Satellite that suits it; nothing if none does. */
    default Carried carried() {
        return Carried.NOTHING;
    }

    /** Returns how many clients are at work when so many are chosen. */
    default int atWork(int clients) {
        return clients;
    }

    /** Returns its place on an axis of its own, for names of files: {@code 4-heavy}; empty if it has none. */
    default String place() {
        return "";
    }

    /** Returns the actions on a system in one run, beside its clients' work. */
    default Episode episode(RunningSystem system, Consumer<String> progress) {
        return Episode.NONE;
    }

    /**
     * Returns one run on a fresh copy.
     *
     * @param clients that are chosen
     */
    Trial trial(D loaded, int clients, long seed);
}
