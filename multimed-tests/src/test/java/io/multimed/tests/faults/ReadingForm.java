package io.multimed.tests.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Forms in which a client reads while its Satellite may die, each with the check of its answers. */
enum ReadingForm {
    QUERY {
        @Override
        void ask(DeathsClient client) throws IOException {
            client.send(FrontendBytes.query(rows(this, ROWS, 9_000)));
            List<Message> answer = client.ready();
            assertRows(answer, ROWS, 9_000, client.isLoss(answer));
            assertEquals('I', DeathsClient.status(answer));
        }
    },
    EXTENDED {
        @Override
        void ask(DeathsClient client) throws IOException {
            client.send(
                    FrontendBytes.parse("", rows(this, ROWS, 9_000)),
                    FrontendBytes.bind("", ""),
                    FrontendBytes.describe('P', ""),
                    FrontendBytes.execute("", 0),
                    FrontendBytes.sync());
            List<Message> answer = client.ready();
            assertRows(answer, ROWS, 9_000, client.isLoss(answer));
            assertEquals('I', DeathsClient.status(answer));
        }
    },
    PIPELINED {
        @Override
        void ask(DeathsClient client) throws IOException {
            int units = 4;
            for (int unit = 0; unit < units; unit++) {
                String sql = rows(this, ROWS / 4, 9_000);
                if (client.random().nextBoolean()) {
                    client.send(FrontendBytes.query(sql));
                } else {
                    client.send(
                            FrontendBytes.parse("", sql),
                            FrontendBytes.bind("", ""),
                            FrontendBytes.execute("", 0),
                            FrontendBytes.sync());
                }
            }
            for (int unit = 0; unit < units; unit++) {
                List<Message> answer = client.ready();
                assertRows(answer, ROWS / 4, 9_000, client.isLossAmidPipeline(answer));
                assertEquals('I', DeathsClient.status(answer));
            }
        }
    },
    PIPELINED_BLOCK {
        @Override
        void ask(DeathsClient client) throws IOException {
            client.send(
                    FrontendBytes.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
                    FrontendBytes.query(rows(this, ROWS / 2, 9_000)),
                    FrontendBytes.query(rows(this, ROWS / 2, 9_000)),
                    FrontendBytes.query("COMMIT"));
            boolean lost = false;
            for (int unit = 0; unit < 4; unit++) {
                List<Message> answer = client.ready();
                boolean failed = client.isLossAmidPipeline(answer);
                lost |= failed;
                assertEquals(lost, failed, answer::toString);
                if (unit == 1 || unit == 2) {
                    assertRows(answer, ROWS / 2, 9_000, failed);
                }
                assertEquals(unit == 3 ? 'I' : lost ? 'E' : 'T', DeathsClient.status(answer));
            }
        }
    },
    PORTAL {
        @Override
        void ask(DeathsClient client) throws IOException {
            client.execute("BEGIN READ ONLY", "BEGIN");
            client.send(FrontendBytes.parse("", rows(this, ROWS, 100)), FrontendBytes.bind("p", ""));
            int seen = 0;
            while (true) {
                client.send(FrontendBytes.execute("p", 5), FrontendBytes.sync());
                List<Message> answer = client.ready();
                seen = assertConsecutive(answer, seen, 100);
                if (client.isLoss(answer)) {
                    client.rollsBack();
                    return;
                }
                assertEquals('T', DeathsClient.status(answer));
                if (answer.stream().noneMatch(m -> m.type() == 's')) {
                    break;
                }
            }
            assertEquals(ROWS, seen);
            commit(client);
        }
    },
    CURSOR {
        @Override
        void ask(DeathsClient client) throws IOException {
            client.execute("BEGIN READ ONLY", "BEGIN");
            client.send(FrontendBytes.query("DECLARE c CURSOR FOR " + rows(this, ROWS, 100)));
            List<Message> declared = client.ready();
            if (client.isLoss(declared)) {
                client.rollsBack();
                return;
            }
            int seen = 0;
            while (seen < ROWS) {
                client.send(FrontendBytes.query("FETCH 5 FROM c"));
                List<Message> answer = client.ready();
                seen = assertConsecutive(answer, seen, 100);
                if (client.isLoss(answer)) {
                    client.rollsBack();
                    return;
                }
            }
            commit(client);
        }
    },
    COPY {
        @Override
        void ask(DeathsClient client) throws IOException {
            client.send(FrontendBytes.query("COPY (" + rows(this, ROWS, 9_000) + ") TO STDOUT"));
            List<Message> answer = client.ready();
            boolean lost = client.isLoss(answer);
            int number = 0;
            for (Message message : answer) {
                if (message.type() == 'd') {
                    String line = new String(message.body(), StandardCharsets.US_ASCII);
                    assertTrue(line.startsWith(++number + "\t" + "x".repeat(9_000)), line);
                }
            }
            assertTrue(lost ? number < ROWS + 1 : number == ROWS, number + " rows");
            assertEquals('I', DeathsClient.status(answer));
        }
    },
    LONG_ROWS {
        @Override
        void ask(DeathsClient client) throws IOException {
            client.send(FrontendBytes.query(rows(this, ROWS, 200_000)));
            List<Message> answer = client.ready();
            assertRows(answer, ROWS, 200_000, client.isLoss(answer));
            assertEquals('I', DeathsClient.status(answer));
        }
    },
    IDLE_WITH_SNAPSHOT {
        @Override
        void ask(DeathsClient client) throws IOException {
            client.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", "BEGIN");
            for (int i = 0; i < 3; i++) {
                boolean simple = client.random().nextBoolean();
                if (simple) {
                    client.send(FrontendBytes.query("SELECT 'deaths'"));
                } else {
                    client.send(
                            FrontendBytes.parse("", "SELECT 'deaths'"),
                            FrontendBytes.bind("", ""),
                            FrontendBytes.execute("", 0),
                            FrontendBytes.sync());
                }
                List<Message> answer = client.ready();
                if (client.isLoss(answer)) {
                    assertEquals('E', DeathsClient.status(answer));
                    client.rollsBack();
                    return;
                }
                assertEquals(simple ? "TDCZ" : "12DCZ", Message.types(answer), answer::toString);
                assertEquals('T', DeathsClient.status(answer));
                client.thinks();
            }
            commit(client);
        }
    },
    READ_COMMITTED_BLOCK {
        @Override
        void ask(DeathsClient client) throws IOException {
            client.execute("BEGIN READ ONLY", "BEGIN");
            for (int i = 0; i < 3; i++) {
                client.send(FrontendBytes.query(rows(this, ROWS / 3, 9_000)));
                List<Message> answer = client.ready();
                boolean lost = client.isLoss(answer);
                assertRows(answer, ROWS / 3, 9_000, lost);
                if (lost) {
                    assertEquals('E', DeathsClient.status(answer));
                    client.rollsBack();
                    return;
                }
            }
            client.execute("COMMIT", "COMMIT");
        }
    },
    FLUSHED {
        @Override
        void ask(DeathsClient client) throws IOException {
            client.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", "BEGIN");
            client.send(
                    FrontendBytes.parse("", rows(this, ROWS, 9_000)),
                    FrontendBytes.bind("", ""),
                    FrontendBytes.execute("", 0),
                    FrontendBytes.flush(),
                    FrontendBytes.parse("never", "SELECT 1"),
                    FrontendBytes.sync());
            List<Message> answer = client.ready();
            boolean lost = client.isLoss(answer);
            assertRows(answer, ROWS, 9_000, lost);
            if (lost) {
                assertEquals('E', DeathsClient.status(answer));
                client.rollsBack();
            } else {
                client.send(FrontendBytes.close('S', "never"), FrontendBytes.sync());
                answer = client.ready();
                commit(client);
            }
        }
    };

