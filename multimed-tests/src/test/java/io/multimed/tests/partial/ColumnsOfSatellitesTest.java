package io.multimed.tests.partial;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.RunningMultimed;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** A partial Satellite that carries some columns of a table, beside the Master: its reads, its rows after any write, and its copies. */
@Tag("slow")
@Timeout(300)
@Isolated("its reads must not wait for others' commits")
class ColumnsOfSatellitesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String PART = "part";

    private static RunningMultimed multimed;

    @BeforeAll
    static void start() throws Exception {
        multimed = RunningMultimed.start(0, """
                [reads]
                patience = "5s"
                [satellites.part]
                tables = ["shop.item", "shop.line"]
                columns = { "shop.item" = ["id", "title", '"Size"'] }
                indexes = ["CREATE INDEX only_here ON shop.item (title)"]
                [satellites.keyless]
                database = "other"
                tables = ["public.item"]
                columns = { "public.item" = ["title"] }
                """);
        try (WireSession session = session()) {
            for (String sql : List.of(
                    "CREATE SCHEMA shop",
                    "CREATE TABLE shop.item (note text, id int PRIMARY KEY, photo text, title text, \"Size\" int,"
                            + " doubled int GENERATED ALWAYS AS (id * 2) STORED)",
                    "ALTER TABLE shop.item ALTER COLUMN photo SET STORAGE EXTERNAL",
                    "CREATE TABLE shop.line (id int PRIMARY KEY, item int REFERENCES shop.item)",
                    "CREATE INDEX noted ON shop.item (note)",
                    "CREATE VIEW shop.titles AS SELECT i.title, l.id FROM shop.item i JOIN shop.line l ON l.item = i.id",
                    "CREATE VIEW shop.notes AS SELECT note AS title FROM shop.item",
                    "INSERT INTO shop.item SELECT 'note ' || g, g, repeat('x', 5000), 'title ' || g, g"
                            + " FROM generate_series(1, 1000) g",
                    "INSERT INTO shop.line SELECT g, g FROM generate_series(1, 100) g")) {
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
    void awaitServing() {
        RunningMultimed.await(() -> multimed.node(PART).state().equals("serving"), "the partial Satellite serving");
    }

    private static WireSession session() throws IOException {
        return WireSession.open(multimed.address(), "postgres", "postgres", PATIENCE);
    }

    /** Returns the value and the node that gave it. */
    private static String placed(WireSession session, String query) throws IOException {
        String value = session.value(query);
        String route = session.value("SHOW multimed.route");
        return value + " by " + route.substring(0, route.indexOf(':'));
    }

    @Test
    void answersReadsOfItsColumnsAloneAndTheMasterAllOthers() throws Exception {
        try (WireSession session = session()) {
            assertEquals("1000 by part", placed(session, "SELECT count(*) FROM shop.item"));
            assertEquals("7 by part", placed(session, "SELECT i.\"Size\" FROM shop.item i WHERE title = 'title 7'"));
            assertEquals("100 by part", placed(session, "SELECT count(*) FROM shop.titles"));
            assertEquals("title 3 by part", placed(session, "SELECT title FROM shop.titles WHERE id = 3"));
            assertEquals("note 7 by master", placed(session, "SELECT note FROM shop.item WHERE id = 7"));
            assertEquals("14 by master", placed(session, "SELECT doubled FROM shop.item WHERE id = 7"));
            assertEquals("note 7 by master", placed(session, "SELECT * FROM shop.item WHERE id = 7"));
            assertEquals("1 by master", placed(session, "SELECT count(i) FROM shop.item i WHERE id = 7"));
            assertEquals("1000 by master", placed(session, "SELECT count(*) FROM shop.notes"));
        }
    }

    @Test
    void hasTheMastersValuesAfterEveryKindOfWrite() throws Exception {
        try (WireSession session = session()) {
            session.rows(
                    "INSERT INTO shop.item (note, id, title) SELECT 'new', g, 'new' FROM generate_series(2001, 2100) g");
            session.rows("UPDATE shop.item SET note = 'changed' WHERE id BETWEEN 2001 AND 2010");
            session.rows("UPDATE shop.item SET title = 'changed', photo = 'y' WHERE id BETWEEN 2011 AND 2020");
            session.rows("UPDATE shop.item SET id = id + 1000 WHERE id BETWEEN 2021 AND 2030");
            session.rows("UPDATE shop.item SET \"Size\" = 5 WHERE id = 500");
            session.rows("DELETE FROM shop.item WHERE id BETWEEN 2091 AND 2100");
            String sum = "SELECT sum(hashtext(id || title || coalesce(\"Size\", 0))) FROM shop.item";
            String everything = session.value(sum + " WHERE note IS NOT NULL");
            assertEquals(everything + " by part", placed(session, sum));
            session.rows("DELETE FROM shop.item WHERE id > 2000");
            session.rows("UPDATE shop.item SET \"Size\" = 500 WHERE id = 500");
        }
    }

    @Test
    void isCopiedAnewWithoutAColumnThatIsAdded() throws Exception {
        try (WireSession session = session()) {
            assertEquals("1000 by part", placed(session, "SELECT count(title) FROM shop.item"));
            session.rows("ALTER TABLE shop.item ADD COLUMN extra int DEFAULT 3");
            assertEquals("3 by master", placed(session, "SELECT extra FROM shop.item WHERE id = 1"));
            RunningMultimed.await(() -> reads(session).equals("1000 by part"), "a read on the partial Satellite");
            assertEquals("3 by master", placed(session, "SELECT extra FROM shop.item WHERE id = 1"));
            assertEquals("note 1 by master", placed(session, "SELECT * FROM shop.item WHERE id = 1"));
            session.rows("ALTER TABLE shop.item DROP COLUMN extra");
            RunningMultimed.await(() -> reads(session).equals("1000 by part"), "a read on the partial Satellite");
        }
    }

    private static String reads(WireSession session) {
        try {
            return placed(session, "SELECT count(title) FROM shop.item");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void takesTheRoomOfItsColumnsAlone() throws Exception {
        String size = "SELECT pg_total_relation_size('shop.item')";
        try (WireSession part = WireSession.open(multimed.address(PART), "postgres", "postgres", PATIENCE);
                WireSession master = WireSession.open(multimed.master(), "postgres", "postgres", PATIENCE)) {
            long here = Long.parseLong(part.value(size));
            long there = Long.parseLong(master.value(size));
            assertTrue(here * 2 < there, () -> here + " bytes of " + there);
            assertTrue(
                    part.query("SELECT note FROM shop.item").toString().contains("42703"), "there is no such column");
        }
    }

    @Test
    void refusesATableWithoutTheColumnsByWhichItsRowsAreToldApart() throws Exception {
        try (WireSession session = session()) {
            session.rows("CREATE DATABASE other");
        }
        try (WireSession other = WireSession.open(multimed.address(), "postgres", "other", PATIENCE)) {
            other.rows("CREATE TABLE item (id int PRIMARY KEY, title text)");
        }
        RunningMultimed.await(
                () -> multimed.node("keyless").toString().contains("told apart by id"), "the reason in the status");
    }
}
