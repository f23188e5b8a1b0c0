package io.multimed.tests.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.RunningMultimed;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * A commit that waits for the relay can be cancelled. Then PostgreSQL makes it visible although the relay has not received it.
 * No strong read may miss it all the same.
 */
@Isolated("stops a process of the master")
@Timeout(180)
@Tag("slow")
class CutWaitTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration A_MOMENT = Duration.ofMillis(300);

    private static RunningMultimed multimed;
    private WireSession master;
    private WireSession writer;
    private WireSession reader;
    private long walsender;

    @BeforeAll
    static void startMultimed() throws Exception {
        multimed = RunningMultimed.start(1);
    }

    @AfterAll
    static void endMultimed() throws Exception {
        if (multimed != null) {
            multimed.close();
        }
    }

    @BeforeEach
    void open() throws Exception {
        master = WireSession.open(multimed.master(), "postgres", "postgres", PATIENCE);
        writer = WireSession.open(multimed.address(), "postgres", "postgres", PATIENCE);
        reader = WireSession.open(multimed.address(), "postgres", "postgres", PATIENCE);
        writer.rows("DROP TABLE IF EXISTS kept");
        writer.rows("CREATE TABLE kept (i int)");
        multimed.awaitSatellites("postgres");
        assertReadOnSatellite(reader, "0");
        walsender = Long.parseLong(
                master.value("SELECT pid FROM pg_stat_replication WHERE application_name = 'multimed_relay'"));
        signal("STOP", walsender);
    }

    @AfterEach
    void close() throws Exception {
        signal("CONT", walsender);
        for (WireSession session : List.of(master, writer, reader)) {
            session.close();
        }
    }

    @Test
    void aCommitWhoseClientCancelsItsWaitIsNotMissed() throws Exception {
        writer.rows("BEGIN");
        writer.rows("INSERT INTO kept VALUES (1)");
        writer.send(FrontendBytes.query("COMMIT"));
        awaitCommitThatWaits();

        writer.cancel();

        assertVisibleToAll();
        assertToldWhenTheRelayHasReceivedIt("NCZ");
    }

    @Test
    void aStatementOfItsOwnWhoseWaitSomebodyCancelsIsNotMissed() throws Exception {
        writer.send(
                FrontendBytes.parse("", "INSERT INTO kept VALUES (1)"),
                FrontendBytes.bind("", ""),
                FrontendBytes.execute("", 0),
                FrontendBytes.sync());
        awaitCommitThatWaits();

        // The cancel request goes through Multimed, too.
        reader.rows("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'");

        assertVisibleToAll();
        assertToldWhenTheRelayHasReceivedIt("12CNZ");
    }

    @Test
    void aCommitWithinAProcedureIsNotMissed() throws Exception {
        writer.send(FrontendBytes.query("DO 'BEGIN INSERT INTO kept VALUES (1); COMMIT; PERFORM pg_sleep(60); END'"));
        awaitCommitThatWaits();

        writer.cancel();

        assertVisibleToAll();
        signal("CONT", walsender);
        RunningMultimed.await(
                () -> number(master, "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'") == 1,
                "the rest of the procedure");
        writer.cancel();
        List<Message> end = writer.ready();
        assertEquals("NEZ", Message.types(end));
        assertEquals("57014", end.get(1).sqlState());
    }

    @Test
    void aCommitWhoseSessionIsTerminatedIsNotMissed() throws Exception {
        terminateACommit();
        assertVisibleToAll();
        signal("CONT", walsender);
        assertOutcomeUnknown();
    }

    /** Only the end of its connection shows that the wait was cut. */
    @Test
    void aCommitWhoseSessionIsTerminatedUnwarnedIsNotMissed() throws Exception {
        writer.rows("SET client_min_messages = error");
        terminateACommit();
        assertOutcomeUnknown();
        assertVisibleToAll();
    }

    private void terminateACommit() throws Exception {
        writer.send(FrontendBytes.query("INSERT INTO kept VALUES (1)"));
        awaitCommitThatWaits();
        master.rows("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
    }

    private void assertOutcomeUnknown() throws IOException {
        List<Message> end = writer.client().readToEnd();
        assertEquals("08007", end.getLast().sqlState(), end::toString);
    }

    /** The engine does not even send a warning. */
    @Test
    void aCommitThatIsCancelledUnwarnedIsNotMissed() throws Exception {
        writer.rows("SET client_min_messages = error");
        writer.send(FrontendBytes.query("INSERT INTO kept VALUES (1)"));
        awaitCommitThatWaits();

        writer.cancel();

        assertEquals('C', writer.client().read().type());
        assertVisibleToAll();
        assertToldWhenTheRelayHasReceivedIt("Z");
    }

    @Test
    void warningsOfOtherKindsKeepNobodyFromTheSatellites() throws Exception {
        signal("CONT", walsender);
        writer.rows("DO 'BEGIN RAISE WARNING ''beware''; END'");
        for (int i = 0; i < 20; i++) {
            writer.send(FrontendBytes.query("DO 'BEGIN RAISE WARNING ''beware''; END'"));
            assertReadOnSatellite(reader, "0");
            assertEquals("NCZ", Message.types(writer.ready()));
        }
    }

    private void assertVisibleToAll() throws Exception {
        RunningMultimed.await(() -> count(master) == 1, "the commit to be visible on the master");
        assertEquals("1", reader.value("SELECT count(*) FROM kept"));
        try (WireSession later = WireSession.open(multimed.address(), "postgres", "postgres", PATIENCE)) {
            assertEquals("1", later.value("SELECT count(*) FROM kept"));
        }
    }

    private void assertToldWhenTheRelayHasReceivedIt(String answer) throws Exception {
        List<Message> told = new ArrayList<>();
        for (Message next = writer.client().poll(A_MOMENT);
                next != null;
                next = writer.client().poll(A_MOMENT)) {
            told.add(next);
        }
        assertTrue(
                Set.of('N', '1', '2', 'C')
                        .containsAll(told.stream().map(Message::type).toList()),
                told::toString);
        signal("CONT", walsender);
        told.addAll(writer.ready());
        assertEquals(answer, Message.types(told));
        assertEquals("1", writer.value("SELECT count(*) FROM kept"));
        assertNull(writer.client().poll(A_MOMENT));
        // After this everything is as before.
        assertReadOnSatellite(reader, "1");
        assertReadOnSatellite(writer, "1");
    }

    private static void assertReadOnSatellite(WireSession session, String count) throws IOException {
        assertEquals(count, session.value("SELECT count(*) FROM kept"));
        String route = session.value("SHOW multimed.route");
        assertTrue(route.startsWith("satellite"), route);
    }

    private void awaitCommitThatWaits() {
        RunningMultimed.await(
                () -> number(master, "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'") == 1,
                "a commit that waits for the relay");
        assertEquals(0, count(master));
    }

    private static int count(WireSession session) {
        return number(session, "SELECT count(*) FROM kept");
    }

    private static int number(WireSession session, String query) {
        try {
            return Integer.parseInt(session.value(query));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void signal(String signal, long pid) throws Exception {
        Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(pid))
                .inheritIO()
                .start();
        assertEquals(0, kill.waitFor());
    }
}
