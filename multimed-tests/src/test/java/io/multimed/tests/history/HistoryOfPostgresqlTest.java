package io.multimed.tests.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.history.Checker;
import io.multimed.testkit.history.Commit;
import io.multimed.testkit.history.Promise;
import io.multimed.testkit.history.Report;
import io.multimed.testkit.postgres.PlainPostgres;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.PlainServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The workload and the checker on one PostgreSQL, which is right: whatever is found there is a mistake of the test. */
class HistoryOfPostgresqlTest {
    private static final String DATABASE = "history_of_postgresql";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void onePostgresqlKeepsEveryPromise() throws Exception {
        PlainPostgres server = PlainServer.get();
        try (WireSession owner = WireSession.open(server.unix(), "postgres", "postgres", PATIENCE)) {
            owner.rows("CREATE DATABASE " + DATABASE);
        }
        try (WireSession master = WireSession.open(server.unix(), "postgres", DATABASE, PATIENCE)) {
            master.rows(Schema.CREATE);
            master.rows(Schema.fill(Workload.WRITERS));
            MasterOrder.begin(master);
            Workload workload = new Workload(server.tcp(), DATABASE, false, 1);
            workload.start();
            TimeUnit.SECONDS.sleep(2);
            Recording recording = workload.stop();
            List<Commit> order = MasterOrder.end(master);
            Report report = Checker.check(recording.updates(), recording.reads(), order, Promise.STRONG);
            assertEquals(List.of(), report.violations());
            assertEquals(List.of(), recording.contradictions());
            assertTrue(report.commits() > 100, report + " " + recording.errors());
        }
    }
}
