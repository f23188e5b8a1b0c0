package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Sockets that connect and send nothing. */
@Timeout(60)
@Tag("slow")
class SilentSocketsTest {
    private static final int MOST = 40;

    @RegisterExtension
    private final EndpointOnOneEngine multimed = new EndpointOnOneEngine(
            options -> options.withLimits(options.limits().withClients(MOST)));

    private final List<SocketChannel> silent = new ArrayList<>();

    @AfterEach
    void close() throws IOException {
        for (SocketChannel socket : silent) {
            socket.close();
        }
    }

    @Test
    void theOldestMakeWayAndNobodyWhoSpeaksIsKeptOut() throws Exception {
        try (WireSession before = multimed.open()) {
            connect(1_000);
            try (WireSession behind = multimed.open()) {
                assertEquals("1", behind.value("SELECT 1"));
            }
            assertEquals("1", before.value("SELECT 1"));
            EndpointTest.await(() -> silent.stream().limit(1_000 - MOST).allMatch(SilentSocketsTest::isClosed));
            assertTrue(silent.subList(1_000 - MOST / 2, 1_000).stream().noneMatch(SilentSocketsTest::isClosed));
        }
    }

    @Test
    void allAreEndedByTheTimeForAuthentication() throws Exception {
        multimed.restartEndpoint(
                options -> options.withTimeouts(options.timeouts().withAuthentication(Duration.ofSeconds(2))));
        connect(300);
        try (WireSession session = multimed.open()) {
            EndpointTest.await(() -> silent.stream().allMatch(SilentSocketsTest::isClosed));
            assertEquals("1", session.value("SELECT 1"));
        }
    }

    private void connect(int sockets) throws IOException {
        for (int i = 0; i < sockets; i++) {
            SocketChannel socket = SocketChannel.open(multimed.address().socketAddress());
            socket.configureBlocking(false);
            silent.add(socket);
        }
    }

    private static boolean isClosed(SocketChannel socket) {
        try {
            return socket.read(ByteBuffer.allocate(1)) < 0;
        } catch (IOException reset) {
            return true;
        }
    }
}
