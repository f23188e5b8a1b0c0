package io.multimed.jdbc.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecogniserTest {
    private static SqlText h2(String sql) {
        return new Recogniser(Grammar.of(Dialect.H2)).recognise(sql);
    }

    private static SqlText hsqldb(String sql) {
        return new Recogniser(Grammar.of(Dialect.HSQLDB)).recognise(sql);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 1",
                " /* hint */ select a, b from t where a = ? and b in (1, 2) -- end",
                "(SELECT 1) UNION (SELECT 2)",
                "WITH x(a, b) AS (SELECT 1, 2) SELECT count(*), max(a) FROM x GROUP BY (b)",
                "VALUES (1, 'a;b')",
                "TABLE t",
                "SELECT CAST(a AS DECIMAL(10, 2)), COALESCE(b, 'x') FROM s.t ORDER BY 1 FETCH NEXT 3 ROWS ONLY",
                "SELECT \"update\" FROM t",
                "SELECT 'INSERT INTO x' FROM t",
                "SELECT EXISTS (SELECT 1 FROM t), SUM(a) OVER (PARTITION BY b) FROM t;"
            })
    void aQueryWithoutEffectIsARead(String sql) {
        assertEquals(SqlKind.READ, h2(sql).kind());
        assertEquals(SqlKind.READ, hsqldb(sql).kind());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT NEXT VALUE FOR s",
                "SELECT s.NEXTVAL FROM DUAL",
                "SELECT CURRENT VALUE FOR s",
                "SELECT nextval('s')",
                "SELECT a FROM FINAL TABLE (INSERT INTO t VALUES (1))",
                "SELECT a FROM NEW TABLE (x)",
                "SELECT a FROM OLD TABLE (DELETE FROM t)",
                "SELECT a FROM t FOR UPDATE",
                "SELECT a FROM t FOR SHARE",
                "SELECT my_function(1)",
                "SELECT \"my function\"(1)",
                "SELECT abs.abs(1)",
                "SELECT rand()",
                "SELECT session_id()",
                "SELECT file_read('/etc/passwd')",
                "SELECT @v",
                "SELECT set(@v, 1)",
                "SELECT `a` FROM t",
                "SELECT $$a$$",
                "SELECT a INTO b FROM t",
                "SELECT * FROM information_schema.tables",
                "SELECT * FROM \"INFORMATION_SCHEMA\".tables",
                "SELECT _rowid_ FROM t",
                "WITH x AS (SELECT 1) INSERT INTO t SELECT * FROM x",
                "SELECT 'unclosed",
                "SELECT 1 // comment",
                "SELECT 1 /* nested /* comment */ */",
                "SELECT last_insert_id()",
                "SELECT * FROM csvread('x')"
            })
    void whatMayHaveAnEffectGoesToTheMaster(String sql) {
        assertFalse(h2(sql).isRead(), sql);
        assertFalse(hsqldb(sql).isRead(), sql);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "commit | COMMIT | ",
                "COMMIT WORK | COMMIT | ",
                "/* x */ rollback; | ROLLBACK | ",
                "SAVEPOINT a | WRITE | ",
                "ROLLBACK TO SAVEPOINT a | WRITE | ",
                "ROLLBACK WORK TO a | WRITE | ",
                "RELEASE SAVEPOINT a | WRITE | ",
                "SET AUTOCOMMIT FALSE | AUTOCOMMIT_OFF | ",
                "SET AUTOCOMMIT = ON | AUTOCOMMIT_ON | ",
                "BEGIN | BEGIN | ",
                "COMMIT TRANSACTION x | WRITE | ",
                "ROLLBACK TRANSACTION x | WRITE | ",
                "SET SCHEMA s | SETTING | SCHEMA",
                "SET TIME ZONE 'UTC' | SETTING | TIME",
                "SET @x = 1 | WRITE | ",
                "SET CACHE_SIZE 100 | DDL | ",
                "SET MODE MySQL | DDL | ",
                "CREATE TABLE t(a INT) | DDL | ",
                "create local temporary table t(a int) | PRIVATE_COMMITTING | ",
                "CREATE LOCAL TEMPORARY TABLE transactional(transactional INT) | PRIVATE_COMMITTING | ",
                "CREATE LOCAL TEMPORARY TABLE t AS SELECT transactional FROM u | PRIVATE_COMMITTING | ",
                "CREATE LOCAL TEMPORARY TABLE t(a INT) NOT PERSISTENT TRANSACTIONAL | PRIVATE | ",
                "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SERIALIZABLE | COMMITTING | ",
                "PREPARE p(INT) AS DELETE FROM t WHERE a = ? | COMMITTING | ",
                "DEALLOCATE p | COMMITTING | ",
                "SCRIPT | COMMITTING | ",
                "REFRESH MATERIALIZED VIEW v | DDL | ",
                "TRUNCATE TABLE t | DDL | ",
                "RUNSCRIPT FROM 'x' | OPAQUE | ",
                "EXECUTE IMMEDIATE 'CREATE TABLE t(a INT)' | DDL | ",
                "EXECUTE IMMEDIATE 'INSERT INTO t VALUES (1)' | WRITE | ",
                "EXECUTE p(1) | OPAQUE | ",
                "SHUTDOWN | SHUTDOWN | ",
                "INSERT INTO t VALUES (1) | CHANGE | ",
                "MERGE INTO t KEY (a) VALUES (1) | CHANGE | ",
                "CALL f() | WRITE | ",
                "SHOW MULTIMED NODES | MULTIMED | ",
                "SET multimed.freshness = 'session' | MULTIMED | ",
                "SHOW TABLES | WRITE | "
            })
    void statementsOfH2AreToldApart(String sql, SqlKind kind, String name) {
        SqlText text = h2(sql);
        assertEquals(kind, text.kind());
        assertEquals(name == null ? "" : name, text.name());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "START TRANSACTION | BEGIN",
                "COMMIT AND NO CHAIN | COMMIT",
                "COMMIT AND CHAIN | WRITE",
                "SCRIPT | WRITE",
                "DECLARE LOCAL TEMPORARY TABLE t(a INT) | PRIVATE",
                "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY | WRITE",
                "SET SESSION AUTHORIZATION 'x' | PRIVATE",
                "SET DATABASE TRANSACTION CONTROL MVCC | DDL",
                "SET FILES LOG FALSE | DDL",
                "CONNECT USER x PASSWORD 'y' | PRIVATE",
                "CREATE PROCEDURE p() MODIFIES SQL DATA BEGIN ATOMIC INSERT INTO t VALUES (1); DELETE FROM t; END | DDL"
            })
    void statementsOfHsqldbAreToldApart(String sql, SqlKind kind) {
        assertEquals(kind, hsqldb(sql).kind());
    }

    @Test
    void aTextOfSeveralStatementsIsSplitOnlyWhenItHoldsMoreThanChanges() {
        SqlText several = h2("INSERT INTO t VALUES (';'); COMMIT; SELECT 1;");
        assertEquals(SqlKind.SEVERAL, several.kind());
        assertEquals(
                java.util.List.of(SqlKind.CHANGE, SqlKind.COMMIT, SqlKind.READ),
                several.parts().stream().map(SqlText::kind).toList());
        assertEquals("INSERT INTO t VALUES (';')", several.parts().get(0).sql());
        assertEquals(
                SqlKind.WRITE, h2("INSERT INTO t VALUES (1); DELETE FROM t").kind());
    }

    @Test
    void aReadOfWhatTheCatalogKeepsForTheMasterIsNotReadable() {
        SqlText read = h2("SELECT * FROM s.my_view WHERE a = 1");
        assertTrue(read.isReadable(Catalog.EMPTY));
        assertFalse(read.isReadable(new Catalog(Set.of("MY_VIEW"))));
        assertTrue(read.isReadable(new Catalog(Set.of("OTHER_VIEW"))));
    }

    @Test
    void aTextSeenBeforeIsRecognisedOnce() {
        SqlTexts texts = SqlTexts.all(Dialect.H2);
        SqlText first = texts.of("SELECT 1");
        assertSame(first, texts.of(new String("SELECT 1")));
        for (int i = 0; i < 10_000; i++) {
            texts.of("SELECT " + i);
        }
        assertEquals(SqlKind.READ, texts.of("SELECT 1").kind());
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void noTextMakesItFail(Dialect dialect) {
        String[] pieces = {
            "SELECT", "'", "\"", "(", ")", ";", "--", "/*", "*/", "\n", "BEGIN", "$", "@", "SET", "1e", "\0", "é",
            "COMMIT", ".", "U&'", "N'"
        };
        Random random = new Random(42);
        Recogniser recogniser = new Recogniser(Grammar.of(dialect));
        for (int i = 0; i < 20_000; i++) {
            StringBuilder sql = new StringBuilder();
            for (int j = random.nextInt(12); j >= 0; j--) {
                sql.append(pieces[random.nextInt(pieces.length)]).append(random.nextBoolean() ? " " : "");
            }
            assertEquals(sql.toString(), recogniser.recognise(sql.toString()).sql());
        }
    }
}
