package io.multimed.endpoint.mysql.session;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.protocol.mysql.MysqlCommand;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandTraitsTest {
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
