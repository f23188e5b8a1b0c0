package io.multimed.tests.history;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.history.Promise;
import io.multimed.testkit.history.Report;
import io.multimed.testkit.history.Snapshots;
import io.multimed.testkit.mariadb.SocketForwarder;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;

/** One database of a MariaDB with the workload on it, from its creation to the verdict. */
final class MariaDbHistoryRun implements AutoCloseable {
    /** SQLSTATEs of the death of an engine or of the middleware under its clients. */
    private static final Set<String> EXPECTED = Set.of("08000", "08S01", "70100", "cannot connect");

    /** Least number of reads for each one that may be taken amid commits, and so show a later one and lack an earlier one. */
    private static final int FORKED = 2_000;

    private final SocketForwarder master;
    private final Path data;
    private final String database;
    private final RecordedHistory history;

    /**
     * Makes the database and starts the workload.
     *
     * @param socket of the engine that executes every update, itself
     * @param data directory of that engine
     * @param endpoint the port of the clients' sessions
     */
    MariaDbHistoryRun(Path socket, Path data, int endpoint, String database, long seed)
            throws IOException, SQLException {
        this.data = data;
        this.database = database;
        master = new SocketForwarder(socket);
        Clients clients = MariaDbClients.of(endpoint, master.port(), database);
        try (Connection owner = MariaDbClients.open(master.port(), "", false);
                Statement statement = owner.createStatement()) {
            statement.execute("CREATE DATABASE " + database);
            statement.execute("USE " + database);
            statement.execute(Schema.CREATE);
            statement.execute(MariaDbDialect.FUNCTION);
            statement.execute(Schema.fill(clients.writers().size()));
        }
        history = new RecordedHistory(clients, seed);
    }

    Recording recording() {
        return history.recording();
    }

    /** Stops the sessions and checks the history. */
    Report end() throws Exception {
        history.stop();
        return history.check(BinlogOrder.read(data, database), Promise.STRONG, Snapshots.COLLECTED);
    }

    /** Asserts that the history found by {@link #end} keeps the guarantees. */
    void assertKept(Report report) {
        String summary = history.assertKept(report, EXPECTED);
        assertTrue(
                report.forks() <= (report.satelliteReads() + report.masterReads()) / FORKED,
                () -> "more forks than snapshots taken amid commits explain: " + summary);
    }

    @Override
    public void close() throws IOException {
        master.close();
    }
}
