package io.multimed.tests.partial;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.RunningMultimed;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Rules and hints that send reads to a node, with a full Satellite, and a partial one that serves them alone. */
@Tag("slow")
@Timeout(300)
@Isolated("kills engines, and its reads must not wait for others' commits")
class RoutesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String LINES = "SELECT count(*) FROM shop.line";
    private static final String ELSEWHERE = "SELECT count(*) FROM shop.elsewhere";

    private static RunningMultimed multimed;

    @BeforeAll
    static void start() throws Exception {
        multimed = RunningMultimed.start(1, """
                [reads]
                patience = "200ms"
                [satellites.part]
                tables = ["shop.line"]
                serves = "rules"
                [[routes]]
                match = { tables = ["shop.line"], role = "reports" }
                to = "part"
                otherwise = "refuse"
                [[routes]]
                match = { application_name = "patient" }
                to = "part"
                otherwise = "wait"
                [[routes]]
                match = { application_name = "nightly" }
                to = "part"
                [[routes]]
                match = { application_name = "fresh" }
                to = "master"
                [[routes]]
                match = { application_name = "full" }
                to = "satellites"
                otherwise = "refuse"
                """);
        try (WireSession session = session("postgres")) {
            for (String sql : List.of(
                    "CREATE ROLE reports LOGIN",
                    "CREATE SCHEMA shop",
                    "CREATE TABLE shop.elsewhere (id int PRIMARY KEY)",
                    "CREATE TABLE shop.line (id int PRIMARY KEY)",
                    "GRANT USAGE ON SCHEMA shop TO reports",
                    "GRANT ALL ON ALL TABLES IN SCHEMA shop TO reports",
                    "INSERT INTO shop.line SELECT g FROM generate_series(1, 100) g",
                    "INSERT INTO shop.elsewhere VALUES (1)")) {
                session.rows(sql);
            }
        }
    }

    @AfterAll
    static void stop() throws IOException {
        if (multimed != null) {
            multimed.close();
        }
    }

    @BeforeEach
    void awaitServing() throws Exception {
        RunningMultimed.await(() -> multimed.node("part").state().equals("serving"), "the partial Satellite serving");
        try (WireSession session = session("postgres")) {
            session.rows("DELETE FROM shop.line WHERE id > 100");
            RunningMultimed.await(
                    () -> node(session, "/* multimed: node=part */ " + LINES).equals("part")
                            && node(session, LINES).equals("satellite-1"),
                    "both Satellites fresh");
        }
    }

    private static WireSession session(String role) throws IOException {
        return WireSession.open(multimed.address(), role, "postgres", PATIENCE);
    }

    private static WireSession named(String application) throws IOException {
        WireSession session = session("postgres");
        session.rows("SET application_name = '" + application + "'");
        return session;
    }

    /** Returns the node that answers the query. */
    private static String node(WireSession session, String query) {
        String route = route(session, query);
        return route.substring(0, route.indexOf(':'));
    }

    private static String route(WireSession session, String query) {
        try {
            session.rows(query);
            return session.value("SHOW multimed.route");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String error(WireSession session, String query) throws IOException {
        return session.query(query).toString();
    }

    /** EXPLAIN (MULTIMED) asks the same rules. */
    @Test
    void anExplanationNamesTheRule() throws Exception {
        try (WireSession reports = session("reports");
                WireSession fresh = named("fresh");
                WireSession other = session("postgres")) {
            assertExplained(reports, "Runs on  part (partial satellite)", "routes[0] sends it to part");
            assertExplained(reports, "satellite-1  its rule sends it elsewhere");
            assertExplained(fresh, "Runs on  master", "sends it to master");
            assertExplained(
                    other, "Runs on  satellite-1", "part         does not take it: serves what rules send there");
        }
    }

    private static void assertExplained(WireSession session, String... expected) throws IOException {
        String explanation = session.rows("EXPLAIN (MULTIMED) " + LINES).stream()
                .map(List::getFirst)
                .collect(Collectors.joining("\n"));
        for (String each : expected) {
            assertTrue(explanation.contains(each), explanation);
        }
    }

    @Test
    void theRoleTheTablesAndTheApplicationNameDecide() throws Exception {
        try (WireSession reports = session("reports");
                WireSession other = session("postgres")) {
            assertEquals("part: read on a fresh satellite (routes[0])", route(reports, LINES));
            assertEquals("satellite-1: read on a fresh satellite", route(reports, ELSEWHERE));
            assertEquals("satellite-1", node(other, LINES), "nobody else is served by part");
            other.rows("SET application_name = 'nightly'");
            assertEquals("part: read on a fresh satellite (routes[2])", route(other, LINES));
            assertEquals("master: no satellite serving (routes[2])", route(other, ELSEWHERE));
            other.rows("SET application_name = 'fresh'");
            assertEquals("master: sent by a rule (routes[3])", route(other, LINES));
            other.rows("SET application_name = 'full'");
            assertEquals("satellite-1: read on a fresh satellite (routes[4])", route(other, LINES));
            other.rows("RESET application_name");
            assertEquals("satellite-1: read on a fresh satellite", route(other, LINES));
            assertEquals("part", node(other, LINES + " /* multimed: node=part */"));
            assertEquals("master", node(other, LINES + " /* multimed: node=master */"));
            assertEquals("satellite-1", node(other, LINES + " /* multimed: node=no-such */"));
        }
    }

    @Test
    void writesAndBlocksThatMayWriteAreNotConcerned() throws Exception {
        try (WireSession reports = session("reports");
                WireSession nightly = named("nightly")) {
            assertEquals("master", node(reports, "INSERT INTO shop.line VALUES (101)"));
            assertEquals("101", reports.value(LINES));
            nightly.rows("BEGIN");
            assertEquals("101", nightly.value(LINES));
            assertEquals("master", node(nightly, "DELETE FROM shop.line WHERE id = 101"));
            nightly.rows("COMMIT");
            assertEquals("part", node(nightly, LINES));
            assertEquals("master", node(nightly, "SELECT id FROM shop.line WHERE id = 1 FOR UPDATE"));
        }
    }

    @Test
    void aBlockStaysWhereItsFirstReadWasSent() throws Exception {
        try (WireSession full = named("full");
                WireSession nightly = named("nightly")) {
            full.rows("BEGIN READ ONLY ISOLATION LEVEL REPEATABLE READ");
            assertEquals("100", full.value(LINES));
            assertEquals("100", full.value(LINES + " /* multimed: node=master */"));
            full.rows("COMMIT");
            assertEquals("satellite-1", node(full, LINES));
            nightly.rows("BEGIN READ ONLY");
            assertEquals("100", nightly.value(LINES));
            assertEquals("1", nightly.value(ELSEWHERE));
            assertEquals("100", nightly.value(LINES));
            nightly.rows("COMMIT");
        }
    }

    @Test
    void aReadThatItsNodeIsNotFreshEnoughForGoesToTheMasterOrWaitsOrIsRefused() throws Exception {
        try (WireSession writer = session("postgres");
                WireSession reports = session("reports");
                WireSession nightly = named("nightly");
                WireSession patient = named("patient");
                WireSession hurried = named("patient");
                WireSession cancelled = named("patient")) {
            hurried.rows("SET statement_timeout = '300ms'");
            CompletableFuture<String> waited;
            CompletableFuture<String> ended;
            try (WireSession holder = holder()) {
                writer.rows("INSERT INTO shop.line VALUES (101)");
                String refusal = error(reports, LINES);
                assertTrue(refusal.contains("40001") && refusal.contains("routes[0]"), refusal);
                assertTrue(refusal.contains("Repeat it later"), refusal);
                assertEquals("master", node(nightly, LINES));
                waited = async(() -> patient.value(LINES));
                ended = async(() -> error(cancelled, LINES));
                assertTrue(error(hurried, LINES).contains("57014"), "the statement's timeout");
                cancelled.cancel();
                assertTrue(get(ended).contains("57014"), "cancelled");

                reports.rows("BEGIN READ ONLY");
                assertTrue(error(reports, LINES).contains("40001"));
                assertTrue(error(reports, ELSEWHERE).contains("25P02"), "the block has failed");
                reports.rows("ROLLBACK");
                assertEquals("satellite-1", node(reports, ELSEWHERE));
                assertFalse(waited.isDone());
                holder.rows("COMMIT");
            }
            assertEquals("101", get(waited));
            assertEquals("part", patient.value("SHOW multimed.route").substring(0, 4));
            assertEquals("101", reports.value(LINES));
            assertTrue(error(patient, ELSEWHERE).contains("0A000"), "no wait lets the Satellite hold a table more");
        }
    }

    /** Returns a session that keeps the partial Satellite from applying anything, and lets it read. */
    private static WireSession holder() throws IOException {
        ServerAddress part = multimed.address("part");
        WireSession holder = WireSession.open(part, "postgres", "postgres", PATIENCE);
        holder.rows("BEGIN");
        holder.rows("LOCK TABLE shop.line IN SHARE MODE");
        return holder;
    }

    private static CompletableFuture<String> async(java.util.concurrent.Callable<String> action) {
        CompletableFuture<String> result = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                result.complete(action.call());
            } catch (Exception | AssertionError e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    private static String get(CompletableFuture<String> result) throws Exception {
        try {
            return result.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        }
    }

    @Test
    void aSharedStatementObeysTheRulesOfEachSession() throws Exception {
        try (WireSession reports = session("reports");
                WireSession other = session("postgres");
                WireSession writer = session("postgres")) {
            for (WireSession each : List.of(reports, other)) {
                each.send(FrontendBytes.parse("s", LINES), FrontendBytes.sync());
                each.ready();
            }
            try (WireSession holder = holder()) {
                writer.rows("INSERT INTO shop.line VALUES (101)");
                for (int i = 0; i < 3; i++) {
                    for (WireSession each : List.of(reports, other)) {
                        each.send(FrontendBytes.bind("", "s"), FrontendBytes.execute("", 0), FrontendBytes.sync());
                    }
                    String refused = reports.ready().toString();
                    String answered = other.ready().toString();
                    assertTrue(refused.contains("40001"), refused);
                    assertFalse(answered.contains("Error"), answered);
                }
                holder.rows("COMMIT");
            }
        }
    }

    @Test
    void aReadWhoseNodeHasDiedGoesToTheMasterOrWaitsOrIsRefused() throws Exception {
        try (WireSession reports = session("reports");
                WireSession nightly = named("nightly");
                WireSession patient = named("patient")) {
            long pid = multimed.node("part").pid();
            ProcessHandle.of(pid).orElseThrow().destroyForcibly();
            RunningMultimed.await(() -> !multimed.node("part").state().equals("serving"), "the loss noticed");
            String refusal = error(reports, LINES);
            assertTrue(refusal.contains("40001") && refusal.contains("part does not serve now"), refusal);
            assertEquals("master: no satellite serving (routes[2])", route(nightly, LINES));
            assertEquals("part: read on a fresh satellite (routes[1])", route(patient, LINES));
        }
    }

    @Test
    void theAdminDatabaseShowsRulesAndShapes() throws Exception {
        try (WireSession admin = WireSession.open(multimed.address(), "postgres", "multimed", PATIENCE);
                WireSession fresh = named("fresh")) {
            List<String> before = rule(admin, "routes[3]");
            assertEquals(List.of("routes[3]", "application_name fresh", "master", "master"), before.subList(0, 4));
            fresh.rows(LINES);
            fresh.rows(LINES);
            assertEquals(
                    Long.parseLong(before.get(4)) + 2,
                    Long.parseLong(rule(admin, "routes[3]").get(4)));
            assertTrue(Long.parseLong(rule(admin, "hint").get(4)) >= 0);
            assertTrue(
                    admin.rows("SHOW CLIENTS").stream()
                            .anyMatch(row -> String.valueOf(row.getLast()).matches("[0-9a-f]{16}")),
                    "the shape of the latest read");
        }
    }

    private static List<String> rule(WireSession admin, String name) throws IOException {
        return admin.rows("SHOW RULES").stream()
                .map(row -> row.stream().map(String::valueOf).toList())
                .filter(row -> row.getFirst().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
