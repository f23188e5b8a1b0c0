package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A block that began on a Satellite is the same when it begins anew on the Master. */
@Timeout(60)
class MovedBlockTest {
    @RegisterExtension
    private static final EndpointOnOneEngine multimed = new EndpointOnOneEngine();

    private WireSession session;

    @BeforeEach
    void open() throws IOException {
        session = WireSession.open(multimed.address(), "postgres", "postgres", Duration.ofSeconds(20));
        session.rows("SELECT 1");
    }

    @AfterEach
    void close() throws IOException {
        session.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "READ WRITE",
                "ISOLATION LEVEL SERIALIZABLE",
                "ISOLATION LEVEL REPEATABLE READ",
                "DEFERRABLE",
                "SNAPSHOT '00000003-00000002-1'"
            })
    void whatMustComeBeforeAnyQueryComesTooLate(String characteristic) throws IOException {
        session.rows("BEGIN READ ONLY");
        session.rows("SHOW search_path");
        session.rows("SELECT 1");
        assertEquals(1, multimed.satellite.active());
        assertTooLate(characteristic);
    }

    @ParameterizedTest
    @ValueSource(strings = {"READ WRITE", "ISOLATION LEVEL SERIALIZABLE"})
    void whatMustComeBeforeAnyQueryComesTooLateAlthoughNoEngineKnowsOfThat(String characteristic) throws IOException {
        session.rows("BEGIN READ ONLY");
        session.rows("SELECT 1");
        assertEquals(0, multimed.satellite.active());
        assertTooLate(characteristic);
    }

    @Test
    void whatMustComeBeforeAnyQueryComesTooLateWhenTheSatelliteIsLost() throws Exception {
        session.rows("BEGIN READ ONLY");
        session.rows("SHOW search_path");
        session.rows("SELECT 1");
        multimed.endpoint.nodeGone(multimed.satellite);
        EndpointTest.await(() -> multimed.satellite.active() == 0);
        assertTooLate("READ WRITE");
    }

    @Test
    void whatMustComeBeforeAnyQueryIsNotLate() throws IOException {
        session.rows("BEGIN READ ONLY");
        session.rows("SHOW search_path");
        session.rows("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ WRITE");
        assertEquals("off", session.value("SHOW transaction_read_only"));
        assertEquals("repeatable read", session.value("SHOW transaction_isolation"));
        session.rows("COMMIT");
    }

    /** SET statements of the unit come before its first query, on whichever node that is finally executed. */
    @Test
    void unitThatRunsAgainOnTheMasterIsNotLate() throws IOException {
        session.rows("BEGIN READ ONLY");
        session.rows("SET TRANSACTION DEFERRABLE; SELECT 1; SELECT pg_is_in_recovery()");
        session.rows("COMMIT");
    }

    @Test
    void deferrableItStays() throws IOException {
        session.rows("BEGIN READ ONLY DEFERRABLE");
        session.rows("SELECT 1");
        session.rows("SHOW search_path");
        assertEquals(1, multimed.satellite.active());
        session.rows("SHOW work_mem");
        assertEquals(1, multimed.master.active());
        assertEquals("on", session.value("SHOW transaction_read_only"));
        assertEquals("on", session.value("SHOW transaction_deferrable"));
        session.rows("COMMIT AND CHAIN");
        session.rows("SELECT 1");
        session.rows("SHOW work_mem");
        assertEquals("on", session.value("SHOW transaction_deferrable"));
        session.rows("COMMIT");
    }

    @Test
    void deferrableItStaysAsSetWithinIt() throws IOException {
        session.rows("SET default_transaction_deferrable = on");
        session.rows("BEGIN READ ONLY");
        session.rows("SHOW search_path");
        session.rows("SET TRANSACTION NOT DEFERRABLE");
        session.rows("SELECT 1");
        session.rows("SHOW work_mem");
        assertEquals(1, multimed.master.active());
        assertEquals("off", session.value("SHOW transaction_deferrable"));
        session.rows("COMMIT");
    }

    /** PostgreSQL does the same: ROLLBACK undoes the properties that SET TRANSACTION has set, but not those that were chained. */
    @Test
    void chainedItIsAsItWasChainedWhenItHasFailed() throws IOException {
        session.rows("BEGIN READ ONLY");
        session.rows("COMMIT AND CHAIN");
        session.rows("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
        assertEquals(1, multimed.satellite.active());
        session.rows("SHOW work_mem");
        assertEquals(1, multimed.master.active());
        assertEquals("on", session.value("SHOW transaction_read_only"));
        assertEquals("repeatable read", session.value("SHOW transaction_isolation"));
        assertEquals("22012", session.query("SELECT 1/0").getFirst().sqlState());
        session.rows("ROLLBACK AND CHAIN");
        assertEquals("on", session.value("SHOW transaction_read_only"));
        assertEquals("read committed", session.value("SHOW transaction_isolation"));
        session.rows("COMMIT");
    }

    /** Otherwise the Master's connection, which has the setting, would serve others as if it had not. */
    @ParameterizedTest
    @ValueSource(strings = {"COMMIT", "ROLLBACK", "COMMIT AND CHAIN"})
    void whatItHadSetBeforeAReadThatRunsAgainIsTheSessionsOwn(String end) throws Exception {
        String usual = session.value("SHOW TimeZone");
        String read = "SELECT count(*) FROM moved";
        try (WireSession locker = multimed.openEngine()) {
            locker.rows("CREATE TABLE IF NOT EXISTS moved ()");
            // Reads of a known shape are sent at once.
            session.rows(read);
            session.rows("BEGIN READ ONLY");
            session.rows("SET TimeZone = 'Asia/Tokyo'");
            session.rows("SET LOCAL moved.name = 'set'");
            locker.rows("BEGIN; LOCK TABLE moved");
            session.send(FrontendBytes.query(read));
            EndpointTest.await(() -> isWaitedFor(locker));
            multimed.loseTheSatellite();
            // The read runs again on the Master, and waits for the table there.
            EndpointTest.await(() -> multimed.master.active() == 1);
        } finally {
            multimed.satellite.serving(true);
        }
        session.ready();
        session.rows(end);
        if (end.endsWith("CHAIN")) {
            session.rows("COMMIT");
        }
        assertEquals(end.equals("ROLLBACK") ? usual : "Asia/Tokyo", session.value("SHOW TimeZone"));
        assertEquals("f", session.value("SELECT current_setting('moved.name', true) IS NULL"));
        try (WireSession other = multimed.open()) {
            other.rows("BEGIN");
            assertEquals(usual, other.value("SHOW TimeZone"));
            assertEquals("t", other.value("SELECT current_setting('moved.name', true) IS NULL"));
            other.rows("COMMIT");
        }
    }

    private static boolean isWaitedFor(WireSession locker) {
        try {
            return locker.value("SELECT count(*) FROM pg_locks WHERE NOT granted")
                    .equals("1");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void assertTooLate(String characteristic) throws IOException {
        List<Message> answer = session.query("SET TRANSACTION " + characteristic);
        assertEquals("25001", answer.getFirst().sqlState(), answer::toString);
        assertTrue(answer.getFirst().toString().contains("before any query"), answer::toString);
        assertEquals('E', answer.getLast().body()[0]);
        session.rows("ROLLBACK");
        assertEquals("1", session.value("SELECT 1"));
    }
}
