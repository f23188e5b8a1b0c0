package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.multimed.endpoint.pg.backend.SharedCatalogs;
import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.WireClient;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** CONNECTION LIMIT counts clients, whatever the number of engine sessions that serve them. */
@Timeout(120)
@Tag("slow")
class ConnectionLimitsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @RegisterExtension
    private static final EndpointOnOneEngine multimed = new EndpointOnOneEngine(options -> options.withLoops(2));

    private static long changes;

    @BeforeEach
    void createRoles() throws IOException {
        run("CREATE ROLE limited LOGIN CONNECTION LIMIT 2");
        run("CREATE ROLE other LOGIN");
        run("CREATE ROLE owner LOGIN SUPERUSER CONNECTION LIMIT 0");
        run("CREATE DATABASE narrow CONNECTION LIMIT 2");
        run("ALTER DATABASE narrow OWNER TO owner");
    }

    @AfterEach
    void dropRoles() throws IOException {
        run("DROP DATABASE narrow WITH (FORCE)");
        for (String role : List.of("limited", "other", "owner")) {
            run("DROP ROLE " + role);
        }
    }

    private static void run(String sql) throws IOException {
        try (WireSession engine = multimed.openEngine()) {
            engine.rows(sql);
        }
        // The relay reports such changes.
        multimed.sharedCatalogs = new SharedCatalogs(++changes, true);
    }

    @ParameterizedTest
    @CsvSource({
        "limited, postgres, 2",
        "limited, narrow, 2",
        "other, narrow, 2",
        "owner, narrow, 5",
        "owner, postgres, 3",
        "other, postgres, 5",
    })
    void oneTooManyIsRefusedAsByPostgresql(String user, String database, int fit) throws IOException {
        assertEquals(
                admitted(multimed.engine.unix(), user, database, fit),
                admitted(multimed.address(), user, database, fit));
    }

    /** Connects clients one after the other, without closing any, and returns the last message that each receives. */
    private static List<String> admitted(ServerAddress address, String user, String database, int fit)
            throws IOException {
        List<WireClient> clients = new ArrayList<>();
        List<String> told = new ArrayList<>();
        try {
            for (int i = 0; i <= fit; i++) {
                WireClient client = WireClient.connect(address, PATIENCE);
                clients.add(client);
                client.send(
                        FrontendBytes.startup(FrontendBytes.PROTOCOL_3_0, Map.of("user", user, "database", database)));
                told.add(ComparedErrors.shown(client.readUntil("ZE").getLast()));
            }
        } finally {
            for (WireClient client : clients) {
                client.close();
            }
        }
        return told;
    }

    /** Every loop keeps engine sessions of clients that have gone. */
    @ParameterizedTest
    @CsvSource({"limited, postgres", "other, narrow"})
    void asManyAsAreAllowedWorkInTransactionsWhateverOthersLeft(String user, String database) throws Exception {
        for (int round = 0; round < 10; round++) {
            try (WireSession first = open(user, database);
                    WireSession second = open(user, database)) {
                for (WireSession session : List.of(first, second)) {
                    session.rows("SELECT 1");
                    session.rows("BEGIN");
                    assertEquals(
                            "1", session.value("SELECT count(*) FROM pg_advisory_xact_lock(" + session.pid() + ")"));
                }
                first.rows("COMMIT");
                second.rows("COMMIT");
            }
        }
    }

    /** Opens a session. PostgreSQL too takes a moment to stop counting clients that have gone. */
    private static WireSession open(String user, String database) throws Exception {
        WireSession[] opened = new WireSession[1];
        EndpointTest.await(() -> {
            opened[0] = tryToOpen(user, database);
            return opened[0] != null;
        });
        return opened[0];
    }

    private static @Nullable WireSession tryToOpen(String user, String database) {
        try {
            return WireSession.open(multimed.address(), user, database, PATIENCE);
        } catch (IOException full) {
            return null;
        }
    }

    @Test
    void aLimitThatIsRaisedHoldsAtOnce() throws Exception {
        try (WireSession first = open("limited", "postgres");
                WireSession second = open("limited", "postgres")) {
            assertEquals("limited", first.value("SELECT current_user"));
            assertEquals("limited", second.value("SELECT current_user"));
            assertEquals(null, tryToOpen("limited", "postgres"));
            run("ALTER ROLE limited CONNECTION LIMIT 3");
            try (WireSession third = tryToOpen("limited", "postgres")) {
                assertNotNull(third);
                assertEquals("limited", third.value("SELECT current_user"));
            }
        }
    }
}
