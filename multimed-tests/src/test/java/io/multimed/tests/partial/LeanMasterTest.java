package io.multimed.tests.partial;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.server.lean.LeanAnswer;
import io.multimed.server.lean.LeanRow;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.RunningMultimed;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Indexes that a partial Satellite has instead of the Master. At each moment at least one of the two has them. */
@Tag("slow")
@Timeout(300)
@Isolated("kills engines, and its reads must not wait for others' commits")
class LeanMasterTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String PART = "part";
    private static final String READ = "SELECT count(*) FROM shop.line WHERE item = 7";
    private static final String DEFINITION = "CREATE INDEX line_item ON shop.line USING btree (item)";

    private static final String STATE_OF_INDEX = """
            SELECT coalesce((SELECT CASE WHEN indisvalid THEN 'there' ELSE 'invalid' END FROM pg_index
             WHERE indexrelid = to_regclass('shop.line_item')), 'missing')""";

    private static RunningMultimed multimed;

    @BeforeAll
    static void start() throws Exception {
        multimed = RunningMultimed.start(1, """
                [satellites.part]
                tables = ["shop.line", "shop.orders"]
                serves = "long"
                """);
        try (WireSession session = session()) {
            execute(
                    session,
                    "CREATE SCHEMA shop",
                    "CREATE TABLE shop.orders (id int PRIMARY KEY, code int UNIQUE)",
                    "CREATE TABLE shop.line (id int PRIMARY KEY, order_id int REFERENCES shop.orders, item int, note text)",
                    "CREATE TABLE shop.other (id int PRIMARY KEY, item int)",
                    "INSERT INTO shop.orders SELECT g, g FROM generate_series(1, 100) g",
                    "INSERT INTO shop.line SELECT g, 1 + g % 100, g % 1000, 'n' FROM generate_series(1, 20000) g",
                    DEFINITION,
                    "COMMENT ON INDEX shop.line_item IS 'it''s read'",
                    "CREATE INDEX line_order ON shop.line (order_id)",
                    "CREATE INDEX other_item ON shop.other (item)",
                    "VACUUM ANALYZE shop.line");
        }
    }

    @AfterAll
    static void stop() throws IOException {
        if (multimed != null) {
            multimed.close();
        }
    }

    @BeforeEach
    void awaitServing() {
        RunningMultimed.await(
                () -> multimed.nodes().stream().allMatch(node -> node.state().equals("serving")), "all nodes serving");
    }

    private static WireSession session() throws IOException {
        return WireSession.open(multimed.address(), "postgres", "postgres", PATIENCE);
    }

    private static void execute(WireSession session, String... statements) throws IOException {
        for (String sql : List.of(statements)) {
            session.rows(sql);
        }
    }

    private static String onMaster(String query) throws IOException {
        try (WireSession session = WireSession.open(multimed.master(), "postgres", "postgres", PATIENCE)) {
            return session.rows(query).toString();
        }
    }

    private static String onSatellite(String query) throws IOException {
        try (WireSession session = WireSession.open(multimed.address(PART), "postgres", "postgres", PATIENCE)) {
            return session.rows(query).toString();
        }
    }

    private static Map<String, LeanRow.Advice> advice() {
        LeanAnswer answer = multimed.lean().propose();
        assertEquals("", answer.problem());
        Map<String, LeanRow.Advice> advice = new TreeMap<>();
        answer.rows().forEach(row -> advice.put(row.index(), row.advice()));
        return advice;
    }

    private static void apply() throws IOException {
        LeanAnswer answer = multimed.lean().apply(Optional.of("line_item"));
        assertEquals("", answer.problem());
        assertEquals(1, answer.done().size(), answer.toString());
        assertEquals("[[missing]]", onMaster(STATE_OF_INDEX));
        assertEquals("[[there]]", onSatellite(STATE_OF_INDEX));
        assertEquals(LeanRow.Advice.MOVED, advice().get("line_item"));
    }

    private static void undo() throws IOException {
        LeanAnswer answer = multimed.lean().undo(Optional.empty());
        assertEquals("", answer.problem());
        assertEquals(1, answer.done().size(), answer.toString());
        assertEquals(
                "[[" + DEFINITION + ", it's read, t]]",
                onMaster("SELECT pg_get_indexdef(indexrelid), obj_description(indexrelid), indisvalid FROM pg_index"
                        + " WHERE indexrelid = 'shop.line_item'::regclass"));
        assertEquals(LeanRow.Advice.MOVE, advice().get("line_item"));
    }

    /** Returns the value and the node that gave it. */
    private static String placed(WireSession session) throws IOException {
        String value = session.value(READ);
        String route = session.value("SHOW multimed.route");
        return value + " by " + route.substring(0, route.indexOf(':'));
    }

    @Test
    void whatOnlyReadsNeedIsProposed() {
        assertEquals(
                Map.of(
                        "line_item",
                        LeanRow.Advice.MOVE,
                        "line_order",
                        LeanRow.Advice.ASK,
                        "line_pkey",
                        LeanRow.Advice.STAYS,
                        "orders_code_key",
                        LeanRow.Advice.STAYS,
                        "orders_pkey",
                        LeanRow.Advice.STAYS,
                        "other_item",
                        LeanRow.Advice.NOWHERE,
                        "other_pkey",
                        LeanRow.Advice.STAYS),
                advice());
        assertTrue(multimed.lean()
                .apply(Optional.of("other_item"))
                .problem()
                .contains("no partial satellite carries the table; write [satellites.NAME] tables = [\"shop.other\"]"));
        assertTrue(
                multimed.lean().apply(Optional.of("shop.line_pkey")).problem().contains("primary key"));
        assertEquals(
                "the master has no index nowhere",
                multimed.lean().apply(Optional.of("nowhere")).problem());
        assertEquals(
                "no index line_order has been moved",
                multimed.lean().undo(Optional.of("line_order")).problem());
    }

    @Test
    void readsFollowAnIndexThatIsMovedAndItOutlivesTheSatellite() throws Exception {
        apply();
        assertFalse(onMaster("EXPLAIN " + READ).contains("line_item"));
        assertTrue(onSatellite("EXPLAIN " + READ).contains("line_item"), onSatellite("EXPLAIN " + READ));
        try (WireSession session = session()) {
            for (int i = 0; i < 50; i++) {
                execute(session, "UPDATE shop.line SET note = 'x' || note WHERE id = 7");
                assertEquals("20 by part", placed(session), "after " + i);
            }
            long pid = multimed.node(PART).pid();
            ProcessHandle.of(pid).orElseThrow().destroyForcibly();
            assertEquals("20", session.value(READ), "while the Satellite is away");
            multimed.awaitOtherEngine(PART, pid);
            assertEquals("[[there]]", onSatellite(STATE_OF_INDEX));
            assertEquals("20 by part", placed(session));
        }
        undo();
    }

    @Test
    void aMoveThatWasCutShortIsCompletedOrUndone() throws Exception {
        apply();
        // As if the end had come before the index was dropped, or before it was forgotten on the way back.
        onMaster(DEFINITION);
        assertEquals(LeanRow.Advice.INTERRUPTED, advice().get("line_item"));
        apply();
        // As if it had come while the index was dropped or made.
        onMaster(DEFINITION);
        onMaster("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'shop.line_item'::regclass");
        assertEquals(LeanRow.Advice.INTERRUPTED, advice().get("line_item"));
        multimed.restart();
        awaitServing();
        assertEquals("[[there]]", onSatellite(STATE_OF_INDEX), "of a copy that had an invalid one");
        apply();
        onMaster(DEFINITION);
        onMaster("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'shop.line_item'::regclass");
        multimed.restart();
        awaitServing();
        undo();
        multimed.restart();
        awaitServing();
        assertEquals(LeanRow.Advice.MOVE, advice().get("line_item"));
    }

    @Test
    void anIndexWhoseColumnIsGoneIsForgotten() throws Exception {
        try (WireSession session = session()) {
            execute(
                    session,
                    "ALTER TABLE shop.line ADD COLUMN brief int",
                    "CREATE INDEX line_brief ON shop.line (brief)");
            awaitServing();
            assertEquals("", multimed.lean().apply(Optional.of("line_brief")).problem());
            execute(session, "ALTER TABLE shop.line DROP COLUMN brief");
            RunningMultimed.await(() -> placedOnPart(session), "a read on the copy made anew");
            LeanAnswer answer = multimed.lean().undo(Optional.of("line_brief"));
            assertEquals("", answer.problem());
            assertTrue(answer.done().toString().contains("is forgotten"), answer.toString());
        }
    }

    private static boolean placedOnPart(WireSession session) {
        try {
            return session.value("SELECT count(*) FROM shop.line l, shop.line m WHERE l.item = m.item AND l.id <= 3000")
                            .equals("60000")
                    && session.value("SHOW multimed.route").startsWith(PART + ":");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
