package io.multimed.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a write hidden anywhere in a query keeps it from counting as a read, even before the parser is asked. */
class HiddenWritesTest {
    private static final StatementClassifier CLASSIFIER = new StatementClassifier(ClassifierOptions.DEFAULT);
    private static final DatabaseCatalog CATALOG = new DatabaseCatalog.Builder()
            .row("function", "user_function", "vo")
            .row("operator", "===", "user_function")
            .row("calls", "bad_type", "user_function")
            .row("calls", "_bad_type", "user_function")
            .row("definition", "bad_view", "SELECT user_function(1) AS x")
            .row("definition", "good_view", "SELECT a, b FROM t")
            .row("master", "counter", null)
            .row("master", "unlogged", null)
            .build();
    private static final Names NAMES = new Names(CATALOG, ClassifierOptions.DEFAULT);

    @AfterAll
    static void close() {
        CLASSIFIER.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void findsWhatIsHidden(long seed) {
        StatementGrammar grammar = new StatementGrammar(new Random(seed), StatementGrammar.WRITES);
        for (int i = 0; i < 10_000; i++) {
            String sql = grammar.statement();
            Verdict verdict = new Judge(NAMES, false).judge(Tokens.of(sql));
            assertFalse(verdict.harmless(), () -> "seed " + seed + ": " + sql);
        }
    }

    @Test
    void agreesWithItselfThroughTheParser() {
        StatementGrammar hiding = new StatementGrammar(new Random(9), StatementGrammar.WRITES);
        for (int i = 0; i < 200; i++) {
            String sql = hiding.statement();
            assertFalse(Classifications.classify(CLASSIFIER, sql, CATALOG).isReadOnly(), sql);
        }
    }

    @Test
    void takesMostOfWhatHidesNothingForReads() {
        StatementGrammar grammar = new StatementGrammar(new Random(10), StatementGrammar.NOTHING);
        int reads = 0;
        for (int i = 0; i < 200; i++) {
            String sql = grammar.statement();
            Verdict verdict = new Judge(NAMES, false).judge(Tokens.of(sql));
            assertTrue(verdict.harmless(), () -> verdict.because() + ": " + sql);
            reads += Classifications.classify(CLASSIFIER, sql, CATALOG).isSingleRead() ? 1 : 0;
        }
        assertTrue(reads > 150, "only " + reads + " of 200 were taken for reads");
    }

    @Test
    void doesNotDependOnSpaceCommentsOrValues() {
        Random random = new Random(11);
        for (int i = 0; i < 200; i++) {
            var hides = i % 2 == 0 ? StatementGrammar.WRITES : StatementGrammar.NOTHING;
            String sql = new StatementGrammar(new Random(i), hides).statement();
            String other = reworded(sql, random);
            assertEquals(
                    Classifications.describe(Classifications.classify(CLASSIFIER, sql, CATALOG)),
                    Classifications.describe(Classifications.classify(CLASSIFIER, other, CATALOG)),
                    () -> sql + "\n" + other);
        }
    }

    /** Returns the same tokens with other literals, other white space and other letter case. */
    private static String reworded(String sql, Random random) {
        byte[] bytes = sql.getBytes(StandardCharsets.UTF_8);
        Tokens tokens = Tokens.complete(bytes, 0, bytes.length);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            text.append(random.nextBoolean() ? " " : " /* ; nextval( */ ");
            String word = random.nextBoolean() ? token.text() : token.text().toUpperCase(java.util.Locale.ROOT);
            switch (token.kind()) {
                case Lexer.WORD -> text.append(word);
                case Lexer.QUOTED -> text.append('"').append(token.text()).append('"');
                case Lexer.STRING -> text.append("'v").append(random.nextInt()).append('\'');
                case Lexer.INTEGER -> text.append(random.nextInt(1000));
                case Lexer.DECIMAL -> text.append(random.nextInt(1000)).append(".25");
                case Lexer.PARAMETER -> text.append('$').append(1 + random.nextInt(9));
                default -> text.append(token.text());
            }
        }
        return text.toString();
    }
}
