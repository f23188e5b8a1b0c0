package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.endpoint.pg.config.EndpointOptions.Authentication;
import io.multimed.endpoint.pg.config.EndpointOptions.Plaintext;
import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.WireClient;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Roles that may enter the admin database, their view of others there, and clients that must use TLS. */
@Timeout(60)
class AdminAccessTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final List<String> ROLES = List.of("boss", "watcher", "somebody");

    @RegisterExtension
    private static final EndpointOnOneEngine multimed =
            new EndpointOnOneEngine(options -> options.withAdminUsers(Set.of("boss"), Set.of("watcher")));

    @BeforeAll
    static void createRoles() throws IOException {
        try (WireSession engine = multimed.openEngine()) {
            for (String role : ROLES) {
                engine.rows("CREATE ROLE " + role + " LOGIN");
            }
            engine.rows("CREATE ROLE locked");
        }
    }

    @AfterAll
    static void dropRoles() throws IOException {
        try (WireSession engine = multimed.openEngine()) {
            for (String role : ROLES) {
                engine.rows("DROP ROLE " + role);
            }
            engine.rows("DROP ROLE locked");
        }
    }

    @AfterEach
    void masterServes() {
        multimed.master.serving(true);
    }

    @ParameterizedTest
    @CsvSource({"postgres, true", "boss, true", "watcher, true", "somebody, false"})
    void whoIsNotToSeeOthersSeesItsOwn(String user, boolean seesOthers) throws IOException {
        try (WireSession own = WireSession.open(multimed.address(), user, "postgres", PATIENCE);
                WireSession other = multimed.open();
                WireSession admin = WireSession.open(multimed.address(), user, "multimed", PATIENCE)) {
            own.rows("SELECT 1");
            other.rows("SELECT 1");
            Set<String> users = new TreeSet<>();
            admin.rows("SHOW CLIENTS").forEach(row -> users.add(String.valueOf(row.getFirst())));
            assertTrue(users.contains(user), users::toString);
            assertEquals(seesOthers || user.equals("postgres"), users.contains("postgres"));
            assertEquals(2, admin.rows("SHOW POOLS").size());
        }
    }

    @ParameterizedTest
    @CsvSource({"nobody_at_all", "locked"})
    void whoMayNotLogInIsRefusedAsInAnyDatabase(String user) throws IOException {
        assertEquals(refusal(user, "postgres"), refusal(user, "multimed"));
    }

    @Test
    void whileTheMasterIsNotThereOnlyThoseWhoAreNamedGetIn() throws IOException {
        multimed.master.serving(false);
        assertTrue(refusal("not_a_role", "multimed").contains("57P03"));
    }

    private static String refusal(String user, String database) throws IOException {
        try (WireClient client = WireClient.connect(multimed.address(), PATIENCE)) {
            client.send(FrontendBytes.startup(FrontendBytes.PROTOCOL_3_0, Map.of("user", user, "database", database)));
            return ComparedErrors.shown(client.readUntil("ZE").getLast());
        }
    }

    @ParameterizedTest
    @CsvSource({"ANYBODY, false", "LOOPBACK, false", "NOBODY, true"})
    void whoMustSpeakTlsIsRefusedInPostgresqlsWords(Plaintext plaintext, boolean refused) throws IOException {
        multimed.restartEndpoint(options -> options.withRules(plaintext.rules(Authentication.TRUST)));
        try {
            String answer = refusal("postgres", "postgres");
            assertEquals(
                    refused
                            ? "E{C=28000, M=no pg_hba.conf entry for host \"127.0.0.1\", user \"postgres\","
                                    + " database \"postgres\", no encryption, V=FATAL}"
                            : "Z",
                    answer);
        } finally {
            multimed.restartEndpoint(options -> options.withAdminUsers(Set.of("boss"), Set.of("watcher")));
        }
    }
}
