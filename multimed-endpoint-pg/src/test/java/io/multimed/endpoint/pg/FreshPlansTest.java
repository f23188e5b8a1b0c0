package io.multimed.endpoint.pg;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.endpoint.pg.backend.ReadSharing;
import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients on one engine connection see the objects that names stand for now, not those for which they stood when another client
 * had a plan made, and have one connection among them all the same.
 */
@Timeout(60)
class FreshPlansTest {
    @RegisterExtension
    private final EndpointOnOneEngine multimed = new EndpointOnOneEngine(
            options -> options.withLimits(options.limits().withConnections(1, 1).withSharing(new ReadSharing(1, 8))));

    private WireSession owner;

    @BeforeEach
    void makeTables() throws IOException {
        owner = multimed.openEngine();
        owner.rows(
                "CREATE SCHEMA s1; CREATE SCHEMA s2; CREATE TABLE s1.t AS SELECT 1 AS i; CREATE TABLE s2.t AS SELECT 2 AS i;"
                        + "CREATE FUNCTION public.f() RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN (SELECT i FROM t); END'");
    }

    @AfterEach
    void end() throws IOException {
        owner.close();
    }

    private WireSession open() throws IOException {
        WireSession session = multimed.open();
        session.rows("SET search_path TO s1, s2, public");
        return session;
    }

    private static String prepared(WireSession session, String sql) throws IOException {
        session.send(FrontendBytes.parse("n", sql), FrontendBytes.sync());
        session.ready();
        return execute(session);
    }

    private static String execute(WireSession session) throws IOException {
        session.send(FrontendBytes.bind("", "n"), FrontendBytes.execute("", 0), FrontendBytes.sync());
        return session.ready().stream()
                .filter(message -> message.type() == 'D' || message.type() == 'E')
                .map(Message::toString)
                .findFirst()
                .orElse("nothing");
    }

    @ParameterizedTest
    @ValueSource(strings = {"SELECT i FROM t", "INSERT INTO t SELECT 3 RETURNING tableoid", "SELECT public.f()"})
    void areMadeWhereATableIsHiddenFromNowOn(String sql) throws Exception {
        owner.rows("ALTER TABLE s1.t RENAME TO hidden");
        try (WireSession session = open();
                WireSession other = open()) {
            String before = prepared(session, sql);
            owner.rows("ALTER TABLE s1.hidden RENAME TO t");
            multimed.schemaVersion.incrementAndGet();
            String now = prepared(other, sql);
            assertEquals(now, execute(session));
            assertEquals(false, now.equals(before), before);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"SELECT i FROM t FOR SHARE", "INSERT INTO t SELECT 3 RETURNING tableoid", "SELECT public.f()"})
    void areMadeBehindADefinitionThatAnotherClientHasRolledBack(String sql) throws Exception {
        try (WireSession session = open();
                WireSession other = open()) {
            String before = prepared(session, sql);
            prepared(other, sql);
            other.rows("BEGIN");
            other.rows("DROP TABLE s1.t");
            execute(other);
            other.rows("ROLLBACK");
            assertEquals(before, execute(session));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void holdNobodyUpWhileTheMasterMayNotShowTheVersion(boolean floor) throws Exception {
        multimed.satellite.serving(false);
        multimed.schemaVersionVisible = false;
        multimed.schemaVersion.incrementAndGet();
        if (!floor) {
            multimed.log.disconnected();
        }
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> answered = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                answered.add(clients.submit(() -> {
                    int rows = 0;
                    try (WireSession session = multimed.open()) {
                        for (int k = 0; k < 100; k++) {
                            rows += session.rows("SELECT 1").size();
                        }
                    }
                    return rows;
                }));
            }
            for (Future<Integer> one : answered) {
                assertEquals(100, one.get());
            }
        }
    }

    @Test
    void leaveReadsOfOthersOnTheConnectionAlone() throws Exception {
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> answered = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                int client = i;
                answered.add(clients.submit(() -> {
                    int right = 0;
                    try (WireSession session = multimed.open()) {
                        for (int k = 0; k < 200; k++) {
                            if (k % 20 == client) {
                                multimed.schemaVersion.incrementAndGet();
                            }
                            right += session.value("SELECT " + k).equals(Integer.toString(k)) ? 1 : 0;
                        }
                    }
                    return right;
                }));
            }
            for (Future<Integer> one : answered) {
                assertEquals(200, one.get());
            }
        }
    }
}
