package io.multimed.engine.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.io.StringReader;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.h2.api.Trigger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that all replicas are identical, row by row, after each feature of H2. */
@Tag("slow")
class H2InStepTest extends InStepTest {
    @Override
    String url() {
        return "jdbc:h2:mem:" + UUID.randomUUID();
    }

    @Override
    List<String> changes() {
        return List.of(
                "INSERT INTO t VALUES(1, 'x')",
                "CREATE TABLE bad(x INT)",
                "DROP TABLE t",
                "TRUNCATE TABLE t",
                "SELECT NEXT VALUE FOR q",
                "DELETE FROM t",
                "SELECT * FROM FINAL TABLE(INSERT INTO t VALUES(9, 'f'))");
    }

    /** Three, because H2 continues after the failed element. */
    @Override
    int rowsOfTheFailedBatch() {
        return 3;
    }

    @Override
    String stateOfADuplicateTable() {
        return "42S01";
    }

    @Test
    void aRowTouchedManyTimesInOneTransaction() throws SQLException {
        replicas.writer.autoCommit(false);
        for (int i = 0; i < 50; i++) {
            replicas.update("MERGE INTO t VALUES(?, ?)", i % 20, "v" + i);
            replicas.update("DELETE FROM t WHERE id = ?", (i + 7) % 20);
        }
        replicas.writer.commit();
        replicas.assertIdentical("t");
    }

    @Test
    void whatDiffersFromRunToRun() throws SQLException {
        replicas.ddl("CREATE TABLE r(id UUID DEFAULT RANDOM_UUID() PRIMARY KEY, a DOUBLE PRECISION, b TIMESTAMP(9))");
        replicas.update("INSERT INTO r(a, b) SELECT RAND(), NOW() FROM SYSTEM_RANGE(1, 50)");
        replicas.assertIdentical("r");
    }

    @Test
    void everyTypeToItsLastDigit() throws SQLException {
        replicas.ddl("CREATE TABLE types(a TIME(9), b TIMESTAMP(9) WITH TIME ZONE, c DECFLOAT, d NUMERIC(40, 20),"
                + " e INTERVAL DAY TO SECOND(9), f ENUM('a', 'b'), g INT ARRAY, h ROW(x INT, y VARCHAR), i JSON,"
                + " j VARBINARY, k BOOLEAN, l REAL, m CHAR(5), n DATE, o UUID, p VARCHAR_IGNORECASE)");
        replicas.update("INSERT INTO types VALUES(TIME '23:59:59.123456789',"
                + " TIMESTAMP WITH TIME ZONE '2026-03-29 02:30:00.987654321+01', 1e-300, 1.00000000000000000001,"
                + " INTERVAL '1 02:03:04.567890123' DAY TO SECOND, 'b', ARRAY[1, NULL, 3], ROW(1, 'y'),"
                + " JSON '{\"a\": [1, 2]}', X'00ff', TRUE, 1.5, 'x', DATE '-0044-03-15', RANDOM_UUID(), 'Ab')");
        replicas.update("INSERT INTO types DEFAULT VALUES");
        replicas.assertIdentical("types");
    }

    @Test
    void rowsWithoutKeyThatAreAllAlike() throws SQLException {
        replicas.ddl("CREATE TABLE d(v INT)");
        replicas.update("INSERT INTO d SELECT 1 FROM SYSTEM_RANGE(1, 10)");
        replicas.update("DELETE FROM d FETCH FIRST 3 ROWS ONLY");
        replicas.update("UPDATE d SET v = 2 FETCH FIRST 2 ROWS ONLY");
        replicas.assertIdentical("d", "(SELECT _ROWID_, v FROM d)");
    }

    @Test
    void mergeDeletesAndInserts() throws SQLException {
        replicas.update("INSERT INTO t VALUES(2, 'a'), (3, 'b')");
        replicas.update("MERGE INTO t USING (SELECT x FROM SYSTEM_RANGE(3, 6)) s ON t.id = s.x"
                + " WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT VALUES(s.x, 'c')");
        replicas.assertIdentical("t");
    }

