package io.multimed.engine.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.StringReader;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** After each feature of HSQLDB all replicas are identical, row by row, whatever the Master's transaction mode. */
@ParameterizedClass
@ValueSource(strings = {"locks", "mvlocks", "mvcc"})
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

    /** HSQLDB goes no further. */
    @Override
    int rowsOfTheFailedBatch() {
        return 2;
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
        EmbeddedSession writer = replicas.writer;
        writer.beforeUpdate();
        try (PreparedStatement insert = writer.master().prepareStatement("INSERT INTO l VALUES(?, ?, ?)")) {
            insert.setInt(1, 1);
            insert.setCharacterStream(2, new StringReader(text), text.length());
            insert.setBytes(3, new byte[100_000]);
            insert.execute();
        }
        writer.afterUpdate();
        replicas.update("INSERT INTO l VALUES(2, 'short', X'01')");
        replicas.update("INSERT INTO keyless VALUES('a')");
        replicas.update("INSERT INTO keyless VALUES('b')");
        String lengths =
                "(SELECT id, CHAR_LENGTH(c) x, OCTET_LENGTH(b) y, CAST(SUBSTRING(c FROM 1 FOR 50) AS VARCHAR(50)) z FROM l)";
        replicas.assertIdentical("(SELECT CAST(c AS VARCHAR(10)) FROM keyless)", lengths);
        replicas.update("UPDATE l SET c = 'x' WHERE id = 1");
        replicas.update("DELETE FROM l WHERE id = 2");
        replicas.update("DELETE FROM keyless WHERE c = 'a'");
        replicas.assertIdentical("(SELECT CAST(c AS VARCHAR(10)) FROM keyless)", lengths);
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

    @Test
    void everyOtherDdl() throws SQLException {
        numbers(10);
        replicas.ddl(
                "CREATE SCHEMA s",
                "CREATE TABLE s.x(a INT, b INT)",
                "INSERT INTO s.x SELECT id, id FROM t",
                "ALTER TABLE s.x ADD PRIMARY KEY(a)",
                "CREATE INDEX i ON s.x(b)",
                "CREATE UNIQUE INDEX j ON s.x(b, a)",
                "ALTER TABLE s.x ALTER COLUMN b BIGINT",
                "ALTER TABLE s.x ADD CONSTRAINT positive CHECK (b > 0)",
                "ALTER TABLE s.x ALTER COLUMN b RENAME TO c",
                "ALTER TABLE s.x RENAME TO y",
                "ALTER TABLE t DROP COLUMN v",
                "ALTER TABLE t ADD COLUMN n BIGINT DEFAULT 5",
                "CREATE SEQUENCE s.q START WITH 5",
                "CREATE DOMAIN s.d AS INT CHECK (VALUE > 0)",
                "CREATE FUNCTION s.f(x INT) RETURNS INT RETURN x + 1",
                "CREATE USER u PASSWORD 'secret'",
                "GRANT SELECT ON s.y TO u",
                "CREATE ROLE r",
                "COMMENT ON TABLE s.y IS 'why'",
                "DROP INDEX s.i",
                "SET DATABASE SQL SYNTAX PGS TRUE");
        replicas.update("UPDATE s.y SET c = c + 1 WHERE a > 5");
        replicas.update("INSERT INTO t(id) VALUES(100)");
        replicas.assertIdentical("s.y", "t");
        replicas.ddl("DROP TABLE s.y CASCADE", "ALTER SCHEMA s RENAME TO z");
        replicas.assertIdentical("t");
    }
}
