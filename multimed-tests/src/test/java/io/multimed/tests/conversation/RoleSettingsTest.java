package io.multimed.tests.conversation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.RunningMultimed;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What roles and databases set for their sessions holds for whoever connects once it is committed, though engine connections
 * of the same kind are open on all nodes that were begun before.
 */
class RoleSettingsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int CHANGES = 20;

    private final List<WireSession> before = new ArrayList<>();

    @BeforeEach
    void connectionsAreOpenOnAllNodes() throws Exception {
        try (WireSession owner = owner()) {
            for (String sql : List.of(
                    "CREATE ROLE tenant LOGIN",
                    "CREATE DATABASE tenants",
                    "GRANT CREATE ON DATABASE tenants TO tenant")) {
                owner.rows(sql);
            }
        }
        try (WireSession tenant = tenant()) {
            for (int i = 0; i <= CHANGES; i++) {
                tenant.rows("CREATE SCHEMA s" + i + "; CREATE TABLE s" + i + ".who AS SELECT " + i + " AS schema");
            }
        }
        for (int i = 0; i < 8; i++) {
            WireSession session = tenant();
            before.add(session);
            session.rows("SELECT schema FROM s0.who");
            session.rows("UPDATE s0.who SET schema = 0");
        }
    }

    @AfterEach
    void leave() throws Exception {
        for (WireSession session : before) {
            session.close();
        }
        try (WireSession owner = owner()) {
            owner.rows("DROP DATABASE tenants");
            owner.rows("DROP ROLE tenant");
        }
    }

    private static WireSession owner() throws IOException {
        return open(RunningMultimed.shared().address(), "postgres", "postgres");
    }

    private static WireSession tenant() throws IOException {
        return open(RunningMultimed.shared().address(), "tenant", "tenants");
    }

    private static WireSession open(ServerAddress address, String user, String database) throws IOException {
        return WireSession.open(address, user, database, PATIENCE);
    }

    @Test
    void holdForEveryReadOfWhoeverConnectsBehindTheCommit() throws Exception {
        try (WireSession owner = owner()) {
            for (int i = 1; i <= CHANGES; i++) {
                owner.rows(
                        switch (i % 3) {
                            case 0 -> "ALTER ROLE tenant IN DATABASE tenants SET search_path = s" + i;
                            case 1 ->
                                "DO 'BEGIN ALTER ROLE tenant IN DATABASE tenants SET search_path = s" + i + "; END'";
                            default ->
                                "BEGIN; ALTER ROLE tenant IN DATABASE tenants SET search_path = s" + i + "; COMMIT";
                        });
                try (WireSession session = tenant()) {
                    for (int read = 0; read < 5; read++) {
                        assertEquals("" + i, session.value("SELECT schema FROM who"));
                        assertTrue(session.value("SHOW multimed.route").startsWith("satellite"));
                    }
                    session.rows("UPDATE who SET schema = schema");
                    assertEquals("s" + i, session.value("SHOW search_path"));
                }
            }
        }
    }

    @Test
    void holdWhateverFreshnessTheClientChooses() throws Exception {
        try (WireSession owner = owner()) {
            for (int i = 1; i <= CHANGES; i++) {
                owner.rows("ALTER ROLE tenant SET search_path = s" + i);
                try (WireSession session = tenant()) {
                    session.rows("SET multimed.freshness = '" + (i % 2 == 0 ? "session" : "eventual") + "'");
                    assertEquals("" + i, session.value("SELECT schema FROM who"));
                }
            }
        }
    }

    @Test
    void holdAlsoWhenTheyWereSetPastMultimed() throws Exception {
        try (WireSession owner = open(RunningMultimed.shared().master(), "postgres", "postgres")) {
            for (int i = 1; i <= CHANGES; i++) {
                owner.rows("ALTER ROLE tenant SET search_path = s" + i);
                try (WireSession session = tenant()) {
                    assertEquals("" + i, session.value("SELECT schema FROM who"));
                }
            }
        }
    }

    @Test
    void ofIsolationDecideWhereReadsRun() throws Exception {
        try (WireSession owner = owner()) {
            owner.rows("ALTER ROLE tenant SET default_transaction_isolation = 'serializable'");
            try (WireSession session = tenant()) {
                assertEquals("0", session.value("SELECT schema FROM s0.who"));
                assertTrue(session.value("SHOW multimed.route").startsWith("master"));
            }
            owner.rows("ALTER ROLE tenant RESET default_transaction_isolation");
            try (WireSession session = tenant()) {
                assertEquals("0", session.value("SELECT schema FROM s0.who"));
                assertTrue(session.value("SHOW multimed.route").startsWith("satellite"));
            }
        }
    }

    @Test
    void leaveThoseAloneWhoWereConnected() throws Exception {
        try (WireSession owner = owner()) {
            owner.rows("ALTER ROLE tenant SET search_path = s1");
        }
        for (WireSession session : before) {
            assertEquals("\"$user\", public", session.value("SHOW search_path"));
            assertEquals("0", session.value("SELECT schema FROM s0.who"));
        }
    }
}
