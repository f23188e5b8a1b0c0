package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A client sends Terminate and does not close its connection itself. */
@Timeout(60)
class TerminateTest {
    @RegisterExtension
    private static final EndpointOnOneEngine multimed = new EndpointOnOneEngine();

    @BeforeAll
    static void createTable() throws IOException {
        try (WireSession session = multimed.open()) {
            session.rows("CREATE TABLE t (i int)");
        }
    }

    @Test
    void duringCopyInEndsTheSession() throws Exception {
        try (WireSession session = multimed.open()) {
            session.send(FrontendBytes.query("COPY t FROM STDIN"));
            session.client().readUntil("G");
            session.send(FrontendBytes.terminate());
            session.client().readToEnd();
            EndpointTest.await(() -> multimed.master.active() == 0);
        }
    }

    @Test
    void behindTheCopyInThatItDoesNotAwaitEndsTheSession() throws Exception {
        try (WireSession session = multimed.open()) {
            session.send(FrontendBytes.query("COPY t FROM STDIN"), FrontendBytes.terminate());
            session.client().readToEnd();
            EndpointTest.await(() -> multimed.master.active() == 0);
        }
    }

    @Test
    void behindAStatementLetsItBeExecuted() throws IOException {
        try (WireSession session = multimed.open();
                WireSession other = multimed.open()) {
            session.send(FrontendBytes.query("INSERT INTO t SELECT 7 FROM pg_sleep(0.2)"), FrontendBytes.terminate());
            session.ready();
            session.client().readToEnd();
            assertEquals("1", other.value("SELECT count(*) FROM t WHERE i = 7"));
        }
    }
}
