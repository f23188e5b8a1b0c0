package io.multimed.tests.reads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.RunningMultimed;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * A statement waits for the lock of a definition that makes it run other code than before. The code sets a parameter of its session.
 * No other session may find that parameter set.
 */
@Timeout(300)
@Isolated("sees which sessions of the engines wait for locks")
class DefinitionsDuringWaitsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int STEPS = Integer.getInteger("multimed.definitions-during-waits.steps", 16);
    private static final long SEED = Long.getLong("multimed.definitions-during-waits.seed", 1);
    /** More than the connections to one engine that a step can have used. */
    private static final int OTHERS = 8;

    private static final List<String> PARAMETERS = List.of("search_path", "TimeZone", "work_mem", "multimed_test.mark");
    private static final List<String> VALUES = List.of("leaked", "Asia/Tokyo", "7MB", "leaked");

    /** A definition that holds a lock until it is committed, and a statement that waits for it and then runs {@code code()}. */
    private record Encounter(String definition, String statement, boolean reads) {}

    private static final List<Encounter> WRITES = List.of(
            new Encounter(
                    "CREATE TRIGGER ran BEFORE UPDATE ON met FOR EACH ROW EXECUTE FUNCTION code_of_trigger()",
                    "UPDATE met SET id = id",
                    false),
            new Encounter(
                    "CREATE TRIGGER ran AFTER INSERT ON met FOR EACH STATEMENT EXECUTE FUNCTION code_of_trigger()",
                    "INSERT INTO met VALUES (2)",
                    false),
            new Encounter("ALTER TABLE met ALTER filled SET DEFAULT code()", "INSERT INTO met (id) VALUES (3)", false),
            new Encounter("ALTER TABLE met ADD CHECK (code() = 1) NOT VALID", "INSERT INTO met VALUES (4)", false),
            new Encounter(
                    "CREATE RULE ran AS ON DELETE TO met DO ALSO SELECT code()", "DELETE FROM met WHERE id = 9", false),
            new Encounter(
                    "CREATE OR REPLACE VIEW seen AS SELECT id FROM met WHERE code() = 1",
                    "INSERT INTO met SELECT id FROM seen",
                    false));

    private static final List<Encounter> READS = List.of(
            new Encounter(
                    "CREATE OR REPLACE VIEW seen AS SELECT id FROM met WHERE code() = 1", "SELECT id FROM seen", true),
            new Encounter(
                    "CREATE OR REPLACE VIEW seen AS SELECT id + code() AS id FROM met",
                    "SELECT max(id) FROM seen WHERE id > 0",
                    true));

    private final RunningMultimed multimed = RunningMultimed.shared();
    private final Random random = new Random(SEED);

    private WireSession session() throws IOException {
        return WireSession.open(multimed.address(), "postgres", "postgres", PATIENCE);
    }

    private static WireSession past(ServerAddress engine) throws IOException {
        return WireSession.open(engine, "postgres", "postgres", PATIENCE);
    }

    @Test
    void leaveNothingInSessionsOfOthers() throws Exception {
        multimed.awaitSatellites("postgres");
        try (WireSession owner = session();
                WireSession master = past(multimed.master());
                WireSession satellite = past(multimed.satellite(0))) {
            int onMaster = 0;
            int onSatellite = 0;
            for (int step = 0; step < STEPS; step++) {
                List<Encounter> kind = step % 2 == 0 ? WRITES : READS;
                Encounter encounter = kind.get(step / 2 % kind.size());
                if (meet(encounter, owner, encounter.reads() ? satellite : master, step)) {
                    onMaster += encounter.reads() ? 0 : 1;
                    onSatellite += encounter.reads() ? 1 : 0;
                }
            }
            owner.rows("DROP TABLE met CASCADE");
            assertTrue(onMaster >= STEPS / 4, onMaster + " waits on the Master");
            assertTrue(onSatellite > 0, onSatellite + " waits on the Satellite");
        }
    }

    /** @return whether the statement has waited for the definition on this engine, and its connections were asked */
    private boolean meet(Encounter encounter, WireSession owner, WireSession engine, int step) throws Exception {
        // SHOW of a parameter that no session has set fails, and only the Master calls current_setting.
        int which = random.nextInt(PARAMETERS.size() - (encounter.reads() ? 1 : 0));
        String parameter = PARAMETERS.get(which);
        String set = "pg_catalog.set_config('" + parameter + "', '" + VALUES.get(which) + "', false)";
        owner.rows("DROP TABLE IF EXISTS met CASCADE; CREATE TABLE met (id int, filled int);"
                + " INSERT INTO met VALUES (1, 1); CREATE OR REPLACE VIEW seen AS SELECT id FROM met;"
                + " CREATE OR REPLACE FUNCTION code() RETURNS int LANGUAGE plpgsql AS $$ BEGIN PERFORM " + set
                + "; RETURN 1; END $$; CREATE OR REPLACE FUNCTION code_of_trigger() RETURNS trigger LANGUAGE plpgsql"
                + " AS $$ BEGIN PERFORM " + set + "; RETURN new; END $$");
        int form = random.nextInt(3);
        try (WireSession definer = random.nextBoolean() ? session() : past(multimed.master());
                WireSession user = session()) {
            if (form == 2) {
                user.send(FrontendBytes.parse("s", encounter.statement()), FrontendBytes.sync());
                user.ready();
            }
            // Until then every statement counts as one that runs unknown code.
            RunningMultimed.await(() -> isCatalogKnown(owner), "the catalog");
            for (int i = 0; i < 3; i++) {
                send(user, encounter.statement(), form);
                user.ready();
            }
            definer.rows("BEGIN; " + encounter.definition());
            if (encounter.reads()) {
                RunningMultimed.await(() -> count(engine, "mode = 'AccessExclusiveLock'") > 0, "the lock's replay");
            }
            send(user, encounter.statement(), form);
            boolean waited = isWaitSeen(engine);
            definer.rows("COMMIT");
            user.ready();
            return isUnsetForOthers(parameter, encounter.reads(), step + ": " + encounter + ", form " + form) && waited;
        }
    }

    private static boolean isCatalogKnown(WireSession reader) {
        try {
            reader.rows("SELECT id FROM seen");
            return reader.value("SHOW multimed.route").contains("read on a fresh satellite");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void send(WireSession user, String statement, int form) throws IOException {
        switch (form) {
            case 0 -> user.send(FrontendBytes.query(statement));
            case 1 ->
                user.send(
                        FrontendBytes.parse("", statement),
                        FrontendBytes.bind("", ""),
                        FrontendBytes.execute("", 0),
                        FrontendBytes.sync());
            default -> user.send(FrontendBytes.bind("", "s"), FrontendBytes.execute("", 0), FrontendBytes.sync());
        }
    }

    /** The Master may answer the read, or the engine may be slow; then the step proves nothing and is not counted. */
    private static boolean isWaitSeen(WireSession engine) throws InterruptedException {
        for (int look = 0; look < 200; look++) {
            if (count(engine, "NOT granted AND relation >= 16384") > 0) {
                return true;
            }
            Thread.sleep(5);
        }
        return false;
    }

    private static int count(WireSession engine, String condition) {
        try {
            return Integer.parseInt(engine.value("SELECT count(*) FROM pg_locks WHERE " + condition
                    + " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Holds as many connections to the node as there can be, and asks each for the parameter.
     *
     * @return whether any answer came from the node; the connection used last is the first to be used again
     */
    private boolean isUnsetForOthers(String parameter, boolean onSatellite, String step) throws IOException {
        String ask = onSatellite ? "SHOW " + parameter : "SELECT pg_catalog.current_setting('" + parameter + "', true)";
        List<WireSession> others = new ArrayList<>();
        try {
            String node = onSatellite ? "satellite-1:" : "master:";
            int there = 0;
            String expected = null;
            try (WireSession plain = past(multimed.master())) {
                expected = plain.rows(ask).getFirst().getFirst();
            }
            for (int i = 0; i < OTHERS; i++) {
                WireSession other = session();
                others.add(other);
                other.rows(onSatellite ? "BEGIN READ ONLY" : "BEGIN READ WRITE");
                assertEquals(expected, other.rows(ask).getFirst().getFirst(), step + ", session " + i);
                there += other.value("SHOW multimed.route").startsWith(node) ? 1 : 0;
            }
            return there > 0;
        } finally {
            for (WireSession other : others) {
                other.close();
            }
        }
    }
}
