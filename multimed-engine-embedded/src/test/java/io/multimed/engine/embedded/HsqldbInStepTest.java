package io.multimed.engine.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.StringReader;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that all replicas are identical, row by row, after each feature of HSQLDB, in each of the Master's transaction modes. */
@ParameterizedClass
@ValueSource(strings = {"locks", "mvlocks", "mvcc"})
@Tag("slow")
class HsqldbInStepTest extends InStepTest {
    @Parameter
    String mode;

    @Override
    String url() {
        return "jdbc:hsqldb:mem:" + UUID.randomUUID() + ";hsqldb.tx=" + mode;
    }

    @Override
    List<String> changes() {
        return List.of(
                "INSERT INTO t VALUES(1, 'x')",
                "CREATE TABLE bad(x INT)",
                "DROP TABLE t",
                "TRUNCATE TABLE t",
                "VALUES NEXT VALUE FOR q",
                "DELETE FROM t");
    }

    /** Two, because HSQLDB stops at the failed element. */
    @Override
    int rowsOfTheFailedBatch() {
        return 2;
    }

    @Override
    String stateOfADuplicateTable() {
        return "42504";
    }

    @Override
    void end() throws SQLException {
        try (Statement statement = replicas.writer.master().createStatement()) {
            statement.execute("SHUTDOWN");
        }
    }

    @Test
    void aRowTouchedManyTimesInOneTransaction() throws SQLException {
        replicas.writer.autoCommit(false);
        for (int i = 0; i < 50; i++) {
            replicas.update(
                    "MERGE INTO t USING (VALUES(CAST(? AS INT), CAST(? AS VARCHAR(10)))) AS s(a, b) ON t.id = s.a"
                            + " WHEN MATCHED THEN UPDATE SET t.v = s.b WHEN NOT MATCHED THEN INSERT VALUES s.a, s.b",
                    i % 20,
                    "v" + i);
            replicas.update("DELETE FROM t WHERE id = ?", (i + 7) % 20);
        }
        replicas.writer.commit();
        replicas.assertIdentical("t");
    }

    @Test
    void whatDiffersFromRunToRun() throws SQLException {
        replicas.ddl("CREATE TABLE r(id UUID PRIMARY KEY, a DOUBLE, b TIMESTAMP(9))");
        for (int i = 0; i < 20; i++) {
            replicas.update("INSERT INTO r VALUES(UUID(), RAND(), LOCALTIMESTAMP)");
        }
        replicas.assertIdentical("r");
    }

    @Test
    void everyTypeToItsLastDigit() throws SQLException {
        replicas.ddl("CREATE TABLE types(a TIME(9), b TIMESTAMP(9) WITH TIME ZONE, d DECIMAL(40, 20),"
                + " e INTERVAL DAY TO SECOND(9), g INT ARRAY, j VARBINARY(10), k BOOLEAN, l REAL, m CHAR(5), n DATE,"
                + " o UUID, p VARCHAR_IGNORECASE(10), q BIT VARYING(10), r TINYINT)");
        replicas.update("INSERT INTO types VALUES(TIME '23:59:59.123456789',"
                + " TIMESTAMP '2026-03-29 02:30:00.987654321+1:00', 1.00000000000000000001,"
                + " INTERVAL '1 02:03:04.567890123' DAY TO SECOND(9), ARRAY[1, NULL, 3], X'00ff', TRUE, 1.5, 'x',"
                + " DATE '0044-03-15', UUID(), 'Ab', B'101', 7)");
        replicas.update("INSERT INTO types DEFAULT VALUES");
        replicas.assertIdentical("types");
    }

    @Test
    void rowsWithoutKeyThatAreAllAlike() throws SQLException {
        replicas.ddl("CREATE TABLE d(v INT)");
        replicas.update("INSERT INTO d VALUES(1),(1),(1),(1),(1),(1)");
        replicas.update("DELETE FROM d WHERE ROWNUM() < 3");
        replicas.update("UPDATE d SET v = 2 WHERE ROWNUM() = 1");
        replicas.assertIdentical("d");
    }

