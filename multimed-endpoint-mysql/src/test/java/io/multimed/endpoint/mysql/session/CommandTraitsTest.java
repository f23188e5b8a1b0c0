package io.multimed.endpoint.mysql.session;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.protocol.mysql.MysqlCommand;
import io.multimed.sql.mysql.MysqlStatements;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandTraitsTest {
    private static boolean dependsOnCommits(String text) {
        return CommandTraits.dependsOnCommits(MysqlCommand.QUERY, MysqlStatements.examine(text, false, false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"BEGIN", "START TRANSACTION READ ONLY", "COMMIT AND CHAIN", "ROLLBACK"})
    void noSnapshotIsTakenWhereATransactionStartsOrEnds(String text) {
        assertFalse(dependsOnCommits(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY",
                "BEGIN NOT ATOMIC SELECT MAX(a) INTO @a FROM t; END",
                "BEGIN NOT ATOMIC CALL p(); END",
                "COMMIT; SELECT 1",
                "ROLLBACK TO a",
                "SELECT 1 FROM t"
            })
    void anyOtherStatementMayLookAtData(String text) {
        assertTrue(dependsOnCommits(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"SELEC", "selec 1; SET @a = 5", " slect * FROM item", "foo 'x'", "CREAT TABLE t (n INT)"})
    void aTextThatBeginsNoStatementLeavesNothing(String text) {
        assertTrue(CommandTraits.isNoStatement(MysqlCommand.QUERY, text));
        assertFalse(CommandTraits.isNoStatement(MysqlCommand.STMT_EXECUTE, text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 1",
                "",
                ";",
                "CALL p()",
                "execute s",
                "EXECUTE IMMEDIATE 'x'",
                "l: BEGIN NOT ATOMIC EXECUTE IMMEDIATE 'x'; END",
                "l : LOOP SET @a = 1; END LOOP",
                "l/**/: BEGIN NOT ATOMIC EXECUTE IMMEDIATE 'x'; END",
                "p(5)",
                "d.p",
                "/*!CALL p() */",
                "<<l>> BEGIN NULL; END"
            })
    void anyOtherTextMayLeaveSomething(String text) {
        assertFalse(CommandTraits.isNoStatement(MysqlCommand.QUERY, text));
    }
}
