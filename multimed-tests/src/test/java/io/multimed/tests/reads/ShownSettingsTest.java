package io.multimed.tests.reads;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.RunningMultimed;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Nodes have different settings, but for its clients Multimed is one server. */
class ShownSettingsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final RunningMultimed multimed = RunningMultimed.shared();

    @Test
    void areTheMastersInAReadOnlyBlockToo() throws Exception {
        try (WireSession master = WireSession.open(multimed.master(), "postgres", "postgres", PATIENCE);
                WireSession client = WireSession.open(multimed.address(), "postgres", "postgres", PATIENCE)) {
            List<String> names = master.rows("SELECT name FROM pg_settings ORDER BY name").stream()
                    .map(List::getFirst)
                    .toList();
            assertEquals(inReadOnlyBlocks(master, names), inReadOnlyBlocks(client, names));
        }
    }

    /** The session's own values are shown anywhere, so a block with a snapshot on a Satellite need not be refused. */
    @Test
    void areTheSessionsOwnIfItHasSetThem() throws Exception {
        try (WireSession client = WireSession.open(multimed.address(), "postgres", "postgres", PATIENCE)) {
            client.rows("SET work_mem = '5MB'");
            client.rows("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
            client.rows("SELECT 1");
            assertEquals("5MB", client.value("SHOW work_mem"));
            client.rows("SET LOCAL random_page_cost = 7");
            assertEquals("7", client.value("SHOW random_page_cost"));
            client.rows("COMMIT");
        }
    }

    private static Map<String, String> inReadOnlyBlocks(WireSession session, List<String> names) throws IOException {
        Map<String, String> shown = new TreeMap<>();
        for (String name : names) {
            session.rows("BEGIN READ ONLY");
            for (Message message : session.query("SHOW " + name)) {
                if (message.type() == 'D' || message.type() == 'E') {
                    shown.put(name, message.toString());
                }
            }
            session.rows("ROLLBACK");
        }
        return shown;
    }
}
