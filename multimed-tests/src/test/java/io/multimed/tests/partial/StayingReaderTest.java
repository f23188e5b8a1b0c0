package io.multimed.tests.partial;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.RunningMultimed;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A block that stays open on a partial Satellite does not hold it up for ever. */
@Tag("slow")
@Timeout(120)
class StayingReaderTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int MOST_BLOCKS = 200;

    @Test
    void aBlockThatHasReadAnEmptiedTableFailsAndTheSatelliteGoesOn() throws Exception {
        try (RunningMultimed multimed = RunningMultimed.start(0, """
                [satellites.part]
                tables = ["public.register"]
                """);
                WireSession reader = WireSession.open(multimed.address(), "postgres", "postgres", PATIENCE);
                WireSession writer = WireSession.open(multimed.address(), "postgres", "postgres", PATIENCE)) {
            writer.rows("CREATE TABLE register (k int PRIMARY KEY)");
            writer.rows("INSERT INTO register VALUES (1)");
            RunningMultimed.await(
                    () -> multimed.node("part").state().equals("serving"), "the partial Satellite serving");
            beginOnPart(reader);
            writer.rows("TRUNCATE register");
            writer.rows("INSERT INTO register VALUES (2), (3)");
            String position = writer.value("SELECT (pg_current_wal_flush_lsn() - '0/0')::bigint");
            RunningMultimed.await(
                    () -> multimed.node("part").applied() >= Long.parseLong(position), "the Satellite past the reader");
            IOException failed = assertThrows(IOException.class, () -> reader.rows("SELECT k FROM register"));
            assertTrue(String.valueOf(failed.getMessage()).contains("40001"), failed::toString);
            reader.rows("ROLLBACK");
            assertEquals("2", reader.value("SELECT count(*) FROM register"));
        }
    }

    /** Repeats a block until it is known that it can begin on the Satellite. */
    private static void beginOnPart(WireSession reader) throws IOException {
        for (int i = 0; i < MOST_BLOCKS; i++) {
            reader.rows("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
            assertEquals("1", reader.value("SELECT count(*) FROM register"));
            if (reader.value("SHOW multimed.route").startsWith("part")) {
                return;
            }
            reader.rows("COMMIT");
        }
        throw new AssertionError("no block on the partial Satellite");
    }
}
