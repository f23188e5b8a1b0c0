package io.multimed.tests.partial;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.RunningMultimed;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** A partial Satellite that is given queries: the tables that it carries, and what it says when it cannot answer them. */
@Tag("slow")
@Timeout(180)
@Isolated("its reads must not wait for others' commits")
class QueriesOfSatellitesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String NAME = "part";

    private static RunningMultimed multimed;

    @Test
    void itCarriesWhatItsQueriesReadAndWorksThatOutAnewWithEachCopy() throws Exception {
        try (RunningMultimed started = RunningMultimed.start(0, """
                [satellites.part]
                tables = ["shop.orders"]
                queries = ["SELECT count(*) FROM best WHERE item < $1", '''
                    SELECT * FROM shop.line_1''']
                """)) {
            multimed = started;
            try (WireSession session = WireSession.open(multimed.address(), "postgres", "postgres", PATIENCE)) {
                execute(
                        session,
                        "CREATE SCHEMA shop",
                        "CREATE TABLE shop.orders (id int PRIMARY KEY)",
                        "CREATE TABLE shop.customer (id int PRIMARY KEY)",
                        "CREATE TABLE shop.line (id int, item int, PRIMARY KEY (id, item)) PARTITION BY RANGE (id)",
                        "CREATE TABLE shop.line_1 PARTITION OF shop.line FOR VALUES FROM (0) TO (1000)",
                        "INSERT INTO shop.orders SELECT generate_series(1, 100)",
                        "INSERT INTO shop.customer SELECT generate_series(1, 10)",
                        "INSERT INTO shop.line SELECT g, g FROM generate_series(1, 100) g");
                awaitDetail("relation \"best\" does not exist");
                execute(session, "CREATE FUNCTION shop.own(int) RETURNS int LANGUAGE sql RETURN $1");
                execute(session, "CREATE VIEW shop.best AS SELECT shop.own(id) AS item FROM shop.orders");
                awaitDetail("calls own, which is not declared safe");
                execute(session, "CREATE MATERIALIZED VIEW shop.kept AS SELECT id AS item FROM shop.orders");
                execute(session, "CREATE OR REPLACE VIEW shop.best AS SELECT item FROM shop.kept");
                awaitDetail("shop.kept, a materialized view");

                execute(session, "CREATE OR REPLACE VIEW shop.best AS SELECT item FROM shop.line");
                awaitTables("[shop.orders, shop.line]");
                List<String> shown = shown();
                assertTrue(shown.contains("shop.orders, shop.line"), () -> "SHOW NODES: " + shown);
                awaitPlaced(session, "SELECT count(*) FROM shop.best WHERE item < 51", "50 by part");
                awaitPlaced(session, "SELECT count(*) FROM shop.orders", "100 by part");
                awaitPlaced(session, "SELECT count(*) FROM shop.customer", "10 by master");

                execute(session, "CREATE OR REPLACE VIEW shop.best AS SELECT id AS item FROM shop.customer");
                awaitTables("[shop.orders, shop.customer, shop.line]");
                awaitPlaced(session, "SELECT count(*) FROM shop.best WHERE item < 51", "10 by part");
                awaitPlaced(session, "SELECT count(*) FROM shop.customer", "10 by part");
            }
        }
    }

    private static void execute(WireSession session, String... statements) throws IOException {
        for (String sql : List.of(statements)) {
            session.rows(sql);
        }
    }

    private static List<String> shown() throws IOException {
        try (WireSession admin = WireSession.open(multimed.address(), "postgres", "multimed", PATIENCE)) {
            return admin.rows("SHOW NODES").get(1);
        }
    }

    private static void awaitDetail(String part) {
        RunningMultimed.await(
                () -> multimed.node(NAME).detail().contains(part),
                part + " as its detail, " + multimed.node(NAME).detail());
    }

    private static void awaitTables(String tables) {
        RunningMultimed.await(
                () -> multimed.node(NAME).state().equals("serving")
                        && multimed.node(NAME).tables().toString().equals(tables),
                "serving with " + tables + ": " + multimed.node(NAME));
    }

    private static void awaitPlaced(WireSession session, String query, String placed) {
        RunningMultimed.await(
                () -> {
                    try {
                        String value = session.value(query);
                        String route = session.value("SHOW multimed.route");
                        return placed.equals(value + " by " + route.substring(0, route.indexOf(':')));
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                },
                placed + ": " + query);
    }
}
