package io.multimed.tests.partial;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.RunningMultimed;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A partial Satellite with an index of its own beside a full one: the index draws the reads that it makes fast. */
@Tag("slow")
@Timeout(300)
class FasterSatelliteTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int EXECUTIONS = 150;
    private static final int LAST = 20;

    @Test
    void readsGoWhereAnIndexMakesThemFasterOnceTheyHaveBeenMeasured() throws Exception {
        try (RunningMultimed multimed = RunningMultimed.start(1, """
                [satellites.indexed]
                tables = ["public.line"]
                indexes = ["CREATE INDEX ON public.line (item)"]
                """)) {
            try (WireSession session = WireSession.open(multimed.address(), "postgres", "postgres", PATIENCE)) {
                session.rows("CREATE TABLE line (id int PRIMARY KEY, item int, note text)");
                session.rows(
                        "INSERT INTO line SELECT g, g % 10000, repeat('x', 100) FROM generate_series(1, 200000) g");
                RunningMultimed.await(
                        () -> multimed.node("indexed").state().equals("serving"), "the partial Satellite serving");
                List<String> nodes = new ArrayList<>();
                for (int i = 0; i < EXECUTIONS; i++) {
                    assertEquals("20", session.value("SELECT count(*) FROM line WHERE item = " + i));
                    nodes.add(node(session));
                }
                List<String> last = nodes.subList(EXECUTIONS - LAST, EXECUTIONS);
                assertEquals(Collections.nCopies(LAST, "indexed"), last, () -> "all: " + nodes);
                assertTrue(nodes.contains("satellite-1"), () -> "measured on one node alone: " + nodes);
            }
            List<List<@Nullable String>> times = times(multimed);
            assertEquals(
                    Set.of("postgres"), times.stream().map(row -> row.get(0)).collect(Collectors.toSet()));
            assertEquals(
                    Set.of("full", "indexed"),
                    times.stream().map(row -> row.get(2)).collect(Collectors.toSet()));
            assertEquals(
                    Set.of("indexed"),
                    times.stream()
                            .filter(row -> "preferred".equals(row.get(4)))
                            .map(row -> row.get(2))
                            .collect(Collectors.toSet()));

            multimed.restart();
            RunningMultimed.await(() -> multimed.satellitesServing() == 2, "both Satellites serving after the restart");
            assertEquals(times, times(multimed), "what was measured before");
            try (WireSession session = WireSession.open(multimed.address(), "postgres", "postgres", PATIENCE)) {
                assertEquals("20", session.value("SELECT count(*) FROM line WHERE item = 1"));
                assertEquals("indexed", node(session), "the first execution");
            }
        }
    }

    private static List<List<@Nullable String>> times(RunningMultimed multimed) throws IOException {
        try (WireSession session = WireSession.open(multimed.address(), "postgres", "multimed", PATIENCE)) {
            return session.rows("SHOW STATEMENTS");
        }
    }

    private static String node(WireSession session) throws IOException {
        String route = session.value("SHOW multimed.route");
        return route.substring(0, route.indexOf(':'));
    }
}
