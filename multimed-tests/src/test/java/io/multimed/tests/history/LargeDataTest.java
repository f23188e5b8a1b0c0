package io.multimed.tests.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.MultimedProcess;
import io.multimed.tests.server.PlainServer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Data that no memory of the middleware could hold, beside the workload whose history is checked.
 *
 * <p>{@code -Dmultimed.large.copy=2048} copies so many megabytes, {@code -Dmultimed.large.row=953} stores a row of so many,
 * which may be 953 at most: a message has 1 GB.
 */
@Isolated("needs the processor for itself")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(1800)
@Tag("slow")
class LargeDataTest {
    private static final int MB = 1 << 20;
    private static final int COPY = Integer.getInteger("multimed.large.copy", 24);
    private static final int ROW = Integer.getInteger("multimed.large.row", 16);
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final int LINE = 1024;
    /** Number of lines in one message. */
    private static final int LINES = 256;

    /** Size of a row in MB from which on the machine is assumed to have memory for anything. */
    private static final int LONG_ROW = 500;

    private static final List<String> TOO_LONG = List.of(
            "SELECT repeat('x', 1073741823)",
            "SELECT repeat('x', 1073741820)",
            "SELECT repeat('xy', 1073741823)",
            "SELECT lpad('x', 1073741823)",
            "INSERT INTO long SELECT repeat('x', 1073741823)");
    /** Statements each of which takes a gigabyte before it fails. */
    private static final List<String> TOO_LONG_AND_LARGE = Stream.concat(
                    TOO_LONG.stream(),
                    Stream.of(
                            "SELECT string_agg(v, '') FROM (SELECT repeat('x', 100000000) AS v"
                                    + " FROM generate_series(1, 11)) AS t",
                            "SELECT v, v, v, v, v, v, v, v, v, v, v"
                                    + " FROM (SELECT repeat('x', 100000000) AS v OFFSET 0) AS t",
                            "SELECT array_agg(v) FROM (SELECT repeat('x', 100000000) AS v"
                                    + " FROM generate_series(1, 11)) AS t"))
            .toList();

    private BesideHistory beside;

    @BeforeAll
    void start() throws Exception {
        // There is one Satellite, since each holds all of the data in memory.
        beside = BesideHistory.start("history_of_large", 1);
    }

    @AfterAll
    void stop() throws Exception {
        beside.end();
    }

    /** A digest of lines in any order. */
    private static final class Digest {
        private long lines;
        private long sum;

        void line(byte[] bytes, int offset, int length) {
            CRC32C crc = new CRC32C();
            crc.update(bytes, offset, length);
            lines++;
            sum += crc.getValue();
        }

        @Override
        public String toString() {
            return lines + " lines, " + sum;
        }
    }

    @Test
    void copiesOfAnySizeGoInAndOut() throws Exception {
        beside.campaign("large_copy", database -> {
            try (WireSession session = open(beside.multimed().address(), database)) {
                session.rows("CREATE TABLE copied (v text)");
                Digest sent = new Digest();
                copyIn(session, sent);
                assertTrue(sent.lines * LINE >= (long) COPY * MB, sent::toString);
                assertEquals(sent.toString(), copyOut(session).toString(), "what COPY gives back");
                MiddlewareFaultsTest.awaitSatellites(beside.multimed(), database);
                assertEquals(sent.toString(), rows(session).toString(), "what a SELECT returns");
                String route = session.value("SHOW multimed.route");
                assertTrue(route.startsWith("satellite"), route);
                System.out.println("copied in and out: " + sent + ", " + COPY + " MB, "
                        + beside.multimed().memory());
            }
        });
    }

    private void copyIn(WireSession session, Digest digest) throws IOException {
        Random random = new Random(beside.seed());
        byte[] chunk = new byte[LINES * LINE];
        session.send(FrontendBytes.query("COPY copied FROM STDIN"));
        session.client().readUntil("G");
        for (long done = 0; done < (long) COPY * MB; done += chunk.length) {
            for (int i = 0; i < LINES; i++) {
                for (int j = i * LINE; j < (i + 1) * LINE - 1; j += 8) {
                    long bits = random.nextLong();
                    for (int k = 0; k < 8 && j + k < (i + 1) * LINE - 1; k++) {
                        chunk[j + k] = (byte) ('a' + (bits >>> (8 * k) & 15));
                    }
                }
                chunk[(i + 1) * LINE - 1] = '\n';
                digest.line(chunk, i * LINE, LINE - 1);
            }
            session.send(FrontendBytes.copyData(chunk));
        }
        session.send(FrontendBytes.copyDone());
        assertEquals("CZ", Message.types(session.ready()));
    }

    private static Digest copyOut(WireSession session) throws IOException {
        Digest digest = new Digest();
        session.send(FrontendBytes.query("COPY copied TO STDOUT"));
        Message message;
        do {
            message = session.client().read();
            if (message.type() == 'd') {
                digest.line(message.body(), 0, message.body().length - 1);
            }
        } while (message.type() != 'Z');
        return digest;
    }