    private static final int ROWS = 120;

    /** Reads once, and checks the answers. */
    abstract void ask(DeathsClient client) throws IOException;

    /** Returns a query for rows that come one by one, for a second or so. */
    private static String rows(ReadingForm form, int count, int length) {
        return "SELECT g, repeat('x', " + length + "), pg_sleep(0.01), '" + form + "' AS deaths"
                + " FROM generate_series(1, " + count + ") AS g";
    }

    private static void assertRows(List<Message> answer, int count, int length, boolean lost) {
        int seen = assertConsecutive(answer, 0, length);
        assertTrue(lost ? seen <= count : seen == count, seen + " rows");
        String types = Message.types(answer);
        assertEquals(lost ? 1 : 0, types.chars().filter(type -> type == 'E').count());
        assertEquals(!lost, types.contains("C"));
    }

    private static int assertConsecutive(List<Message> answer, int before, int length) {
        int number = before;
        for (Message message : answer) {
            if (message.type() == 'D') {
                List<String> row = message.texts();
                assertEquals(Integer.toString(++number), row.getFirst());
                assertEquals("x".repeat(length), row.get(1));
            }
        }
        return number;
    }

    /** Commits a block with a snapshot, which may be lost even now. */
    private static void commit(DeathsClient client) throws IOException {
        client.send(FrontendBytes.query("COMMIT"));
        List<Message> answer = client.ready();
        client.isLoss(answer);
        assertEquals('I', DeathsClient.status(answer));
    }
}
