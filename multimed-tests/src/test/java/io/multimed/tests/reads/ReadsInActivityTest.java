package io.multimed.tests.reads;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.RunningMultimed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A user who looks for a heavy read finds it, on whatever node it is, and can end it. */
class ReadsInActivityTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String HEAVY =
            "SELECT count(*) FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b";

    private static WireSession open(String application) throws IOException {
        return WireSession.open(
                RunningMultimed.shared().address(),
                Map.of("user", "postgres", "database", "postgres", "application_name", application),
                null,
                PATIENCE);
    }

    @ParameterizedTest
    @CsvSource({"pg_cancel_backend, 57014", "pg_terminate_backend, 57P01"})
    void aReadOnASatelliteIsSeenAndEnded(String function, String sqlState) throws Exception {
        try (WireSession reader = open("heavy reader");
                WireSession administrator = open("administrator");
                WireSession admin =
                        WireSession.open(RunningMultimed.shared().address(), "postgres", "multimed", PATIENCE)) {
            reader.send(FrontendBytes.query(HEAVY));
            RunningMultimed.await(
                    () -> rows(admin, "SHOW CLIENTS").stream()
                            .anyMatch(row -> row.contains("" + reader.pid())
                                    && row.stream()
                                            .anyMatch(value ->
                                                    String.valueOf(value).startsWith("satellite-"))),
                    "it runs on a Satellite");
            String found = "SELECT pid, state, application_name FROM pg_stat_activity WHERE query = '" + HEAVY
                    + "' AND state = 'active' AND query_start < clock_timestamp()";
            RunningMultimed.await(
                    () -> rows(administrator, found)
                            .equals(List.of(List.of("" + reader.pid(), "active", "heavy reader"))),
                    "it is seen");
            assertEquals(
                    List.of(List.of("t")),
                    administrator.rows("SELECT " + function + "(pid) FROM pg_stat_activity WHERE query = '" + HEAVY
                            + "' AND pid <> pg_backend_pid()"));
            List<Message> answer = reader.client().readUntil("ZE");
            assertEquals(sqlState, answer.getLast().sqlState(), answer::toString);
            try (WireSession satellite =
                    WireSession.open(RunningMultimed.shared().satellite(0), "postgres", "postgres", PATIENCE)) {
                RunningMultimed.await(
                        () -> rows(
                                        satellite,
                                        "SELECT pid FROM pg_stat_activity WHERE state = 'active' AND query = '" + HEAVY
                                                + "'")
                                .isEmpty(),
                        "it has ended");
            }
        }
    }

    @Test
    void theMasterAndSatellitesAreAskedAsOne() throws Exception {
        try (WireSession idle = open("idle client");
                WireSession administrator = open("administrator")) {
            idle.rows("SELECT count(*) FROM pg_class");
            String found = "SELECT pid, state, usename, datname, usesysid = 'postgres'::regrole, datid > 0"
                    + " FROM pg_stat_activity WHERE application_name = 'idle client'";
            assertEquals(
                    List.of(List.of("" + idle.pid(), "idle", "postgres", "postgres", "t", "t")),
                    administrator.rows(found));
        }
    }

    private static List<List<String>> rows(WireSession session, String sql) {
        try {
            return session.rows(sql).stream()
                    .map(row -> row.stream().map(String::valueOf).toList())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