    @Test
    void lobsLargeAndSmall() throws SQLException {
        replicas.ddl("CREATE TABLE l(id INT PRIMARY KEY, c CLOB, b BLOB)", "CREATE TABLE keyless(c CLOB)");
        String text = "\u00e4\u20ac".repeat(50_000);
        byte[] bytes = new byte[100_000];
        new Random(1).nextBytes(bytes);
        EmbeddedSession writer = replicas.writer;
        writer.beforeUpdate();
        try (PreparedStatement insert = writer.master().prepareStatement("INSERT INTO l VALUES(?, ?, ?)")) {
            insert.setInt(1, 1);
            insert.setCharacterStream(2, new StringReader(text), text.length());
            insert.setBytes(3, bytes);
            insert.execute();
        }
        writer.afterUpdate();
        replicas.update("INSERT INTO l VALUES(2, 'short', X'01')");
        replicas.update("INSERT INTO keyless VALUES('a')");
        replicas.update("INSERT INTO keyless VALUES('b')");
        replicas.assertIdentical("keyless", "l");
        assertEquals(
                List.of("1|" + text + "|" + HexFormat.of().formatHex(bytes) + "|", "2|short|01|"),
                Replicas.read(replicas.readers.get(1), "SELECT * FROM l"));
        replicas.update("UPDATE l SET c = 'x' WHERE id = 1");
        replicas.update("DELETE FROM l WHERE id = 2");
        replicas.update("DELETE FROM keyless WHERE c = 'a'");
        replicas.assertIdentical("keyless", "l");
    }

    @Test
    void mergeDeletesAndInserts() throws SQLException {
        replicas.update("INSERT INTO t VALUES(2, 'a'), (3, 'b')");
        replicas.update("MERGE INTO t USING (VALUES(3), (4)) AS s(x) ON t.id = s.x"
                + " WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT VALUES s.x, 'c'");
        replicas.assertIdentical("t");
        assertEquals(List.of("2|a|", "4|c|"), Replicas.read(replicas.readers.get(0), "SELECT * FROM t"));
    }

    @Test
    void proceduresThatWrite() throws SQLException {
        replicas.ddl("CREATE PROCEDURE fill(IN n INT) MODIFIES SQL DATA BEGIN ATOMIC DECLARE i INT DEFAULT 0;"
                + " WHILE i < n DO INSERT INTO t VALUES(i, UUID()); SET i = i + 1; END WHILE;"
                + " UPDATE t SET v = 'changed' WHERE id = 1; DELETE FROM t WHERE id = 2; END");
        replicas.update("CALL fill(5)");
        replicas.assertIdentical("t");
        assertEquals(List.of("4|"), Replicas.read(replicas.readers.get(0), "SELECT COUNT(*) FROM t"));
        replicas.ddl("CREATE PROCEDURE twice(IN n INT) MODIFIES SQL DATA BEGIN ATOMIC"
                + " INSERT INTO t VALUES(n, 'first'); INSERT INTO t VALUES(n, 'second'); END");
        assertThrows(SQLException.class, () -> replicas.update("CALL twice(9)"));
        replicas.assertIdentical("t");
    }

    @Test
    void whatUserTriggersWroteArrivesOnce() throws SQLException {
        replicas.ddl(
                "CREATE TABLE audit(id INT GENERATED ALWAYS AS IDENTITY, what VARCHAR(100), u UUID)",
                "CREATE TRIGGER tr AFTER INSERT ON t REFERENCING NEW ROW AS n FOR EACH ROW"
                        + " INSERT INTO audit(what, u) VALUES(n.v, UUID())");
        replicas.update("INSERT INTO t VALUES(1, 'a'), (2, 'b')");
        replicas.assertIdentical("t", "audit");
        assertEquals(List.of("2|"), Replicas.read(replicas.readers.get(0), "SELECT COUNT(*) FROM audit"));
    }

    @Test
    void ddlThatWritesData() throws SQLException {
        numbers(100);
        replicas.ddl("CREATE TABLE copy AS (SELECT id, UUID() u FROM t) WITH DATA");
        replicas.assertIdentical("copy");
        replicas.ddl("ALTER TABLE t ADD COLUMN u TIMESTAMP(9) DEFAULT LOCALTIMESTAMP");
        replicas.assertIdentical("t");
        replicas.update("INSERT INTO t(id, v) VALUES(101, 'after')");
        replicas.update("UPDATE copy SET u = UUID() WHERE id = 5");
        replicas.assertIdentical("t", "copy");
        replicas.ddl("TRUNCATE TABLE copy AND COMMIT");
        replicas.update("INSERT INTO copy VALUES(1, UUID())");
        replicas.assertIdentical("copy");
        replicas.ddl("TRUNCATE TABLE t");
        replicas.assertIdentical("t");
    }

