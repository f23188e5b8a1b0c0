package io.multimed.sql.mysql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.sql.mysql.MysqlStatement.Boundary;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MysqlStatementsTest {
    private static MysqlStatement examine(String text) {
        return MysqlStatements.examine(text, false, false);
    }

    private static void assertReads(String text, String... tables) {
        MysqlStatement statement = examine(text);
        assertTrue(statement.isRead(), text);
        assertEquals(Set.of(tables), statement.tables(), text);
        assertTrue(
                MysqlParser.parse(statement.shape(), false) || MysqlParser.parse(statement.shape(), true),
                statement.shape());
    }

    @Test
    void queriesAndTheirTablesAreFound() {
        assertReads("SELECT 1");
        assertReads("select * from item", "item");
        assertReads("SELECT * FROM shop.item i, `order` AS o WHERE i.id = o.item", "shop\0item", "order");
        assertReads(
                "SELECT a.x FROM a JOIN b ON (a.id = b.id) LEFT JOIN c USING (id) WHERE a.n IN (1, 2)", "a", "b", "c");
        assertReads(
                "SELECT COUNT(*), MAX(x) FROM t WHERE y > (SELECT AVG(z) FROM u) GROUP BY w HAVING COUNT(*) > 1",
                "t",
                "u");
        assertReads("SELECT * FROM (SELECT id FROM t ORDER BY id LIMIT 5) AS s, u", "t", "u");
        assertReads("(SELECT 1 FROM a) UNION ALL (SELECT 2 FROM b) ORDER BY 1", "a", "b");
        assertReads("WITH x AS (SELECT id FROM t) SELECT * FROM x JOIN u ON x.id = u.id", "t", "u");
        assertReads("SELECT EXTRACT(YEAR FROM d), TRIM(BOTH ' ' FROM n), SUBSTRING(n FROM 2) FROM t", "t");
        assertReads("SELECT 'it''s', \"a \\\" b\", 'c \\' FROM d' FROM t -- FROM u", "t");
        assertReads("SELECT 1 FROM t # FROM u\n WHERE x = 1", "t");
        assertReads("SELECT /* FROM u */ 1 FROM t;", "t");
        assertReads("SELECT IFNULL((SELECT MAX(x) FROM u), 0) FROM t", "t", "u");
        assertReads("SELECT t.from_date, t.`for` FROM t", "t");
        assertReads("SELECT 1 FROM DUAL");
        assertReads("SELECT REPLACE(a, 'x', 'y') FROM t", "t");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM v WHERE a IN (1, 2)",
                "SELECT COUNT(*), LAST_INSERT_ID(), USER() FROM t FOR UPDATE",
                "INSERT INTO t (a, b) VALUES ('x@y', NOW())",
                "INSERT INTO shop.t (a) VALUES (1)",
                "INSERT INTO t VALUES (1)",
                "UPDATE t SET a = b + 1 WHERE c = 'd'",
                "SET time_zone = '+01:00', @@sql_mode = ''",
                "BEGIN",
                "COMMIT",
                "USE shop"
            })
    void ordinaryStatementsLeaveNothing(String text) {
        assertTrue(examine(text).leavesNothing(), text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT @a := 1",
                "SELECT x INTO @a FROM t",
                "SET @a = 1",
                "SELECT GET_LOCK('a', 1)",
                "SELECT f(1)",
                "INSERT INTO t (a) VALUES (f(1))",
                "UPDATE t SET a = LAST_INSERT_ID(a + 1)",
                "SELECT CONNECTION_ID()",
                "SELECT NEXT VALUE FOR s",
                "SELECT s.nextval",
                "SET STATEMENT max_statement_time=1 FOR SELECT a FROM t",
                "SET STATEMENT max_statement_time=1 FOR LOCK TABLES t READ",
                "SET PASSWORD = 'x'",
                "ALTER USER CURRENT_USER() IDENTIFIED BY 'x'",
                "SELECT SQL_CALC_FOUND_ROWS * FROM t LIMIT 1",
                "CREATE TEMPORARY TABLE t (a INT)",
                "CALL p()",
                "LOCK TABLES t READ",
                "HANDLER t OPEN",
                "PREPARE s FROM 'SELECT 1'",
                "XA START 'x'",
                "SET ROLE r",
                "BEGIN NOT ATOMIC SET @a = 1; END",
                "SELECT 1; SET @a = 1",
                "/*!50000 SET @a = 1 */"
            })
    void statementsThatLeaveSomethingAreKnown(String text) {
        assertFalse(examine(text).leavesNothing(), text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM t FOR UPDATE",
                "SELECT * FROM t LOCK IN SHARE MODE",
                "SELECT * FROM t INTO OUTFILE '/tmp/x'",
                "SELECT x INTO @a FROM t",
                "SELECT @a := 1",
                "SELECT @@version",
                "SELECT f(1)",
                "SELECT shop.now()",
                "SELECT COUNT (x) FROM t",
                "SELECT NOW/**/()",
                "SELECT `now`()",
                "SELECT shop.f(1) FROM t",
                "SELECT GET_LOCK('a', 1)",
                "SELECT SLEEP(1)",
                "SELECT CONNECTION_ID()",
                "SELECT LAST_INSERT_ID()",
                "SELECT NEXT VALUE FOR s",
                "SELECT NEXTVAL(s)",
                "SELECT s.currval FROM dual",
                "SELECT s.`CurrVal`",
                "SELECT s.nextval",
                "SELECT * FROM t PROCEDURE ANALYSE()",
                "SELECT 1; DELETE FROM t",
                "SELECT /*!50000 SLEEP(1), */ 1",
                "SELECT /*M!100000 SLEEP(1), */ 1",
                "SELECT 1 --DELETE\n FROM t; DELETE FROM t",
                "SELECT 1 FROM t WHERE a = 'unended",
                "SELECT * FROM t FOR SYSTEM_TIME AS OF NOW()",
                "SELECT * FROM JSON_TABLE('[]', '$' COLUMNS (a INT PATH '$')) t",
                "INSERT INTO t SELECT 1",
                "UPDATE t SET a = 1",
                "CALL p()",
                "SHOW TABLES",
                "SELECT CURRENT_USER",
                "WITH x AS (SELECT 1) DELETE FROM t",
                "SELECT 1 FROM t WHERE x = ?",
                "SELECT BENCHMARK(1000000, MD5('x'))",
                "SELECT LOAD_FILE('/etc/passwd')",
                "SELECT * FROM \u00e4"
            })
    void everythingElseIsForTheMaster(String text) {
        assertFalse(examine(text).isRead());
    }

    @Test
    void parametersStandForValuesOfPreparedReads() {
        MysqlStatement prepared =
                MysqlStatements.examinePrepared("SELECT ?, a FROM t WHERE b IN (?, 'x?') LIMIT ?", false, false);
        assertTrue(prepared.isRead());
        assertEquals(Set.of("t"), prepared.tables());
        assertTrue(MysqlParser.parse(prepared.shape(), false), prepared.shape());
        for (String text :
                List.of("SELECT * FROM ?", "SELECT a INTO ? FROM t", "SELECT f(?)", "SELECT ? ; DELETE FROM t")) {
            assertFalse(MysqlStatements.examinePrepared(text, false, false).isRead(), text);
        }
    }

    @Test
    void quotesDependOnTheMode() {
        String text = "SELECT \"x\" FROM \"t\"";
        assertFalse(examine(text).isRead());
        assertEquals(Set.of("t"), MysqlStatements.examine(text, true, false).tables());
        String backslash = "SELECT 'a\\' FROM t -- '";
        assertEquals(Set.of(), examine(backslash).tables());
        assertEquals(
                Set.of("t"), MysqlStatements.examine(backslash, false, true).tables());
    }

    @Test
    void theShapeIsTheTextWithoutLiterals() {
        assertEquals(
                examine("SELECT a FROM t WHERE b = 17 AND c = 'x'").shape(),
                examine("SELECT a FROM t WHERE b = 4711 AND c = 'it''s'").shape());
    }

    @Test
    void statementsThatLeaveSomethingArePinned() {
        assertTrue(examine("LOCK TABLES t READ").pins());
        assertTrue(examine("SET STATEMENT max_statement_time=1 FOR LOCK TABLES t READ")
                .pins());
        assertFalse(examine("SET STATEMENT max_statement_time=1 FOR SELECT 1").pins());
        assertTrue(examine("CREATE TEMPORARY TABLE t (a INT)").pins());
        assertTrue(examine("/*!40000 CREATE TEMPORARY TABLE t (a INT) */").pins());
        assertTrue(examine("SELECT 1; LOCK TABLES t READ").pins());
        assertTrue(examine("SET ROLE r").pins());
        assertTrue(examine("XA START 'x'").pins());
        assertFalse(examine("INSERT INTO t VALUES ('TEMPORARY')").pins());
        assertFalse(examine("SET time_zone = 'UTC'").pins());
    }

    @Test
    void settingsAreExplained() {
        assertTrue(examine("SET NAMES utf8mb4").isExplained());
        assertTrue(examine("SET sql_mode = CONCAT(@@sql_mode, ',STRICT_TRANS_TABLES')")
                .isExplained());
        assertTrue(examine("USE shop").isExplained());
        assertTrue(examine("select next value for shop.s, NEXTVAL(`t`);").isExplained());
        assertFalse(examine("SELECT NEXT VALUE FOR s, f()").isExplained());
        assertFalse(examine("SELECT NEXT VALUE FOR s, f").isExplained());
        assertFalse(examine("SELECT NEXTVAL(s) FROM t").isExplained());
        assertFalse(examine("SELECT NEXTVAL(s)(t)").isExplained());
        assertFalse(examine("SELECT NEXT VALUE FOR s INTO @a").isExplained());
        assertFalse(examine("SELECT NEXT VALUE FOR s,").isExplained());
        assertFalse(examine("SELECT NEXT VALUE FOR s; CALL p()").isExplained());
        assertFalse(examine("SET @a = f()").isExplained());
        assertFalse(examine("SET @a = (SELECT f())").isExplained());
        assertFalse(examine("SET time_zone = 'UTC'; CALL p()").isExplained());
    }

    @Test
    void questionsAboutTheLastStatementAreFound() {
        assertTrue(examine("SELECT FOUND_ROWS()").concernsLastStatement());
        assertTrue(examine("SHOW WARNINGS").concernsLastStatement());
        assertTrue(examine("INSERT INTO t SELECT ROW_COUNT()").concernsLastStatement());
        assertFalse(examine("SELECT 'FOUND_ROWS'").concernsLastStatement());
    }

    @Test
    void killsAndSettingsOfOneTransactionAreFound() {
        assertTrue(examine("KILL QUERY 5").kills());
        assertTrue(examine("SET TRANSACTION READ ONLY").setsNextTransaction());
        assertTrue(examine("SET @@transaction_isolation = 'SERIALIZABLE'").setsNextTransaction());
        assertFalse(examine("SET autocommit = 0").setsNextTransaction());
        assertFalse(examine("SET SESSION TRANSACTION READ ONLY").setsNextTransaction());
    }

    @Test
    void boundariesOfTransactionsAreFound() {
        assertEquals(Boundary.STARTS, examine("START TRANSACTION READ ONLY").boundary());
        assertEquals(Boundary.STARTS, examine("begin").boundary());
        assertEquals(
                Boundary.STARTS_WITH_SNAPSHOT,
                examine("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY").boundary());
        assertEquals(Boundary.ENDS, examine("COMMIT;").boundary());
        assertEquals(Boundary.ENDS, examine("ROLLBACK WORK").boundary());
        assertEquals(Boundary.NONE, examine("ROLLBACK TO SAVEPOINT s").boundary());
        assertEquals(Boundary.NONE, examine("COMMIT; SELECT 1").boundary());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET time_zone = 'UTC'",
                "SELECT CONNECTION_ID(), USER(), @@version, @a",
                "SHOW TABLES",
                "SAVEPOINT s",
                "INSERT INTO t SELECT 1 FROM u",
                "DROP TABLE t"
            })
    void statementsThatReadNoRowsAreFound(String text) {
        assertTrue(examine(text).readsNoRows());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT a FROM t",
                "SELECT f()",
                "SELECT shop.USER()",
                "SELECT USER ()",
                "SET @a = (SELECT MAX(a) FROM t)",
                "SET @a = f()",
                "DO f()",
                "CALL p()",
                "SHOW TABLES WHERE (SELECT 1 FROM t)",
                "DESC SELECT a FROM t",
                "CREATE TEMPORARY TABLE x AS SELECT a FROM t",
                "SELECT 1; SELECT a FROM t",
                "TABLE t"
            })
    void statementsThatMayReadRowsAreFound(String text) {
        assertFalse(examine(text).readsNoRows());
    }
}
