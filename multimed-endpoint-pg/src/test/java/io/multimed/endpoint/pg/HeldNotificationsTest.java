package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Notifications that wait for clients count among the bytes that all clients together may make the endpoint hold. */
@Timeout(60)
@Tag("slow")
class HeldNotificationsTest {
    private static final Duration A_MOMENT = Duration.ofMillis(300);
    private static final int MOST = 1 << 20;
    private static final int LISTENERS = 10;
    private static final int NOTIFICATIONS = 20;
    /** Length with which all listeners together hold half as much again as allowed. */
    private static final int PAYLOAD = MOST * 3 / 2 / LISTENERS / NOTIFICATIONS;

    @RegisterExtension
    private static final EndpointOnOneEngine multimed = new EndpointOnOneEngine(
            options -> options.withLimits(options.limits().withHeldBytes(MOST)));

    @Test
    void thoseWhoHaveMostNotificationsWaitingAreClosedWhenThereAreTooManyOfAll() throws Exception {
        List<WireSession> listeners = new ArrayList<>();
        try (WireSession sender = multimed.open()) {
            for (int i = 0; i < LISTENERS; i++) {
                WireSession listener = multimed.open();
                listeners.add(listener);
                listener.rows("LISTEN news");
                // Within a block notifications are not delivered.
                listener.rows("BEGIN");
                listener.rows("SELECT 1");
            }
            for (int i = 0; i < NOTIFICATIONS; i++) {
                sender.rows("NOTIFY news, '" + i + "x".repeat(PAYLOAD) + "'");
            }
            EndpointTest.await(() -> multimed.endpoint.clients() <= 1 + LISTENERS * 2 / 3);
            int closed = 0;
            for (WireSession listener : listeners) {
                Message told = listener.client().poll(A_MOMENT);
                if (told == null) {
                    assertEquals(NOTIFICATIONS, heardBehindCommit(listener));
                } else {
                    assertEquals("53200", told.sqlState());
                    closed++;
                }
            }
            assertTrue(closed >= LISTENERS / 3 && closed < LISTENERS, "closed " + closed);
            assertEquals("1", sender.value("SELECT 1"));
        } finally {
            for (WireSession listener : listeners) {
                listener.close();
            }
        }
    }

    private static int heardBehindCommit(WireSession listener) throws Exception {
        List<Message> told = new ArrayList<>(listener.query("COMMIT"));
        told.addAll(listener.query("SELECT 1"));
        return (int) told.stream().filter(message -> message.type() == 'A').count();
    }
}