    private static Digest rows(WireSession session) throws IOException {
        Digest digest = new Digest();
        session.send(FrontendBytes.query("SELECT v FROM copied"));
        Message message;
        do {
            message = session.client().read();
            if (message.type() == 'D') {
                digest.line(message.body(), 6, message.body().length - 6);
            }
        } while (message.type() != 'Z');
        return digest;
    }

    @Test
    void rowAsLongAsAMessageMayBeIsStoredAndRead() throws Exception {
        beside.campaign("large_row", database -> {
            try (WireSession session = open(beside.multimed().address(), database)) {
                session.rows("CREATE SCHEMA apart; CREATE TABLE apart.large (a text, b text);"
                        + " ALTER TABLE apart.large ALTER a SET STORAGE EXTERNAL, ALTER b SET STORAGE EXTERNAL;"
                        + " CREATE TABLE stored (i int)");
                int half = ROW * (MB / 2);
                CRC32C stored = new CRC32C();
                store(session, half, stored);
                session.rows("INSERT INTO stored VALUES (1)");
                MiddlewareFaultsTest.awaitSatellites(beside.multimed(), database);
                // The first read is from the Master, the second one from a Satellite.
                session.rows("BEGIN");
                assertEquals(stored.getValue(), read(session));
                session.rows("COMMIT");
                assertEquals(stored.getValue(), read(session));
                String route = session.value("SHOW multimed.route");
                assertTrue(route.startsWith("satellite"), route);
                Set<String> digests = new HashSet<>();
                for (MultimedProcess.Node node : beside.multimed().nodes()) {
                    try (WireSession engine = open(node.address(), database)) {
                        digests.add(engine.value("SELECT md5(a) || md5(b) FROM apart.large"));
                    }
                }
                assertEquals(1, digests.size(), digests::toString);
                System.out.println("row of 2 * " + half + " bytes stored and read, "
                        + beside.multimed().memory());
            }
        });
    }

    /** Sends a Bind of that length, and executes it. */
    private static void store(WireSession session, int half, CRC32C digest) throws IOException {
        byte[] begin =
                new FrontendBytes.Bytes().int8(0).int8(0).int16(0).int16(2).toArray();
        session.send(
                FrontendBytes.parse("", "INSERT INTO apart.large VALUES ($1, $2)"),
                FrontendBytes.header('B', 4 + begin.length + 2 * (4 + half) + 2),
                begin);
        digest.update(new FrontendBytes.Bytes().int16(2).toArray());
        Random random = new Random(half);
        for (int value = 0; value < 2; value++) {
            byte[] length = new FrontendBytes.Bytes().int32(half).toArray();
            session.send(length);
            digest.update(length);
            byte[] piece = new byte[MB / 2];
            for (int sent = 0; sent < half; sent += piece.length) {
                for (int i = 0; i < piece.length; i++) {
                    piece[i] = (byte) ('a' + (random.nextInt() & 15));
                }
                session.send(piece);
                digest.update(piece);
            }
        }
        session.send(new FrontendBytes.Bytes().int16(0).toArray(), FrontendBytes.execute("", 0), FrontendBytes.sync());
        assertEquals("12CZ", Message.types(session.ready()));
    }

    /** @return the digest of the DataRow */
    private static long read(WireSession session) throws IOException {
        session.send(FrontendBytes.query("SELECT a, b FROM apart.large"));
        long found = -1;
        char type;
        do {
            CRC32C digest = new CRC32C();
            type = session.client().read((ByteBuffer piece) -> digest.update(piece));
            if (type == 'D') {
                found = digest.getValue();
            }
        } while (type != 'Z');
        return found;
    }

    /** The values are longer than a message or a value may be; each server makes them itself. */
    @Test
    void whatIsTooLongForPostgresqlIsRefusedInItsWords() throws Exception {
        beside.campaign("too_large", database -> {
            ServerAddress plain = PlainServer.get().unix();
            try (WireSession through = open(beside.multimed().address(), database);
                    WireSession alone = open(plain, "postgres")) {
                through.rows("CREATE TABLE long (v text)");
                alone.rows("CREATE TABLE long (v text)");
                List<WireSession> both = List.of(alone, through);
                for (String sql : ROW < LONG_ROW ? TOO_LONG : TOO_LONG_AND_LARGE) {
                    for (WireSession session : both) {
                        session.send(FrontendBytes.query(sql));
                    }
                    assertEquals(answer(alone.ready()), answer(through.ready()), sql);
                }
                assertEquals("0", through.value("SELECT count(*) FROM long"));
            } finally {
                try (WireSession owner = open(plain, "postgres")) {
                    owner.rows("DROP TABLE IF EXISTS long");
                }
            }
        });
    }

    private static String answer(List<Message> messages) {
        StringBuilder answer = new StringBuilder(Message.types(messages));
        messages.stream()
                .filter(message -> message.type() == 'E')
                .map(Message::fields)
                .forEach(fields -> answer.append(' ')
                        .append(fields.get('C'))
                        .append(' ')
                        .append(fields.get('M'))
                        .append(' ')
                        .append(fields.get('D')));
        assertTrue(answer.indexOf("E") >= 0, () -> "no error: " + answer);
        return answer.toString();
    }

    private static WireSession open(ServerAddress address, String database) throws IOException {
        return WireSession.open(address, "postgres", database, PATIENCE);
    }
}
