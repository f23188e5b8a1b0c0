package io.multimed.tests.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.history.Promise;
import io.multimed.testkit.history.Report;
import io.multimed.testkit.postgres.PlainPostgres;
import io.multimed.tests.server.PlainServer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The workload and the checker on one PostgreSQL, which is right: every violation found there is a mistake of the test. */
@Tag("slow")
class HistoryOfPostgresqlTest {
    @Test
    void onePostgresqlKeepsEveryPromise() throws Exception {
        PlainPostgres server = PlainServer.get();
        HistoryRun run = new HistoryRun(server.unix(), server.tcp(), "history_of_postgresql", false, 1);
        TimeUnit.SECONDS.sleep(2);
        Report report = run.end(Promise.STRONG);
        assertEquals(List.of(), report.violations());
        assertEquals(List.of(), run.recording().contradictions());
        assertTrue(report.commits() > 50, report + " " + run.recording().errors());
        run.dropDatabase();
    }
}
