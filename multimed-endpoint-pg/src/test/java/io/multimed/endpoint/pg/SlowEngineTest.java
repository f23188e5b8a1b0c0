package io.multimed.endpoint.pg;

import static io.multimed.testkit.wire.FrontendBytes.bind;
import static io.multimed.testkit.wire.FrontendBytes.copyData;
import static io.multimed.testkit.wire.FrontendBytes.copyDone;
import static io.multimed.testkit.wire.FrontendBytes.execute;
import static io.multimed.testkit.wire.FrontendBytes.parse;
import static io.multimed.testkit.wire.FrontendBytes.query;
import static io.multimed.testkit.wire.FrontendBytes.sync;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Bytes that an engine does not accept yet are not read from its client either, so that no memory holds them. */
@Timeout(60)
@Tag("slow")
class SlowEngineTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration QUIET = Duration.ofMillis(500);
    /** More bytes than the kernel keeps in sockets. */
    private static final long FLOOD = 64 << 20;

    private static final String VALUE = "x".repeat(10_000);
    private static final byte[] LINE = copyData((VALUE + "\n").getBytes(StandardCharsets.US_ASCII));

    @RegisterExtension
    private final EndpointOnOneEngine multimed = new EndpointOnOneEngine(
            options -> options.withLimits(options.limits().withConnections(1, 1)));

    private WireSession locker;
    private WireSession session;

    @BeforeEach
    void start() throws Exception {
        session = open(multimed.address());
        session.rows("CREATE TABLE t (s text)");
        locker = open(multimed.engine.unix());
        locker.rows("BEGIN; LOCK TABLE t");
    }

    @AfterEach
    void stop() throws Exception {
        locker.close();
        session.close();
    }

    @Test
    void copyDataIsTakenAsTheEngineTakesIt() throws IOException {
        session.send(query("COPY t FROM STDIN"));
        long lines = floodAndUnlock(LINE);
        session.send(copyDone());
        assertEquals('Z', session.ready().getLast().type());
        assertEquals(Long.toString(lines), session.value("SELECT count(*) FROM t"));
    }

    @Test
    void aLongPipelineIsTakenAsTheEngineTakesIt() throws IOException {
        byte[] insert = new FrontendBytes.Bytes()
                .bytes(bind("", "", VALUE))
                .bytes(execute("", 0))
                .toArray();
        session.send(parse("", "INSERT INTO t VALUES ($1)"));
        long inserts = floodAndUnlock(insert);
        session.send(sync());
        assertEquals('Z', session.ready().getLast().type());
        assertEquals(Long.toString(inserts), session.value("SELECT count(*) FROM t"));
    }

    @Test
    void theConnectionOfACopyThatFailedOnTheWayIsFreeForOthers() throws IOException {
        session.send(query("COPY t FROM STDIN"));
        long taken = session.client().flood(LINE, FLOOD, QUIET);
        session.cancel();
        assertEquals('E', session.ready().getFirst().type());
        sendRest(LINE, taken);
        try (WireSession other = open(multimed.address())) {
            assertEquals('Z', other.query("DO 'BEGIN END'").getLast().type());
        }
    }

    /** @return number of times the message was sent */
    private long floodAndUnlock(byte[] message) throws IOException {
        long taken = session.client().flood(message, FLOOD, QUIET);
        assertTrue(taken < FLOOD, () -> "took " + taken);
        locker.rows("COMMIT");
        sendRest(message, taken);
        return (taken + message.length - 1) / message.length;
    }

    /** Sends the rest of the message that was sent in part, if any. */
    private void sendRest(byte[] message, long taken) throws IOException {
        int begun = (int) (taken % message.length);
        if (begun > 0) {
            session.send(Arrays.copyOfRange(message, begun, message.length));
        }
    }

    private static WireSession open(ServerAddress address) throws IOException {
        return WireSession.open(address, "postgres", "postgres", PATIENCE);
    }
}
