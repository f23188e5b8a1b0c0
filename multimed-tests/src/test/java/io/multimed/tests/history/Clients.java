package io.multimed.tests.history;

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;

/**
 * The clients of a workload.
 *
 * @param dialect of the SQL that they speak
 * @param serial a writer whose transactions never overlap
 * @param writers those with registers of their own
 * @param overwriters writers that read what others write, overwrite it, and read on
 * @param readers of single statements
 * @param transactionReaders readers of single statements and of transactions
 * @param wanderers sessions that go back and forth between the Satellites and the Master
 */
record Clients(
        Dialect dialect,
        Client serial,
        List<Client> writers,
        List<Client> overwriters,
        List<Client> readers,
        List<Client> transactionReaders,
        List<Client> wanderers) {
    Clients {
        writers = List.copyOf(writers);
        overwriters = List.copyOf(overwriters);
        readers = List.copyOf(readers);
        transactionReaders = List.copyOf(transactionReaders);
        wanderers = List.copyOf(wanderers);
    }

    /** Opens a session. */
    interface Opener {
        HistorySession open() throws IOException, SQLException;
    }

    /** The connections of a session, one after the other. */
    record Client(String name, Opener opener) {}
}