    @Test
    void lobsLargeAndSmall() throws SQLException {
        replicas.ddl("CREATE TABLE l(id INT PRIMARY KEY, c CLOB, b BLOB)");
        String text = "\u00e4\u20ac".repeat(50_000);
        byte[] bytes = new byte[100_000];
        new Random(1).nextBytes(bytes);
        EmbeddedSession writer = replicas.writer;
        writer.beforeUpdate();
        try (PreparedStatement insert = writer.master().prepareStatement("INSERT INTO l VALUES(?, ?, ?)")) {
            insert.setInt(1, 1);
            insert.setCharacterStream(2, new StringReader(text));
            insert.setBytes(3, bytes);
            insert.execute();
        }
        writer.afterUpdate();
        replicas.update("INSERT INTO l VALUES(2, 'short', X'01')");
        replicas.assertIdentical("l");
        assertEquals(
                List.of("1|" + text + "|" + HexFormat.of().formatHex(bytes) + "|", "2|short|01|"),
                Replicas.read(replicas.readers.get(1), "SELECT * FROM l"));
        replicas.update("UPDATE l SET c = c || 'x' WHERE id = 1");
        replicas.update("DELETE FROM l WHERE id = 2");
        replicas.assertIdentical("l");
    }

    /** A trigger that writes to another table for every row. */
    public static final class Audit implements Trigger {
        @Override
        public void fire(java.sql.Connection connection, Object[] before, Object[] now) throws SQLException {
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO audit(what) VALUES(?)")) {
                insert.setString(1, UUID.randomUUID() + " " + now[1]);
                insert.execute();
            }
        }
    }

    @Test
    void whatUserTriggersWroteArrivesOnce() throws SQLException {
        replicas.ddl(
                "CREATE TABLE audit(id INT GENERATED ALWAYS AS IDENTITY, what VARCHAR)",
                "CREATE TRIGGER tr AFTER INSERT ON t FOR EACH ROW CALL '" + Audit.class.getName() + "'");
        replicas.update("INSERT INTO t VALUES(1, 'a'), (2, 'b')");
        replicas.assertIdentical("t", "audit");
        assertEquals(List.of("2|"), Replicas.read(replicas.readers.get(0), "SELECT COUNT(*) FROM audit"));
    }

    @Test
    void ddlThatWritesData() throws SQLException {
        replicas.update("INSERT INTO t SELECT x, 'v' FROM SYSTEM_RANGE(1, 100)");
        replicas.ddl("CREATE TABLE copy AS SELECT id, RANDOM_UUID() u FROM t");
        replicas.assertIdentical("copy");
        replicas.ddl("ALTER TABLE t ADD COLUMN u UUID DEFAULT RANDOM_UUID()");
        replicas.assertIdentical("t");
        replicas.update("INSERT INTO t(id, v) VALUES(101, 'after')");
        replicas.update("UPDATE copy SET u = RANDOM_UUID() WHERE id = 5");
        replicas.assertIdentical("t", "copy");
        replicas.ddl("TRUNCATE TABLE copy");
        replicas.update("INSERT INTO copy VALUES(1, RANDOM_UUID())");
        replicas.assertIdentical("copy");
    }

    @Test
    void everyOtherDdl() throws SQLException {
        replicas.update("INSERT INTO t SELECT x, 'v' FROM SYSTEM_RANGE(1, 10)");
        replicas.stepByStep(
                List.of(
                        "SELECT * FROM t",
                        "SELECT * FROM s.x",
                        "SELECT * FROM s.y",
                        "SELECT * FROM s.w",
                        "SELECT * FROM syn"),
                "CREATE SCHEMA s",
                "CREATE TABLE s.x(a INT, b INT)",
                "INSERT INTO s.x SELECT x, x FROM SYSTEM_RANGE(1, 10)",
                "ALTER TABLE s.x ALTER COLUMN a SET NOT NULL",
                "ALTER TABLE s.x ADD PRIMARY KEY(a)",
                "CREATE INDEX s.i ON s.x(b)",
                "CREATE UNIQUE INDEX s.j ON s.x(b, a)",
                "ALTER TABLE s.x ADD CONSTRAINT positive CHECK (b > 0)",
                "ALTER TABLE s.x ADD CONSTRAINT single UNIQUE (b)",
                "ALTER TABLE s.x ADD CONSTRAINT parent FOREIGN KEY (a) REFERENCES public.t(id) ON DELETE CASCADE",
                "ALTER TABLE s.x ALTER COLUMN b BIGINT",
                "ALTER TABLE s.x ALTER COLUMN b RENAME TO c",
                "ALTER TABLE s.x RENAME TO y",
                "UPDATE s.y SET c = c + 100 WHERE a > 5",
                "CREATE VIEW s.w AS SELECT a FROM s.y WHERE c > 100",
                "CREATE OR REPLACE VIEW s.w AS SELECT a, c FROM s.y WHERE c > 101",
                "ALTER VIEW s.w RECOMPILE",
                "DELETE FROM t WHERE id = 8",
                "ALTER TABLE s.y DROP CONSTRAINT single",
                "ALTER TABLE s.y DROP CONSTRAINT parent",
                "ALTER TABLE s.y RENAME CONSTRAINT positive TO plus",
                "ALTER TABLE s.y DROP CONSTRAINT plus",
                "ALTER TABLE s.y DROP PRIMARY KEY",
                "UPDATE s.y SET a = 1, c = -a WHERE a < 4",
                "DROP VIEW s.w",
                "ALTER TABLE t DROP COLUMN v",
                "ALTER TABLE t ADD COLUMN n BIGINT GENERATED BY DEFAULT AS IDENTITY",
                "ALTER TABLE t ALTER COLUMN n RESTART WITH 500",
                "INSERT INTO t(id) VALUES(99)",
                "CREATE SEQUENCE s.q START WITH 5",
                "ALTER SEQUENCE s.q RESTART WITH 50 INCREMENT BY 2 MAXVALUE 1000",
                "INSERT INTO s.y VALUES(NEXT VALUE FOR s.q, 1)",
                "DROP SEQUENCE s.q",
                "CREATE DOMAIN s.d AS INT CHECK (VALUE > 0)",
                "ALTER DOMAIN s.d SET DEFAULT 3",
                "CREATE ALIAS s.f AS 'int f(int x) { return x + 1; }'",
                "DROP ALIAS s.f",
                "CREATE CONSTANT s.one VALUE 1",
                "CREATE USER u PASSWORD 'secret'",
                "GRANT SELECT ON s.y TO u",
                "CREATE ROLE r",
                "GRANT r TO u",
                "REVOKE r FROM u",
                "ALTER USER u SET PASSWORD 'another'",
                "DROP USER u",
                "COMMENT ON TABLE s.y IS 'why'",
                "CREATE SYNONYM syn FOR s.y",
                "ALTER INDEX s.i RENAME TO s.k",
                "DROP INDEX s.k",
                "ANALYZE");
        replicas.update("UPDATE s.y SET c = c + 1 WHERE a > 5");
        replicas.update("INSERT INTO t(id) VALUES(100)");
        replicas.assertIdentical("s.y", "t", "syn");
        replicas.stepByStep(
                List.of("SELECT * FROM t"),
                "DROP SYNONYM syn",
                "DROP TABLE s.y CASCADE",
                "ALTER SCHEMA s RENAME TO z",
                "DROP SCHEMA z CASCADE");
    }

    @Test
    void changesThatNobodyAnnouncedAreMadeUpFor() throws SQLException {
        replicas.ddl("CREATE ALIAS sneak AS 'void f(java.sql.Connection c) throws java.sql.SQLException {"
                + " c.createStatement().execute(\"CREATE TABLE hidden AS SELECT 1 x\"); }'");
        replicas.update("CALL sneak()");
        remade = true;
        replicas.assertIdentical("hidden");
    }

    @Test
    void theDatabaseEndsWithItsLastConnection() throws SQLException {
        Replicas other = new Replicas("jdbc:h2:mem:" + UUID.randomUUID(), 2);
        other.ddl("CREATE TABLE x(a INT)");
        other.close();
        try (Replicas again = new Replicas(other.options.engineUrl(), 2)) {
            again.ddl("CREATE TABLE x(a INT)");
            assertNotNull(again.writer.master());
        }
    }
}
