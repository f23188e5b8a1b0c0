package io.multimed.tests.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.RunningMultimed;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Errors that clients receive when the Master's main process is killed under them: each client gets the one that it needs. */
@Isolated("kills engines, and needs the processor for itself")
class KilledMasterTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Set<String> SERVER_WENT = Set.of("57P01", "57P02");
    private static final Set<String> OUTCOME_UNKNOWN = Set.of("08007");

    @Test
    @Timeout(180)
    void eachClientIsToldWhatBecameOfItsTransaction() throws Exception {
        try (RunningMultimed multimed = RunningMultimed.start(1);
                WireSession idle = open(multimed);
                WireSession between = open(multimed);
                WireSession executing = open(multimed);
                WireSession committing = open(multimed);
                WireSession committingAlone = open(multimed);
                WireSession reading = open(multimed)) {
            // This COMMIT takes long, like one that waits for the relay.
            idle.rows("CREATE TABLE kept (i int)");
            idle.rows("CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS"
                    + " 'BEGIN PERFORM pg_sleep(300) WHERE NEW.i < 0; RETURN NULL; END'");
            idle.rows("CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON kept DEFERRABLE INITIALLY DEFERRED"
                    + " FOR EACH ROW EXECUTE FUNCTION slow()");
            idle.rows("INSERT INTO kept VALUES (1)");
            between.rows("BEGIN");
            between.rows("INSERT INTO kept VALUES (2)");
            executing.rows("BEGIN");
            executing.rows("INSERT INTO kept VALUES (3)");
            executing.send(FrontendBytes.query("SELECT pg_sleep(300)"));
            committing.rows("BEGIN");
            committing.rows("INSERT INTO kept VALUES (-4)");
            committing.send(FrontendBytes.query("COMMIT"));
            committingAlone.send(FrontendBytes.query("INSERT INTO kept VALUES (-5)"));
            reading.rows("BEGIN READ ONLY");
            assertEquals("1", reading.value("SELECT count(*) FROM kept"));
            long killed = multimed.masterPid();
            awaitSleeping(multimed, 2);

            kill(killed);

            assertTold(SERVER_WENT, between);
            assertTold(SERVER_WENT, executing);
            assertTold(OUTCOME_UNKNOWN, committing);
            assertTold(OUTCOME_UNKNOWN, committingAlone);
            // These sessions had nothing on the Master.
            assertEquals("1", reading.value("SELECT count(*) FROM kept"));
            reading.rows("COMMIT");
            multimed.awaitOtherEngine("master", killed);
            idle.rows("INSERT INTO kept VALUES (6)");
            assertEquals("1,6", idle.value("SELECT string_agg(i::text, ',' ORDER BY i) FROM kept"));
        }
    }

    private static void assertTold(Set<String> states, WireSession session) throws IOException {
        List<Message> last = session.client().readToEnd();
        Message error = last.stream()
                .filter(message -> message.type() == 'E')
                .findFirst()
                .orElseThrow(() -> new AssertionError("closed without a word: " + last));
        assertTrue(states.contains(error.sqlState()), error::toString);
        assertEquals("FATAL", error.fields().get('V'));
    }

    /** Waits past Multimed, so that its connections are not affected. */
    private static void awaitSleeping(RunningMultimed multimed, int triggers) throws IOException {
        try (WireSession master = WireSession.open(multimed.master(), "postgres", "postgres", PATIENCE)) {
            RunningMultimed.await(
                    () -> sleeping(master) == triggers + 1, "a statement and " + triggers + " commits that sleep");
        }
    }

    private static int sleeping(WireSession master) {
        try {
            return Integer.parseInt(master.value("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static WireSession open(RunningMultimed multimed) throws IOException {
        return WireSession.open(multimed.address(), "postgres", "postgres", PATIENCE);
    }

    private static void kill(long pid) throws Exception {
        Process kill = new ProcessBuilder("kill", "-KILL", Long.toString(pid))
                .inheritIO()
                .start();
        assertEquals(0, kill.waitFor());
    }
}