    /** The setting belongs to the session, and changes the meaning of its definitions. */
    @Test
    void definitionsOfASessionThatIgnoresCase() throws SQLException {
        replicas.update("SET IGNORECASE TRUE");
        replicas.ddl("CREATE TABLE ignoring(v VARCHAR(5))");
        replicas.update("SET IGNORECASE FALSE");
        replicas.ddl("CREATE TABLE minding(v VARCHAR(5))");
        replicas.update("INSERT INTO ignoring VALUES('a')");
        replicas.update("INSERT INTO minding VALUES('a')");
        replicas.assertIdentical("ignoring", "minding");
        EmbeddedSession reader = replicas.readers.get(0);
        assertEquals(List.of("a|"), Replicas.read(reader, "SELECT * FROM ignoring WHERE v = 'A'"));
        assertEquals(List.of(), Replicas.read(reader, "SELECT * FROM minding WHERE v = 'A'"));
    }

    @Test
    void everyOtherDdl() throws SQLException {
        numbers(10);
        replicas.stepByStep(
                List.of("SELECT * FROM t", "SELECT * FROM s.x", "SELECT * FROM s.y", "SELECT * FROM s.w"),
                "CREATE SCHEMA s",
                "CREATE TABLE s.x(a INT, b INT)",
                "INSERT INTO s.x SELECT id, id FROM t",
                "ALTER TABLE s.x ADD PRIMARY KEY(a)",
                "CREATE INDEX i ON s.x(b)",
                "CREATE UNIQUE INDEX j ON s.x(b, a)",
                "ALTER TABLE s.x ALTER COLUMN b BIGINT",
                "ALTER TABLE s.x ADD CONSTRAINT positive CHECK (b > 0)",
                "ALTER TABLE s.x ADD CONSTRAINT single UNIQUE (b)",
                "ALTER TABLE s.x ADD CONSTRAINT parent FOREIGN KEY (a) REFERENCES public.t(id) ON DELETE CASCADE",
                "ALTER TABLE s.x ALTER COLUMN b RENAME TO c",
                "ALTER TABLE s.x RENAME TO y",
                "UPDATE s.y SET c = c + 100 WHERE a > 5",
                "CREATE VIEW s.w AS SELECT a FROM s.y WHERE c > 100",
                "ALTER VIEW s.w AS SELECT a, c FROM s.y WHERE c > 101",
                "DELETE FROM t WHERE id = 8",
                "ALTER TABLE s.y DROP CONSTRAINT single",
                "ALTER TABLE s.y DROP CONSTRAINT parent",
                "ALTER CONSTRAINT s.positive RENAME TO plus",
                "ALTER TABLE s.y DROP CONSTRAINT plus",
                "ALTER TABLE s.y DROP PRIMARY KEY",
                "UPDATE s.y SET a = 1, c = -a WHERE a < 4",
                "DROP VIEW s.w",
                "ALTER TABLE t DROP COLUMN v",
                "ALTER TABLE t ADD COLUMN n BIGINT DEFAULT 5",
                "ALTER TABLE t ALTER COLUMN n SET DEFAULT 6",
                "INSERT INTO t(id) VALUES(99)",
                "CREATE SEQUENCE s.q START WITH 5",
                "ALTER SEQUENCE s.q RESTART WITH 50 INCREMENT BY 2 MAXVALUE 1000",
                "ALTER SEQUENCE s.q RENAME TO q2",
                "INSERT INTO s.y VALUES(NEXT VALUE FOR s.q2, 1)",
                "DROP SEQUENCE s.q2",
                "CREATE DOMAIN s.d AS INT CHECK (VALUE > 0)",
                "ALTER DOMAIN s.d SET DEFAULT 3",
                "CREATE TYPE s.money AS DECIMAL(10, 2)",
                "CREATE FUNCTION s.f(x INT) RETURNS INT RETURN x + 1",
                "CREATE PROCEDURE s.p(OUT x INT) SET x = 1",
                "DROP FUNCTION s.f",
                "CREATE USER u PASSWORD 'secret'",
                "GRANT SELECT ON s.y TO u",
                "CREATE ROLE r",
                "GRANT r TO u",
                "REVOKE r FROM u RESTRICT",
                "ALTER USER u SET PASSWORD 'another'",
                "DROP USER u",
                "COMMENT ON TABLE s.y IS 'why'",
                "CREATE SYNONYM syn FOR s.y",
                "DROP SYNONYM syn",
                "ALTER INDEX s.i RENAME TO k",
                "DROP INDEX s.k",
                "SET DATABASE SQL SYNTAX PGS TRUE");
        replicas.update("UPDATE s.y SET c = c + 1 WHERE a > 5");
        replicas.update("INSERT INTO t(id) VALUES(100)");
        replicas.assertIdentical("s.y", "t");
        replicas.stepByStep(
                List.of("SELECT * FROM t"),
                "DROP TABLE s.y CASCADE",
                "ALTER SCHEMA s RENAME TO z",
                "DROP SCHEMA z CASCADE");
    }
}
