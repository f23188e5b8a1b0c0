package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.endpoint.pg.config.EndpointLimits;
import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Prepared statements of all clients take at most the configured memory, not a multiple of it. */
@Timeout(120)
@Tag("slow")
class PreparedMemoryTest {
    private static final long MOST = 4 << 20;
    private static final int AT_ONCE = 500;
    private static final int PER_SESSION = 10_000;

    @RegisterExtension
    private static final EndpointOnOneEngine multimed = new EndpointOnOneEngine(options -> options.withLimits(
            options.limits().withPrepared(new EndpointLimits.Prepared(PER_SESSION, 1_000, 4 << 20, MOST))));

    private final List<WireSession> clients = new ArrayList<>();

    @BeforeEach
    void connect() throws IOException {
        try (WireSession first = multimed.open()) {
            prepare(first, 0);
        }
    }

    @AfterEach
    void disconnect() throws IOException {
        for (WireSession client : clients) {
            client.close();
        }
    }

    /** @return number of prepared statements */
    private static int prepare(WireSession client, int from) throws IOException {
        byte[][] messages = new byte[AT_ONCE + 1][];
        for (int i = 0; i < AT_ONCE; i++) {
            messages[i] = FrontendBytes.parse("s" + (from + i), "SELECT " + client.pid() + ", " + (from + i));
        }
        messages[AT_ONCE] = FrontendBytes.sync();
        client.send(messages);
        List<Message> answer = client.ready();
        long complete = answer.stream().filter(message -> message.type() == '1').count();
        if (complete < AT_ONCE) {
            assertEquals("53200", answer.get((int) complete).sqlState());
        }
        return (int) complete;
    }

    /** Prepares as many different statements as fit. */
    private int fill() throws IOException {
        int all = 0;
        while (true) {
            WireSession client = multimed.open();
            clients.add(client);
            for (int i = 0; i < PER_SESSION; i += AT_ONCE) {
                int prepared = prepare(client, i);
                all += prepared;
                if (prepared < AT_ONCE) {
                    return all;
                }
            }
        }
    }

    private static long usedHeap() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            System.gc();
            least = Math.min(
                    least,
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        return least;
    }

    @Test
    void isWhatTheyMayTake() throws IOException {
        long before = usedHeap();
        int statements = fill();
        long taken = usedHeap() - before;
        assertTrue(statements > 1_000, "only " + statements + " statements");
        assertTrue(taken < 3 * MOST, statements + " statements take " + taken + " bytes");
    }

    @Test
    void isThereAgainWhenTheirClientsHaveGone() throws IOException {
        int first = fill();
        disconnect();
        clients.clear();
        int again = fill();
        assertTrue(again >= first - AT_ONCE, first + " statements, then " + again);
    }

    @Test
    void leavesRoomForStatementsWithoutNames() throws IOException {
        fill();
        try (WireSession other = multimed.open()) {
            other.send(
                    FrontendBytes.parse("", "SELECT 'without a name'"),
                    FrontendBytes.bind("", ""),
                    FrontendBytes.execute("", 0),
                    FrontendBytes.sync());
            assertEquals("12DCZ", Message.types(other.ready()));
        }
    }

    /** The same statements of many clients take little more memory than those of one. */
    @Test
    void isSharedByThoseWhoPrepareTheSame() throws IOException {
        for (int c = 0; c < 20; c++) {
            WireSession client = multimed.open();
            clients.add(client);
            byte[][] messages = new byte[1_501][];
            for (int i = 0; i < 1_500; i++) {
                messages[i] = FrontendBytes.parse("s" + i, "SELECT " + i);
            }
            messages[1_500] = FrontendBytes.sync();
            client.send(messages);
            assertEquals("1".repeat(1_500) + "Z", Message.types(client.ready()));
        }
    }
}
