package io.multimed.tests.conversation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.RunningMultimed;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * New connections have the roles, databases and their settings as committed last, though older engine connections of the same
 * kind are open on all nodes.
 */
@Tag("slow")
class ConnectingTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int CHANGES = 20;

    /** An instance of its own: other tests on a shared one would take the place of idle connections, and change catalogs. */
    private static RunningMultimed multimed;

    private final List<WireSession> before = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        multimed = RunningMultimed.start(2);
        multimed.awaitSatellites("postgres");
    }

    @AfterAll
    static void stop() throws Exception {
        multimed.close();
    }

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
        return open(multimed.address(), "postgres", "postgres");
    }

    private static WireSession tenant() throws IOException {
        return open(multimed.address(), "tenant", "tenants");
    }

    private static WireSession open(ServerAddress address, String user, String database) throws IOException {
        return WireSession.open(address, user, database, PATIENCE);
    }

    @Test
    void settingsHoldForEveryReadOfWhoeverConnectsBehindTheCommit() throws Exception {
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
                        assertShownByASatellite("" + i, session, "SELECT schema FROM who");
                    }
                    session.rows("UPDATE who SET schema = schema");
                    assertEquals("s" + i, session.value("SHOW search_path"));
                }
            }
        }
    }

    @Test
    void settingsHoldWhateverFreshnessTheClientChooses() throws Exception {
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
    void settingsHoldAlsoWhenTheyWereSetPastMultimed() throws Exception {
        try (WireSession owner = open(multimed.master(), "postgres", "postgres")) {
            for (int i = 1; i <= CHANGES; i++) {
                owner.rows("ALTER ROLE tenant SET search_path = s" + i);
                try (WireSession session = tenant()) {
                    assertEquals("" + i, session.value("SELECT schema FROM who"));
                }
            }
        }
    }

    @Test
    void settingsOfIsolationDecideWhereReadsRun() throws Exception {
        try (WireSession owner = owner()) {
            owner.rows("ALTER ROLE tenant SET default_transaction_isolation = 'serializable'");
            try (WireSession session = tenant()) {
                assertEquals("0", session.value("SELECT schema FROM s0.who"));
                assertTrue(session.value("SHOW multimed.route").startsWith("master"));
            }
            owner.rows("ALTER ROLE tenant RESET default_transaction_isolation");
            try (WireSession session = tenant()) {
                assertShownByASatellite("0", session, "SELECT schema FROM s0.who");
            }
        }
    }

    @Test
    void settingsLeaveThoseAloneWhoWereConnected() throws Exception {
        try (WireSession owner = owner()) {
            owner.rows("ALTER ROLE tenant SET search_path = s1");
        }
        for (WireSession session : before) {
            assertEquals("\"$user\", public", session.value("SHOW search_path"));
            assertEquals("0", session.value("SELECT schema FROM s0.who"));
        }
    }

    @Test
    void whatTheConfigurationFilesSetHoldsOnSatellitesTooSoonAfterItIsReloaded() throws Exception {
        try (WireSession owner = owner();
                WireSession session = tenant()) {
            session.rows("CREATE SCHEMA tenant; CREATE TABLE tenant.who AS SELECT -1 AS schema");
            try {
                for (int i = 1; i <= 2; i++) {
                    owner.rows("ALTER SYSTEM SET search_path = s" + i);
                    owner.rows("SELECT pg_reload_conf()");
                    awaitOnASatellite("" + i, session);
                    awaitOnASatellite("" + i, before.getFirst());
                }
            } finally {
                owner.rows("ALTER SYSTEM RESET search_path");
                owner.rows("SELECT pg_reload_conf()");
            }
            awaitOnASatellite("-1", session);
        }
    }

    @Test
    void whoMayNoLongerConnectIsRefusedByTheEngine() throws Exception {
        try (WireSession owner = owner()) {
            owner.rows("CREATE ROLE visitor LOGIN");
            String[][] refusals = {
                {"ALTER ROLE visitor NOLOGIN", "28000", "ALTER ROLE visitor LOGIN"},
                {
                    "REVOKE CONNECT ON DATABASE tenants FROM PUBLIC",
                    "42501",
                    "GRANT CONNECT ON DATABASE tenants TO PUBLIC"
                },
                {
                    "ALTER DATABASE tenants ALLOW_CONNECTIONS false",
                    "55000",
                    "ALTER DATABASE tenants ALLOW_CONNECTIONS true"
                },
                {"ALTER ROLE visitor RENAME TO stranger", "28000", "ALTER ROLE stranger RENAME TO visitor"},
            };
            for (String[] refusal : refusals) {
                visit("visitor", "tenants");
                owner.rows(refusal[0]);
                assertRefused(refusal[1], "visitor", "tenants");
                owner.rows(refusal[2]);
                visit("visitor", "tenants");
            }
            owner.rows("DROP ROLE visitor");
            assertRefused("28000", "visitor", "tenants");
        }
    }

    @Test
    void whoComesToADatabaseThatIsGoneIsRefusedByTheEngine() throws Exception {
        try (WireSession owner = owner()) {
            for (int i = 0; i < 3; i++) {
                owner.rows("CREATE DATABASE passing");
                visit("postgres", "passing");
                owner.rows("DROP DATABASE passing");
                assertRefused("3D000", "postgres", "passing");
            }
        }
    }

    /** Asserts a value that a Satellite shows; a Satellite that is not fresh in time on a busy machine is queried again. */
    private static void assertShownByASatellite(String expected, WireSession session, String sql) throws IOException {
        long giveUpNanos = System.nanoTime() + PATIENCE.toNanos();
        String route = "";
        while (!route.startsWith("satellite")) {
            assertTrue(System.nanoTime() - giveUpNanos < 0, route);
            assertEquals(expected, session.value(sql));
            route = session.value("SHOW multimed.route");
        }
    }

    private static void awaitOnASatellite(String schema, WireSession session) throws Exception {
        long giveUpNanos = System.nanoTime() + PATIENCE.toNanos();
        String shown = "";
        while (!shown.startsWith(schema + " satellite")) {
            assertTrue(System.nanoTime() - giveUpNanos < 0, shown);
            shown = session.value("SELECT schema FROM who") + " " + session.value("SHOW multimed.route");
            Thread.sleep(10);
        }
    }

    private static void visit(String user, String database) throws IOException {
        try (WireSession session = open(multimed.address(), user, database)) {
            assertEquals("1", session.value("SELECT 1"));
        }
    }

    private static void assertRefused(String sqlState, String user, String database) {
        IOException refusal = assertThrows(IOException.class, () -> visit(user, database));
        assertTrue(refusal.getMessage().contains("C='" + sqlState + "'"), refusal.getMessage());
    }
}
