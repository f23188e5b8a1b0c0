package io.multimed.endpoint.mysql.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SetAssignmentsTest {
    private static @Nullable String characterSets(String statement) {
        SetAssignments assignments = SetAssignments.of(statement);
        return assignments == null ? null : assignments.characterSets();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "SET NAMES latin1|SET NAMES latin1",
                "set names utf8mb4 collate utf8mb4_bin ;|SET names utf8mb4 collate utf8mb4_bin",
                "SET CHARACTER SET utf8|SET CHARACTER SET utf8",
                "SET time_zone = '+01:00', NAMES 'utf8mb4', autocommit=1|SET NAMES 'utf8mb4'",
                "SET SESSION collation_connection = 'x', sql_mode=CONCAT(@@sql_mode, ',A'), character_set_results=NULL|"
                        + "SET SESSION collation_connection = 'x', character_set_results=NULL",
            })
    void takesTheCharacterSetsOutOfASet(String statement, String choice) {
        assertEquals(choice, characterSets(statement));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET time_zone = ', NAMES latin1'",
                "SET sql_mode = CONCAT('a', 'NAMES latin1, x')",
                "SET a = (SELECT 'x', 'y' LIMIT 1)"
            })
    void isEmptyWhereNoneAreSet(String statement) {
        assertEquals("", characterSets(statement));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 1",
                "SET NAMES @a",
                "SET character_set_client = @@global.character_set_client",
                "SET NAMES latin1 /* x */",
                "SET NAMES latin1; SELECT 1",
                "SET a = 'it\\'s', NAMES latin1",
                "SET a = 'open, NAMES latin1",
                "CALL p()"
            })
    void isUnknownWhereTheTextIsNotPlain(String statement) {
        assertNull(characterSets(statement));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "SET a = 1, SESSION B := 2, @@a = 3, @@session.b = 4, NAMES latin1|true",
                "SET a = 1, c = 2|false",
                "SET a = 1, GLOBAL b = 2|false",
                "SET @a = 1|false",
                "SET a = 'x, c = 1'|true",
            })
    void tellsTheVariables(String statement, boolean areAOrB) {
        assertEquals(areAOrB, SetAssignments.of(statement).areAllOf(Set.of("a", "b")::contains));
    }

    @Test
    void connectorJsFirstStatement() {
        assertEquals(
                "SET NAMES utf8mb4",
                characterSets("set sql_mode=CONCAT(@@sql_mode,',STRICT_TRANS_TABLES'),"
                        + "session_track_system_variables = CONCAT(@@global.session_track_system_variables,"
                        + "',transaction_isolation'),NAMES utf8mb4"));
    }
}
