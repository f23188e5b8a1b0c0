package io.multimed.endpoint.pg;

import static io.multimed.testkit.wire.Message.types;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.WireClient;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions that share the only connection to each engine. */
@Timeout(60)
class OneEngineConnectionTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration A_MOMENT = Duration.ofMillis(200);

    @RegisterExtension
    private static final EndpointOnOneEngine multimed = new EndpointOnOneEngine(
            options -> options.withLimits(options.limits().withConnections(1, 1)));

    @Test
    void whoWaitsForItGetsAnotherWhenItBecomesPrivate() throws IOException {
        try (WireSession first = multimed.open();
                WireSession second = multimed.open()) {
            first.rows("BEGIN; CREATE TEMP TABLE keeps_it (i int)");
            second.send(FrontendBytes.query("DO 'BEGIN END'"));
            assertNull(second.client().poll(A_MOMENT));
            first.rows("COMMIT");
            assertEquals('Z', second.ready().getLast().type());
        }
    }

    /** PostgREST sets a role for each request like this. */
    @Test
    void whoHasARoleForATransactionLetsGoOfTheConnectionWithIt() throws Exception {
        try (WireSession administrator = multimed.openEngine()) {
            administrator.rows("CREATE ROLE lowly");
        }
        try (WireSession first = multimed.open();
                WireSession second = multimed.open()) {
            first.rows("BEGIN");
            first.rows("SELECT set_config('role', 'lowly', true)");
            assertEquals("lowly", first.value("SELECT current_user"));
            first.rows("COMMIT");
            assertEquals("postgres", second.value("SELECT current_user FROM pg_current_xact_id()"));
            assertEquals(1, connectionsToMaster());
            assertEquals("postgres", first.value("SELECT current_user FROM pg_current_xact_id()"));
        }
    }

    @Test
    void noMoreThanOneIsLeftWhenThePrivateOneIsSharedAgain() throws Exception {
        try (WireSession first = multimed.open();
                WireSession second = multimed.open()) {
            first.rows("CREATE TEMP TABLE keeps_it (i int)");
            second.rows("DO 'BEGIN END'");
            assertEquals(2, connectionsToMaster());
            first.rows("DROP TABLE keeps_it");
            first.rows("DISCARD ALL");
            EndpointTest.await(() -> connectionsToMaster() == 1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"RESET ALL", "DISCARD ALL", "DO $$ BEGIN EXECUTE 'RESET ALL'; END $$"})
    void whoSetAParameterOfAComputedNameLetsGoOfTheConnectionWithAllSettings(String reset) throws Exception {
        try (WireSession first = multimed.open();
                WireSession second = multimed.open()) {
            first.rows("SELECT set_config('app.' || 'tenant', '7', false)");
            second.rows("DO 'BEGIN END'");
            assertEquals(2, connectionsToMaster());
            for (String unfinished :
                    List.of("BEGIN; " + reset.replace("DISCARD", "RESET") + "; ROLLBACK", "RESET work_mem")) {
                first.rows(unfinished);
                assertEquals("7", first.value("SELECT current_setting('app.tenant')"), unfinished);
            }
            assertEquals(2, connectionsToMaster());
            first.rows(reset);
            EndpointTest.await(() -> connectionsToMaster() == 1);
            assertEquals(
                    "none",
                    second.value("SELECT coalesce(nullif(current_setting('app.tenant', true), ''), 'none')"
                            + " FROM pg_current_xact_id()"));
            first.rows("SELECT set_config('app.' || 'tenant', '8', false)");
            second.rows("DO 'BEGIN END'");
            assertEquals("8", first.value("SELECT current_setting('app.tenant')"));
            assertEquals(2, connectionsToMaster());
        }
        EndpointTest.await(() -> connectionsToMaster() <= 1);
    }

    @Test
    void whoWaitsBehindOneWhoIsRefusedGetsTheConnection() throws Exception {
        try (WireSession first = multimed.open();
                WireSession second = multimed.open();
                WireClient refused = WireClient.connect(multimed.address(), PATIENCE)) {
            first.rows("BEGIN; SELECT pg_current_xact_id()");
            refused.send(FrontendBytes.startup(
                    FrontendBytes.PROTOCOL_3_0, Map.of("user", "postgres", "database", "nowhere")));
            EndpointTest.await(() -> waitingForMaster() == 1);
            second.send(FrontendBytes.query("DO 'BEGIN END'"));
            // This is long enough for the first one to get a connection of its kind.
            assertNull(second.client().poll(A_MOMENT));
            first.rows("COMMIT");
            assertEquals("3D000", refused.readUntil("E").getLast().sqlState());
            assertEquals('Z', second.ready().getLast().type());
        }
    }

    @Test
    void aCrowdThatComesAtOnceIsLetIn() throws Exception {
        int crowd = 1_000;
        List<WireClient> clients = new ArrayList<>();
        try (WireSession first = multimed.open()) {
            first.rows("BEGIN; SELECT pg_current_xact_id()");
            for (int i = 0; i < crowd; i++) {
                WireClient client = WireClient.connect(multimed.address(), PATIENCE);
                clients.add(client);
                client.send(FrontendBytes.startup(
                        FrontendBytes.PROTOCOL_3_0, Map.of("user", "postgres", "database", "template1")));
            }
            EndpointTest.await(() -> waitingForMaster() == crowd);
            first.rows("COMMIT");
            for (WireClient client : clients) {
                assertEquals('Z', client.readUntil("ZE").getLast().type());
            }
        } finally {
            for (WireClient client : clients) {
                client.close();
            }
        }
    }

    @Test
    void connectionThatRefusedTheSettingsOfOneSessionIsToldThoseOfTheNext() throws Exception {
        try (WireSession engine = multimed.openEngine();
                WireSession first = multimed.open();
                WireSession second = multimed.open();
                WireSession third = multimed.open()) {
            engine.rows("SET allow_in_place_tablespaces = on");
            engine.rows("CREATE TABLESPACE passing LOCATION ''");
            String settings = "SET default_tablespace = 'passing'; SET search_path = pg_catalog";
            first.rows(settings);
            second.rows(settings);
            assertEquals("pg_catalog", first.value("SELECT current_schema()"));
            // Another session leaves the Satellite's connection without settings.
            assertEquals("public", third.value("SELECT current_schema()"));
            engine.rows("DROP TABLESPACE passing");
            // The Satellite's engine session refuses the settings, so the Master answers, which has them.
            assertEquals("pg_catalog", first.value("SELECT current_schema()"));
            assertEquals("pg_catalog", second.value("SELECT current_schema()"));
        }
    }

    @Test
    void connectionThatEndsBeforeItIsToldTheSettingsCostsNobodyAnything() throws Exception {
        try (WireSession engine = multimed.openEngine();
                WireSession session = multimed.open()) {
            session.rows("SET search_path = pg_catalog");
            try (WireSession other = multimed.open()) {
                other.rows("SELECT 4711");
            }
            String satellite =
                    engine.value("SELECT pid FROM pg_stat_activity WHERE query = 'SELECT 4711' AND state = 'idle'");
            signal("STOP", satellite);
            session.send(FrontendBytes.query("SELECT 4712"));
            EndpointTest.await(() -> multimed.satellite.active() > 0);
            signal("TERM", satellite);
            signal("CONT", satellite);
            assertEquals('Z', session.ready().getLast().type());
            assertEquals("pg_catalog", session.value("SELECT current_schema()"));
        }
    }

    @Test
    void whatOneDeallocatesInCodeOthersFindPreparedStill() throws IOException {
        try (WireSession first = multimed.open();
                WireSession second = multimed.open()) {
            prepare(first, "SELECT pg_current_xact_id() IS NOT NULL");
            for (String code : List.of(
                    "DO $$ BEGIN EXECUTE 'DEALLOCATE ALL'; END $$",
                    "DO $$ DECLARE s text; BEGIN"
                            + " FOR s IN SELECT name FROM pg_prepared_statements LOOP"
                            + " EXECUTE 'DEALLOCATE ' || quote_ident(s); END LOOP; END $$",
                    "DEALLOCATE ALL; SELECT 1/0")) {
                assertEquals('Z', second.query(code).getLast().type());
                assertEquals("2DCZ", execute(first), code);
            }
        }
    }

    @Test
    void whatMultimedPreparedForOneOthersCannotName() throws IOException {
        try (WireSession first = multimed.open();
                WireSession second = multimed.open()) {
            prepare(first, "SELECT pg_current_xact_id() IS NULL");
            String name = first.value("SELECT name FROM pg_prepared_statement(), pg_current_xact_id()"
                    + " WHERE statement LIKE '%IS NULL'");
            for (String sql : List.of("EXECUTE " + name, "DEALLOCATE " + name)) {
                assertEquals("26000", second.query(sql).getFirst().sqlState());
            }
            assertEquals(
                    "0A000",
                    second.query("PREPARE " + name + " AS SELECT 'other'")
                            .getFirst()
                            .sqlState());
            assertEquals("2DCZ", execute(first));
            // With Parse messages the statement may have any name.
            second.send(FrontendBytes.parse(name, "SELECT 'its own'"), FrontendBytes.sync());
            assertEquals("1Z", types(second.ready()));
            assertEquals("0A000", second.query("EXECUTE " + name).getFirst().sqlState());
            assertEquals("2DCZ", execute(first));
            second.send(FrontendBytes.bind("", name), FrontendBytes.execute("", 0), FrontendBytes.sync());
            assertEquals("2DCZ", types(second.ready()));
        }
    }

    private static void prepare(WireSession session, String sql) throws IOException {
        session.send(
                FrontendBytes.parse("s", sql),
                FrontendBytes.bind("", "s"),
                FrontendBytes.execute("", 0),
                FrontendBytes.sync());
        assertEquals("12DCZ", types(session.ready()));
    }

    private static String execute(WireSession session) throws IOException {
        session.send(FrontendBytes.bind("", "s"), FrontendBytes.execute("", 0), FrontendBytes.sync());
        return types(session.ready());
    }

    private static void signal(String signal, String process) throws IOException, InterruptedException {
        assertEquals(
                0, new ProcessBuilder("kill", "-" + signal, process).start().waitFor());
    }

    private static int waitingForMaster() {
        return multimed.endpoint.backends(multimed.master).stream()
                .mapToInt(backends -> backends.waitingCount())
                .sum();
    }

    private static int connectionsToMaster() {
        return multimed.endpoint.backends(multimed.master).stream()
                .mapToInt(backends -> backends.size())
                .sum();
    }
}
