package io.multimed.tests.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.PlainServer;
import io.multimed.tests.server.RunningMultimed;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/**
 * A client whose segment arrives in two parts, cut anywhere, has the same possibilities afterwards as with a whole segment: a
 * read only block that has read on a Satellite goes on on the Master.
 */
class PausedSegmentsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** A pause longer than Multimed waits for the rest of a segment before it sends the available part. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(30);

    private static final List<List<String>> OPENINGS =
            List.of(List.of("BEGIN READ ONLY"), List.of("BEGIN", "SET TRANSACTION READ ONLY"));
    private static final List<String> READS =
            List.of("SELECT 1", "SELECT count(*) FROM paused_rows", "SHOW transaction_read_only");
    /** A query that only the Master can answer. */
    private static final String OF_THE_MASTER = "SELECT last_value FROM paused_sequence";

    @Test
    void blockMovesToTheMasterBehindThem() throws Exception {
        ServerAddress plainAddress = PlainServer.get().unix();
        RunningMultimed multimed = RunningMultimed.shared();
        prepare(plainAddress);
        prepare(multimed.master());
        multimed.awaitSatellites("postgres");
        int moved = 0;
        try (WireSession plain = WireSession.open(plainAddress, "postgres", "postgres", PATIENCE);
                WireSession through = WireSession.open(multimed.address(), "postgres", "postgres", PATIENCE)) {
            for (List<String> opening : OPENINGS) {
                for (String read : READS) {
                    for (int cut = 1; cut <= 4; cut++) {
                        String what = opening + ", " + read + " cut behind message " + cut;
                        assertEquals(cut(plain, opening, read, cut), cut(through, opening, read, cut), what);
                        boolean onSatellite =
                                through.value("SHOW multimed.route").startsWith("satellite");
                        assertEquals(
                                Form.QUERY.answers(plain, List.of(OF_THE_MASTER)),
                                Form.QUERY.answers(through, List.of(OF_THE_MASTER)),
                                what);
                        moved += onSatellite ? 1 : 0;
                        plain.query("ROLLBACK");
                        through.query("ROLLBACK");
                    }
                }
            }
        }
        assertTrue(moved > 0, "no block was on a Satellite before");
    }

    private static String cut(WireSession session, List<String> opening, String read, int cut) throws IOException {
        String begun = Form.QUERY.answers(session, opening);
        List<byte[]> messages = List.of(
                FrontendBytes.parse("", read),
                FrontendBytes.bind("", ""),
                FrontendBytes.describe('P', ""),
                FrontendBytes.execute("", 0),
                FrontendBytes.sync());
        session.send(messages.subList(0, cut).toArray(byte[][]::new));
        LockSupport.parkNanos(PAUSE_NANOS);
        session.send(messages.subList(cut, messages.size()).toArray(byte[][]::new));
        List<Message> answers = new ArrayList<>();
        do {
            answers.add(session.client().read());
        } while (answers.getLast().type() != 'Z');
        return begun + Form.readable(answers);
    }

    private static void prepare(ServerAddress address) throws IOException {
        try (WireSession owner = WireSession.open(address, "postgres", "postgres", PATIENCE)) {
            owner.rows("CREATE TABLE paused_rows (i int)");
            owner.rows("CREATE SEQUENCE paused_sequence");
        }
    }
}
