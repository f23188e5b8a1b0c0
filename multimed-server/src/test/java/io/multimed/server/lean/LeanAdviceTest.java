package io.multimed.server.lean;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.engine.postgresql.indexes.SurveyedIndex;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeanAdviceTest {
    @ParameterizedTest(name = "duty {0}, valid {1}, scans {2}, key {3}, on {4}: {5}")
    @CsvSource(delimiter = '|', textBlock = """
            ''      | true  | 0 | ''     | part | MOVE
            ''      | true  | 1 | ''     | part | ASK
            ''      | true  | 0 | to_key | part | ASK
            ''      | true  | 0 | ''     | ''   | NOWHERE
            ''      | false | 0 | ''     | part | INVALID
            unique  | true  | 0 | ''     | part | STAYS
            unique  | false | 0 | ''     | ''   | STAYS
            """)
    void anIndexMovesIfReadsAloneNeedItAndTheMasterDoesNot(
            String duty, boolean valid, long scans, String foreignKey, String satellite, LeanRow.Advice advice) {
        SurveyedIndex index = new SurveyedIndex(
                new SurveyedIndex.Name("db", "s", "t", "i", "CREATE INDEX i ON s.t USING btree (a)", "", ""),
                duty,
                valid,
                8192,
                scans,
                foreignKey,
                satellite.isEmpty() ? List.of() : List.of(satellite),
                3,
                10);
        assertEquals(advice, LeanAdvice.of(index).advice());
    }
}
