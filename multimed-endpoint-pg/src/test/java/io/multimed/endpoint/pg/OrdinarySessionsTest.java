package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.endpoint.pg.session.ShortWay;
import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A plain read takes the short way only if the session is in its ordinary state. Random conversations with a real engine compare the
 * way of a read with the state that the client knows: the transaction status that the server reports, and the features in use.
 */
@Timeout(120)
class OrdinarySessionsTest {
    private static final int CONVERSATIONS = 60;
    private static final int STATEMENTS = 25;
    private static final String READ = "SELECT 1";

    @RegisterExtension
    private static final EndpointOnOneEngine multimed = new EndpointOnOneEngine();

    /** A feature that keeps state between units, with statements that begin and end its use. */
    private enum Feature {
        TEMPORARY_TABLE("CREATE TEMP TABLE IF NOT EXISTS temporary (i int)", "DISCARD TEMP"),
        READS_ON_MASTER("SET multimed.reads = 'master'", "RESET multimed.reads"),
        SNAPSHOT_PER_TRANSACTION("SET multimed.snapshot = 'transaction'", "RESET multimed.snapshot"),
        SERIALIZABLE("SET default_transaction_isolation = 'serializable'", "RESET default_transaction_isolation"),
        LOCK("SELECT pg_advisory_lock(7)", "SELECT pg_advisory_unlock_all()"),
        CURSOR("DECLARE held CURSOR WITH HOLD FOR SELECT 1", "CLOSE held");

        private final String begin;
        private final String end;

        Feature(String begin, String end) {
            this.begin = begin;
            this.end = end;
        }
    }

    private static final String DISCARD = "DISCARD ALL";
    private static final String BACK = "ROLLBACK TO here";
    /** Statements that bring features into use only as long as a transaction block is open, or not at all. */
    private static final List<String> OTHERS = List.of(
            "BEGIN",
            "BEGIN READ ONLY",
            "BEGIN ISOLATION LEVEL REPEATABLE READ",
            "COMMIT",
            "COMMIT",
            "ROLLBACK",
            "SAVEPOINT here",
            BACK,
            "INSERT INTO written VALUES (1)",
            "SELECT count(*) FROM written",
            "SELECT 1 / 0",
            "SET LOCAL work_mem = '1MB'",
            "SET application_name = 'someone'",
            "SET search_path = public",
            "PREPARE one AS SELECT 1",
            "EXECUTE one",
            "DEALLOCATE one",
            DISCARD);

    @BeforeAll
    static void createTable() throws IOException {
        try (WireSession session = multimed.open()) {
            session.rows("CREATE TABLE written (i int)");
        }
    }

    @Test
    void aReadTakesTheShortWayOnlyInASessionThatKeepsNothing() throws Exception {
        Set<Feature> seen = EnumSet.noneOf(Feature.class);
        int shortWays = 0;
        for (int seed = 1; seed <= CONVERSATIONS; seed++) {
            // The session of an earlier client must be gone, since the way of any session's read counts.
            EndpointTest.await(() -> multimed.endpoint.clients() == 0);
            try (Conversation conversation = new Conversation(seed)) {
                for (int i = 0; i < STATEMENTS; i++) {
                    try {
                        conversation.goOn();
                        shortWays += conversation.read() ? 1 : 0;
                    } catch (IOException e) {
                        throw new IOException(conversation.said.toString(), e);
                    }
                    seen.addAll(conversation.inUse);
                }
            }
        }
        assertEquals(EnumSet.allOf(Feature.class), seen, "the conversations have used every feature");
        assertTrue(
                shortWays > CONVERSATIONS, "the conversations have reached the ordinary state " + shortWays + " times");
    }

    private static boolean hasTakenShortWay() {
        return multimed.endpoint.loops().stream()
                .anyMatch(loop -> loop.loop()
                        .submit(() -> loop.clients().keySet().stream().anyMatch(ShortWay::wasTaken))
                        .syncUninterruptibly()
                        .getNow());
    }

    /** A random conversation, and the state that its client knows. */
    private static final class Conversation implements AutoCloseable {
        private final SplittableRandom random;
        private final WireSession session = multimed.open();
        private final List<String> said = new ArrayList<>();
        /** The features that are certainly in use. */
        private final Set<Feature> inUse = EnumSet.noneOf(Feature.class);
        /** The features that the end of the block brings into use, if it commits. */
        private final Set<Feature> begun = EnumSet.noneOf(Feature.class);

        private byte status = 'I';

        Conversation(int seed) throws IOException {
            random = new SplittableRandom(seed);
            said.add("seed " + seed);
        }

        /** Sends a random statement, or messages that make a portal and no Sync. */
        void goOn() throws IOException {
            int choice = random.nextInt(2 * Feature.values().length + OTHERS.size() + 2);
            if (choice < Feature.values().length) {
                begin(Feature.values()[choice]);
            } else if (choice < 2 * Feature.values().length) {
                end(Feature.values()[choice - Feature.values().length]);
            } else if (choice - 2 * Feature.values().length < OTHERS.size()) {
                other(OTHERS.get(choice - 2 * Feature.values().length));
            } else if (status != 'E') {
                readWithinSegment();
            }
        }

        private void begin(Feature feature) throws IOException {
            if (succeeds(feature.begin)) {
                (status == 'I' ? inUse : begun).add(feature);
            }
        }

        private void end(Feature feature) throws IOException {
            if (succeeds(feature.end)) {
                inUse.remove(feature);
                begun.remove(feature);
            }
        }

        private void other(String sql) throws IOException {
            boolean wasOpen = status != 'I';
            boolean succeeds = succeeds(sql);
            if (succeeds && sql.equals(DISCARD)) {
                inUse.clear();
            } else if (sql.equals(BACK)) {
                begun.clear();
            } else if (wasOpen && status == 'I') {
                if (sql.equals("COMMIT") && said.getLast().endsWith("COMMIT")) {
                    inUse.addAll(begun);
                }
                begun.clear();
            }
        }

        private void readWithinSegment() throws IOException {
            said.add("a portal without Sync");
            // A block keeps its portals.
            String portal = "portal" + said.size();
            session.send(FrontendBytes.parse("", READ), FrontendBytes.bind(portal, ""), FrontendBytes.flush());
            session.client().readUntil("2");
            session.query(READ);
            assertFalse(hasTakenShortWay(), () -> said + ", a read within the segment");
            session.send(FrontendBytes.sync());
            session.ready();
        }

        /** Executes a plain read, and compares its way with the state. */
        boolean read() throws IOException {
            session.query(READ);
            boolean taken = hasTakenShortWay();
            if (status != 'I' || !inUse.isEmpty()) {
                assertFalse(taken, () -> said + ", status " + (char) status + ", in use " + inUse);
            }
            return taken;
        }

        private boolean succeeds(String sql) throws IOException {
            List<Message> reply = session.query(sql);
            status = reply.getLast().body()[0];
            boolean succeeds = reply.stream().noneMatch(message -> message.type() == 'E');
            String tag = reply.stream()
                    .filter(message -> message.type() == 'C')
                    .map(message -> Message.string(message.reader()))
                    .findFirst()
                    .orElse("an error");
            said.add(sql + " -> " + tag);
            return succeeds;
        }

        @Override
        public void close() throws IOException {
            session.close();
        }
    }
}
