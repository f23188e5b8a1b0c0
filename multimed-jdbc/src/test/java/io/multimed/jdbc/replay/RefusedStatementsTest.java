package io.multimed.jdbc.replay;

import static io.multimed.jdbc.Sql.execute;
import static io.multimed.jdbc.Sql.value;
import static io.multimed.jdbc.replay.RepeatedDatabase.assertEqualEverywhere;
import static io.multimed.jdbc.replay.RepeatedDatabase.connect;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringReader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that statements that might differ between replicas are refused with the cause, and have no effect. */
@Tag("slow")
class RefusedStatementsTest {
    /** Statements that the engine itself refuses to prepare, since they name missing objects. */
    private static final Pattern NOT_PREPARED =
            Pattern.compile("CURRENT DATE|NEXT VALUE|MINE\\(A\\)|WITH UR|CURRENT OF", Pattern.CASE_INSENSITIVE);

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "DERBY  | INSERT INTO T(D) VALUES (CURRENT_TIMESTAMP) | CURRENT_TIMESTAMP",
                "DERBY  | INSERT INTO T(D) VALUES (CURRENT DATE) | CURRENT",
                "DERBY  | INSERT INTO T(C) VALUES (CURRENT_USER) | CURRENT_USER",
                "DERBY  | INSERT INTO T(C) VALUES (USER) | USER",
                "DERBY  | INSERT INTO T(A) VALUES (RANDOM()) | RANDOM(…)",
                "DERBY  | UPDATE T SET A = RAND(1) | RAND(…)",
                "DERBY  | UPDATE T SET A = {fn RAND(1)} | RAND(…)",
                "DERBY  | UPDATE T SET A = IDENTITY_VAL_LOCAL() | IDENTITY_VAL_LOCAL(…)",
                "DERBY  | UPDATE T SET A = NEXT VALUE FOR S | NEXT",
                "DERBY  | UPDATE T SET A = APP.MINE(A) | MINE(…)",
                "DERBY  | UPDATE T SET A = (SELECT SUM(B) FROM T) | SUM(…)",
                "DERBY  | INSERT INTO T(A) SELECT A FROM T ORDER BY A FETCH FIRST 2 ROWS ONLY | FETCH",
                "DERBY  | INSERT INTO T(A) SELECT A FROM T OFFSET 1 ROW | OFFSET",
                "DERBY  | INSERT INTO T(A) SELECT ROW_NUMBER() OVER () FROM T | ROW_NUMBER(…)",
                "DERBY  | INSERT INTO T(A) SELECT A FROM T WITH UR | WITH UR",
                "DERBY  | INSERT INTO T(A) SELECT A FROM T WHERE A=1FETCH FIRST 1 ROW ONLY | at position",
                "DERBY  | INSERT INTO T(C) SELECT DISTINCT C FROM T | DISTINCT",
                "DERBY  | INSERT INTO T(C) SELECT C FROM T GROUP BY C | GROUP",
                "DERBY  | INSERT INTO T(C) SELECT C FROM T UNION SELECT C FROM T | UNION",
                "DERBY  | UPDATE T SET C = (SELECT MAX(C) FROM T) | MAX",
                "DERBY  | UPDATE T SET C = (SELECT COALESCE(MIN(C), 'x') FROM T) | MIN",
                "DERBY  | DELETE FROM T WHERE CURRENT OF C | CURRENT",
                "DERBY  | CREATE SEQUENCE S | CREATE SEQUENCE",
                "DERBY  | CREATE TABLE U(A INT GENERATED ALWAYS AS IDENTITY) | IDENTITY",
                "DERBY  | CREATE TABLE U(A TIMESTAMP DEFAULT CURRENT_TIMESTAMP) | CURRENT_TIMESTAMP",
                "DERBY  | CREATE FUNCTION MINE(A INT) RETURNS INT LANGUAGE JAVA PARAMETER STYLE JAVA"
                        + " EXTERNAL NAME 'a.b' | CREATE FUNCTION",
                "DERBY  | CREATE TRIGGER G AFTER INSERT ON T DELETE FROM T | TRIGGER",
                "DERBY  | DECLARE GLOBAL TEMPORARY TABLE G(A INT) NOT LOGGED | DECLARE",
                "DERBY  | SET ISOLATION READ UNCOMMITTED | SET ISOLATION",
                "DERBY  | CALL SYSCS_UTIL.SYSCS_SET_DATABASE_PROPERTY('a', 'b') | CALL",
                "DERBY  | SAVEPOINT S ON ROLLBACK RETAIN CURSORS | setSavepoint",
                "SQLITE | INSERT INTO T(A) VALUES (random()) | RANDOM(…)",
                "SQLITE | INSERT INTO T(A) VALUES (abs(random() % 10)) | RANDOM(…)",
                "SQLITE | INSERT INTO T(C) VALUES (hex(randomblob(16))) | RANDOMBLOB(…)",
                "SQLITE | INSERT INTO T(C) VALUES (\"random\"()) | \"random\"(…)",
                "SQLITE | INSERT INTO T(C) VALUES ([random]()) | in brackets",
                "SQLITE | INSERT INTO T(C) VALUES (`random`()) | at position",
                "SQLITE | INSERT INTO T(D) VALUES (CURRENT_TIMESTAMP) | CURRENT_TIMESTAMP",
                "SQLITE | INSERT INTO T(D) VALUES (datetime('now')) | DATETIME(…)",
                "SQLITE | INSERT INTO T(D) VALUES (date('now')) | DATE(…)",
                "SQLITE | INSERT INTO T(D) VALUES (time()) | TIME(…)",
                "SQLITE | UPDATE T SET A = last_insert_rowid() | LAST_INSERT_ROWID(…)",
                "SQLITE | UPDATE T SET B = (SELECT SUM(B) FROM T) | SUM(…)",
                "SQLITE | UPDATE T SET A = X.A FROM T AS X | FROM",
                "SQLITE | WITH X(A) AS (SELECT 1) UPDATE T SET A = X.A FROM X | FROM",
                "SQLITE | UPDATE T SET A = changes() | CHANGES(…)",
                "SQLITE | DELETE FROM T WHERE A IN (SELECT A FROM T LIMIT 1) | LIMIT",
                "SQLITE | UPDATE T SET C = (SELECT group_concat(C) FROM T) | GROUP_CONCAT(…)",
                "SQLITE | UPDATE T SET A = mine(A) | MINE(…)",
                "SQLITE | WITH X(A) AS (SELECT random()) INSERT INTO T(A) SELECT A FROM X | RANDOM(…)",
                "SQLITE | WITH X(A) AS (SELECT random()) REPLACE INTO T(A) SELECT A FROM X | RANDOM(…)",
                "SQLITE | INSERT OR ROLLBACK INTO T(A) VALUES (1) | ROLLBACK",
                "SQLITE | INSERT OR FAIL INTO T(A) VALUES (1) | FAIL",
                "SQLITE | INSERT INTO T(A) VALUES (1) RETURNING A | RETURNING",
                "SQLITE | CREATE TABLE U(A DEFAULT CURRENT_TIMESTAMP) | CURRENT_TIMESTAMP",
                "SQLITE | CREATE TABLE U(A DEFAULT (random())) | RANDOM(…)",
                "SQLITE | CREATE TABLE U(A DEFAULT (CASE WHEN 1 THEN randomblob(5) END)) | RANDOMBLOB(…)",
                "SQLITE | CREATE TABLE U AS SELECT randomblob(5) AS A | RANDOMBLOB(…)",
                "SQLITE | CREATE TABLE U AS SELECT A FROM (SELECT randomblob(5) AS A) | RANDOMBLOB(…)",
                "SQLITE | CREATE TEMP TABLE U(A) | CREATE TEMP",
                "SQLITE | CREATE TABLE IF NOT EXISTS temp.U(A) | TEMP",
                "SQLITE | CREATE TABLE IF NOT EXISTS \"temp\".U(A) | temp",
                "SQLITE | ANALYZE | ANALYZE",
                "SQLITE | CREATE TRIGGER G AFTER INSERT ON T BEGIN UPDATE T SET A = random(); END | RANDOM(…)",
                "SQLITE | ATTACH 'other' AS O | ATTACH",
                "SQLITE | CREATE TABLE U AS SELECT ? AS A | a parameter",
                "SQLITE | CREATE TABLE U AS SELECT :a AS A | a parameter",
                "SQLITE | PRAGMA foreign_keys = ON | PRAGMA",
                "SQLITE | VACUUM | VACUUM",
                "DUCKDB | INSERT INTO T(D) VALUES (CURRENT_TIMESTAMP) | CURRENT_TIMESTAMP",
                "DUCKDB | INSERT INTO T(D) VALUES (now()) | NOW",
                "DUCKDB | INSERT INTO T(D) VALUES (get_current_timestamp()) | GET_CURRENT_TIMESTAMP(…)",
                "DUCKDB | INSERT INTO T(C) VALUES ('today') | 'today'",
                "DUCKDB | INSERT INTO T(D) VALUES ({fn now()}) | NOW",
                "DUCKDB | INSERT INTO T(A) VALUES (random()) | RANDOM(…)",
                "DUCKDB | INSERT INTO T(C) VALUES (uuid()) | UUID(…)",
                "DUCKDB | INSERT INTO T(A) VALUES (nextval('s')) | NEXTVAL",
                "DUCKDB | INSERT INTO T(A) VALUES (date('2020-01-01')) | DATE(…)",
                "DUCKDB | INSERT INTO T(A) SELECT first(A) FROM T | FIRST(…)",
                "DUCKDB | INSERT INTO T(A) SELECT A FROM T LIMIT 1 | LIMIT",
                "DUCKDB | INSERT INTO T(A) SELECT A FROM T USING SAMPLE 1 | SAMPLE",
                "DUCKDB | INSERT INTO T(A) SELECT A FROM T QUALIFY row_number() OVER () = 1 | ROW_NUMBER(…)",
                "DUCKDB | INSERT INTO T(A) SELECT rowid FROM T | ROWID",
                "DUCKDB | INSERT INTO T(A) SELECT A FROM T GROUP BY A | GROUP",
                "DUCKDB | INSERT INTO T(B) SELECT SUM(B) FROM T | SUM(…)",
                "DUCKDB | INSERT INTO T(A) SELECT A FROM read_csv('x') | READ_CSV(…)",
                "DUCKDB | INSERT OR REPLACE INTO T(A) VALUES (1) | REPLACE",
                "DUCKDB | INSERT INTO T(A) SELECT 1 ON CONFLICT DO NOTHING | CONFLICT",
                "DUCKDB | UPDATE T SET A = X.A FROM T AS X | FROM",
                "DUCKDB | MERGE INTO T USING T AS U ON T.A = U.A WHEN MATCHED THEN DELETE | MERGE",
                "DUCKDB | DELETE FROM T RETURNING A | RETURNING",
                "DUCKDB | WITH X AS (SELECT random() AS A) INSERT INTO T(A) SELECT A FROM X | RANDOM(…)",
                "DUCKDB | SELECT nextval('s') | NEXTVAL",
                "DUCKDB | SELECT mine(A) FROM T | MINE(…)",
                "DUCKDB | SELECT main.mine(A) FROM T | MINE(…)",
                "DUCKDB | SELECT A FROM T WHERE A IN (SELECT \"mine\"(1)) | \"mine\"(…)",
                "DUCKDB | CREATE SEQUENCE S | CREATE SEQUENCE",
                "DUCKDB | CREATE MACRO M(A) AS A + random() | CREATE MACRO",
                "DUCKDB | CREATE OR REPLACE MACRO M(A) AS A + random() | CREATE MACRO",
                "DUCKDB | CREATE TYPE E AS ENUM ('a') | CREATE TYPE",
                "DUCKDB | CREATE TEMP TABLE U(A INT) | CREATE TEMP",
                "DUCKDB | CREATE OR REPLACE TEMP TABLE U(A INT) | CREATE TEMP",
                "DUCKDB | CREATE TABLE temp.U(A INT) | TEMP",
                "DUCKDB | CREATE TABLE \"temp\".U(A INT) | temp",
                "DUCKDB | CREATE TABLE U(A TIMESTAMP DEFAULT CURRENT_TIMESTAMP) | CURRENT_TIMESTAMP",
                "DUCKDB | CREATE TABLE U(A INT DEFAULT (random())) | RANDOM(…)",
                "DUCKDB | CREATE TABLE U AS SELECT random() AS A | RANDOM(…)",
                "DUCKDB | CREATE VIEW U AS SELECT random() AS A | RANDOM(…)",
                "DUCKDB | FROM T | FROM",
                "DUCKDB | COPY T FROM 'x' | COPY",
                "DUCKDB | ATTACH 'x' AS O | ATTACH",
                "DUCKDB | SET threads = 1 | SET THREADS",
                "DUCKDB | SET schema = 'temp' | SET SCHEMA",
                "DUCKDB | PRAGMA enable_profiling | PRAGMA",
                "DUCKDB | EXPLAIN ANALYZE DELETE FROM T | EXPLAIN",
                "DUCKDB | CALL pragma_version() | CALL",
                "DUCKDB | VACUUM | VACUUM",
                "DUCKDB | CHECKPOINT | CHECKPOINT"
            })
    void aStatementIsRefused(RepeatedDatabase engine, String sql, String name) throws SQLException {
        String url = engine.url(directory, 2);
        try (Connection connection = connect(url)) {
            execute(connection, "CREATE TABLE T(A INT, B DOUBLE, C VARCHAR(100), D TIMESTAMP)");
            SQLException refused = assertThrows(SQLException.class, () -> execute(connection, sql));
            assertEquals("0A000", refused.getSQLState(), refused.getMessage());
            assertTrue(refused.getMessage().contains(name), refused.getMessage());
            SQLException prepared = assertThrows(SQLException.class, () -> {
                try (PreparedStatement statement = connection.prepareStatement(sql)) {
                    statement.execute();
                }
            });
            boolean engineObjects = NOT_PREPARED.matcher(sql).find();
            if (engine != RepeatedDatabase.DUCKDB) {
                // This engine refuses much in its own way.
                assertEquals(!engineObjects, "0A000".equals(prepared.getSQLState()), prepared.toString());
            }
            assertEqualEverywhere(url, 2, "T");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "DERBY  | INSERT INTO T(A, C) VALUES (ABS(-3), UPPER('x')), (4, 'CURRENT_TIMESTAMP')",
                "DERBY  | INSERT INTO T(D) VALUES (TIMESTAMP('2020-01-01 00:00:00'))",
                "DERBY  | UPDATE T SET A = (SELECT MAX(A) + 1 FROM T), C = CAST(A AS CHAR(5)) WHERE A IN (SELECT A FROM T)",
                "DERBY  | INSERT INTO T(A) SELECT COALESCE(MAX(A), 0) + 1 FROM T",
                "DERBY  | INSERT INTO T(A, C) SELECT COUNT(DISTINCT C), 'x' FROM T UNION ALL SELECT 2, 'y' FROM T",
                "DERBY  | CREATE UNIQUE INDEX I ON T(A)",
                "DERBY  | CREATE TABLE U(A BLOB(64K))",
                "DERBY  | CREATE TABLE U(A INT PRIMARY KEY, B DECIMAL(9,2) DEFAULT 1, CONSTRAINT C CHECK (B > 0))",
                "DERBY  | TRUNCATE TABLE T",
                "SQLITE | INSERT INTO T(A, C) VALUES (abs(-3), upper('x')), (4, 'random()')",
                "SQLITE | INSERT INTO T(A) SELECT A FROM T",
                "SQLITE | WITH X(A) AS (SELECT 5) INSERT INTO T(A) SELECT A FROM X",
                "SQLITE | WITH X(A) AS (SELECT 5) REPLACE INTO T(A) SELECT A FROM X",
                "SQLITE | UPDATE T SET A = (SELECT MAX(A) FROM T) WHERE A IS DISTINCT FROM 3",
                "SQLITE | CREATE TABLE U(A NVARCHAR2(10), B DATE(10))",
                "SQLITE | INSERT OR REPLACE INTO T(A) VALUES (1)",
                "SQLITE | CREATE TABLE U(A VARCHAR(10) PRIMARY KEY, B REFERENCES T(A), CHECK (A <> ''))",
                "SQLITE | CREATE TRIGGER G AFTER INSERT ON T BEGIN UPDATE T SET A = 1; DELETE FROM T WHERE A = 2; END",
                "SQLITE | CREATE VIEW W AS SELECT A FROM T",
                "SQLITE | CREATE INDEX I ON T(A, lower(C))",
                "DUCKDB | INSERT INTO T(A, C) VALUES (abs(-3), upper('x')), (4, 'random()')",
                "DUCKDB | INSERT INTO T(D) VALUES (TIMESTAMP '2020-01-01 00:00:00')",
                "DUCKDB | INSERT INTO T(A) SELECT A FROM T",
                "DUCKDB | INSERT INTO T(A, C) SELECT COUNT(DISTINCT C), 'x' FROM T UNION ALL SELECT 2, 'y' FROM T",
                "DUCKDB | WITH X(A) AS (SELECT 5) INSERT INTO T(A) SELECT A FROM X",
                "DUCKDB | UPDATE T SET A = (SELECT MAX(A) + 1 FROM T), C = CAST(A AS VARCHAR(5)) WHERE A IN (SELECT A FROM T)",
                "DUCKDB | UPDATE T SET A = 3 WHERE A IS DISTINCT FROM 3",
                "DUCKDB | DELETE FROM T USING T AS U WHERE T.A = U.A + 1",
                "DUCKDB | CREATE OR REPLACE TABLE U(A INT PRIMARY KEY, B DECIMAL(9,2) DEFAULT 1, CHECK (B > 0))",
                "DUCKDB | CREATE TABLE U AS SELECT A FROM T WHERE A > 0",
                "DUCKDB | CREATE OR REPLACE VIEW W AS SELECT A FROM T",
                "DUCKDB | CREATE UNIQUE INDEX I ON T(A)",
                "DUCKDB | ALTER TABLE T ADD COLUMN E INTEGER DEFAULT 3",
                "DUCKDB | TRUNCATE TABLE T"
            })
    void aStatementThatMeansTheSameEverywhereRuns(RepeatedDatabase engine, String sql) throws SQLException {
        String url = engine.url(directory, 2);
        try (Connection connection = connect(url)) {
            execute(connection, "CREATE TABLE T(A INT, B DOUBLE PRECISION, C VARCHAR(100), D TIMESTAMP)");
            execute(connection, "INSERT INTO T(A) VALUES (1)", sql);
            execute(connection, "INSERT INTO T(A) VALUES (7)");
            assertEqualEverywhere(url, 2, "T");
        }
    }

    /** For SQLite a comment ends with its line, of which a carriage return is a part. */
    @ParameterizedTest
    @EnumSource
    void nothingHidesBehindACommentWhoseEndDependsOnTheEngine(RepeatedDatabase engine) throws SQLException {
        try (Connection connection = connect(engine.url(directory, 2))) {
            execute(connection, "CREATE TABLE T(A INT)");
            SQLException refused = assertThrows(
                    SQLException.class,
                    () -> execute(connection, "INSERT INTO T(A) VALUES (1 --\r '\n + random()) -- '\n)"));
            assertEquals("0A000", refused.getSQLState());
        }
    }

    @ParameterizedTest
    @EnumSource
    void aParameterThatCanBeReadOnlyOnceIsRefused(RepeatedDatabase engine) throws SQLException {
        try (Connection connection = connect(engine.url(directory, 2))) {
            execute(connection, "CREATE TABLE T(C VARCHAR(100))");
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO T VALUES (?)")) {
                SQLException refused =
                        assertThrows(SQLException.class, () -> insert.setCharacterStream(1, new StringReader("text")));
                assertEquals("0A000", refused.getSQLState());
            }
        }
    }

    /** Objects of one session alone are refused, even through the connection's own methods. */
    @Test
    void namesAreNotLookedUpWhereReplicasDoNot() throws SQLException {
        try (Connection connection = connect(RepeatedDatabase.DUCKDB.url(directory, 2))) {
            assertEquals(
                    "0A000",
                    assertThrows(SQLException.class, () -> connection.setSchema("temp"))
                            .getSQLState());
            execute(connection, "CREATE SCHEMA s", "CREATE TABLE s.T(A INT)");
            connection.setSchema("s");
            execute(connection, "INSERT INTO T VALUES (1)");
            assertEquals("1", value(connection, "SELECT A FROM T"));
            assertEquals("satellite: a read by itself", value(connection, "SHOW multimed.route"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void namesAreLookedUpInNoOtherDatabase(RepeatedDatabase engine) throws SQLException {
        try (Connection connection = connect(engine.url(directory, 2))) {
            String catalog = connection.getCatalog();
            SQLException refused = assertThrows(SQLException.class, () -> connection.setCatalog("temp"));
            assertEquals("0A000", refused.getSQLState());
            assertEquals(catalog, connection.getCatalog());
        }
    }

    @ParameterizedTest
    @EnumSource
    void nobodyGetsItUnasked(RepeatedDatabase engine) {
        String url = engine.url(directory, 2).replace(";propagation=statements", "");
        SQLException refused = assertThrows(SQLException.class, () -> connect(url));
        assertEquals("0A000", refused.getSQLState());
        assertTrue(refused.getMessage().contains("add propagation=statements"), refused.getMessage());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CREATE TABLE T(A INT GENERATED BY DEFAULT AS IDENTITY) | identity columns",
                "CREATE TABLE T(A TIMESTAMP DEFAULT CURRENT_TIMESTAMP) | default",
                "CREATE SYNONYM S FOR SYS.SYSTABLES | synonyms"
            })
    void aDatabaseThatHoldsSuchThingsIsRefused(String definition, String what) throws SQLException {
        String url = RepeatedDatabase.DERBY.url(directory, 2);
        String plain = "jdbc:" + url.substring("jdbc:multimed:".length(), url.indexOf(";replicas"));
        try (Connection connection = DriverManager.getConnection(plain)) {
            execute(connection, definition);
        }
        SQLException refused = assertThrows(SQLException.class, () -> connect(url));
        assertEquals("0A000", refused.getSQLState());
        assertTrue(refused.getMessage().contains(what), refused.getMessage());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "derby://host/x",
                "sqlite::memory:",
                "sqlite:file:x?mode=memory&cache=shared",
                "duckdb:",
                "duckdb::memory:"
            })
    void aDatabaseElsewhereOrOfOneConnectionIsRefused(String engine) {
        SQLException refused = assertThrows(
                SQLException.class, () -> connect("jdbc:multimed:" + engine + ";replicas=2;propagation=statements"));
        assertTrue(List.of("0A000", "08001").contains(refused.getSQLState()), refused.toString());
    }
}
