package io.multimed.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which routing rules a statement's text matches. */
class ReadMarksTest {
    private static final DatabaseCatalog CATALOG = new DatabaseCatalog.Builder()
            .row("definition", "line_view", " SELECT l.item FROM shop.order_line l;")
            .row("definition", "view_of_view", "SELECT * FROM line_view")
            .row("definition", "ring", "SELECT * FROM ring")
            .row("uses", "split", "split_1")
            .build();

    /** Rule 0 is about order_line, rule 1 about a partition and a table with an unusual name, rule 2 about any table. */
    private static final StatementRules RULES =
            rules(true, rule("", "shop.order_line"), rule("", "shop.split_1", "\"My Shop\".\"Order\""), rule(""));

    private static StatementRules rules(boolean hints, StatementRules.Rule... rules) {
        return new StatementRules(List.of(rules), hints);
    }

    private static StatementRules.Rule rule(String shape, String... tables) {
        return new StatementRules.Rule(List.of(tables), shape.isEmpty() ? Optional.empty() : Optional.of(shape));
    }

    private static ReadMarks marks(String sql, StatementRules rules) {
        try (StatementClassifier classifier = new StatementClassifier(ClassifierOptions.DEFAULT.withRules(rules))) {
            return marks(classifier, sql);
        }
    }

    private static ReadMarks marks(StatementClassifier classifier, String sql) {
        Statement statement =
                Classifications.classify(classifier, sql, CATALOG).statements().get(0);
        Statement read = statement instanceof Statement.DeclareCursor cursor ? cursor.query() : statement;
        return ((Statement.Read) read).marks();
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            SELECT 1                                                        | 2
            SELECT * FROM orders                                            | 2
            SELECT * FROM shop.order_line                                   | 0 2
            SELECT * FROM SHOP.Order_Line                                   | 0 2
            SELECT * FROM "shop"."order_line"                               | 0 2
            SELECT * FROM order_line                                        | 0 2
            SELECT * FROM other.order_line                                  | 2
            SELECT * FROM shop."Order_Line"                                 | 2
            SELECT order_line FROM orders                                   | 2
            SELECT * FROM orders o, shop.order_line                         | 0 2
            SELECT * FROM orders WHERE id IN (SELECT id FROM order_line)    | 0 2
            SELECT * FROM line_view                                         | 0 2
            SELECT * FROM view_of_view                                      | 0 2
            SELECT * FROM ring                                              | 2
            SELECT * FROM split                                             | 1 2
            SELECT * FROM "My Shop"."Order"                                 | 1 2
            SELECT * FROM "Order", order_line                               | 0 1 2
            COPY shop.order_line TO STDOUT                                  | 0 2
            COPY (SELECT item FROM shop.order_line) TO STDOUT               | 0 2
            DECLARE c CURSOR FOR SELECT * FROM order_line                   | 0 2
            """)
    void matchesByTheTablesThatItTouches(String sql, String expected) {
        long bits = 0;
        for (String bit : expected.split(" ")) {
            bits |= 1L << Integer.parseInt(bit);
        }
        assertEquals(bits, marks(sql, RULES).rules());
    }

    @Test
    void aShapeHasTheSameFingerprintInEveryProcess() {
        String fingerprint =
                marks("SELECT * FROM orders WHERE id = 7", StatementRules.NONE).fingerprint();
        assertEquals("d696725d97f72854", fingerprint);
        for (String same : List.of(
                "select  *  from ORDERS where id = 8",
                "SELECT * FROM orders /* a comment */ WHERE id = 9",
                "/* multimed: node=master */ SELECT * FROM orders WHERE id = 9")) {
            assertEquals(fingerprint, marks(same, RULES).fingerprint(), same);
        }
        assertNotEquals(
                fingerprint, marks("SELECT * FROM orders WHERE id < 7", RULES).fingerprint());
        StatementRules byShape =
                rules(false, rule(fingerprint), rule(fingerprint, "shop.order_line"), rule(fingerprint, "shop.orders"));
        assertEquals(0b101, marks("SELECT * FROM orders WHERE id = 1", byShape).rules());
        assertEquals(0, marks("SELECT * FROM orders", byShape).rules());
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            /* multimed: node=analytics */ SELECT 1                      | analytics
            SELECT 1 /*multimed:node=satellite-1*/                       | satellite-1
            SELECT /* other */ 1 /* multimed: node=a */ /* multimed: node=b */ | a
            SELECT 1                                                     | ``
            SELECT 1 /* multimed: node= */                               | ``
            SELECT 1 /* multimed: node=a b */                            | ``
            SELECT 1 /* multimed: node=A */                              | ``
            SELECT 1 /* Multimed: node=a */                              | ``
            SELECT 1 -- multimed: node=a                                 | ``
            SELECT '/* multimed: node=a */'                              | ``
            """)
    void aCommentNamesANode(String sql, String expected) {
        assertEquals(expected, marks(sql, RULES).hint());
        assertEquals("", marks(sql, StatementRules.NONE).hint());
    }

    @Test
    void statementsThatDifferInTheirHintsAreToldApart() {
        try (StatementClassifier classifier = new StatementClassifier(ClassifierOptions.DEFAULT.withRules(RULES))) {
            for (String hint : List.of("", "a", "b", "", "a")) {
                String comment = hint.isEmpty() ? "" : "/* multimed: node=" + hint + " */";
                assertEquals(
                        hint,
                        marks(classifier, "SELECT * FROM orders " + comment).hint());
            }
        }
    }
}
