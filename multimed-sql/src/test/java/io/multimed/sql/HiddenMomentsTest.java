package io.multimed.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a read depends on the moment or on chance if any part of it does. */
class HiddenMomentsTest {
    private static final DatabaseCatalog CATALOG = new DatabaseCatalog.Builder()
            .row("function", "declared_safe", "vo")
            .row("function", "distance", "iccube")
            .row("operator", "&&&", "declared_safe")
            .row("calls", "moment_type", "declared_safe")
            .row("definition", "moment_view", "SELECT now() AS x")
            .row("definition", "good_view", "SELECT a, b FROM t")
            .build();
    private static final ClassifierOptions OPTIONS =
            ClassifierOptions.DEFAULT.withSafeFunctions(Set.of("declared_safe"));
    private static final Names NAMES = new Names(CATALOG, OPTIONS);

    private static Verdict judge(String sql) {
        return new Judge(NAMES, false).judge(Tokens.of(sql));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void findsWhatIsHidden(long seed) {
        StatementGrammar grammar = new StatementGrammar(new Random(seed), StatementGrammar.MOMENTS);
        for (int i = 0; i < 5_000; i++) {
            String sql = grammar.statement();
            Verdict verdict = judge(sql);
            assertTrue(
                    verdict.harmless() && verdict.momentary(),
                    () -> "seed " + seed + ": " + sql + ": " + verdict.because());
        }
    }

    @Test
    void findsNothingWhereNothingIsHidden() {
        StatementGrammar grammar = new StatementGrammar(new Random(3), StatementGrammar.NOTHING);
        for (int i = 0; i < 1_000; i++) {
            String sql = grammar.statement();
            assertFalse(judge(sql).momentary(), sql);
        }
    }

    /** The verdict on a view is cached, and its dependence on the moment with it. */
    @Test
    void findsItInAViewEveryTime() {
        for (int i = 0; i < 3; i++) {
            assertTrue(judge("SELECT * FROM moment_view").momentary());
            assertFalse(judge("SELECT * FROM good_view").momentary());
        }
    }

    @Test
    void castsAndOperatorsThatNobodyWritesCountEverywhere() {
        DatabaseCatalog casting = new DatabaseCatalog.Builder()
                .row("function", "declared_safe", "io")
                .row("everywhere", "", "declared_safe")
                .build();
        DatabaseCatalog comparing = new DatabaseCatalog.Builder()
                .row("function", "declared_safe", "io")
                .row("operator", "=", "declared_safe")
                .build();
        for (DatabaseCatalog catalog : List.of(casting, comparing)) {
            Verdict verdict = new Judge(new Names(catalog, OPTIONS), false).judge(Tokens.of("SELECT 1"));
            assertTrue(verdict.harmless() && verdict.momentary());
        }
        DatabaseCatalog arithmetic = new DatabaseCatalog.Builder()
                .row("function", "distance", "iccube")
                .row("operator", "=", "distance")
                .row("everywhere", "", "distance")
                .build();
        Verdict verdict = new Judge(new Names(arithmetic, OPTIONS), false).judge(Tokens.of("SELECT 1"));
        assertTrue(verdict.harmless() && !verdict.momentary());
    }

    /** A user's declaration that a built-in function is safe does not make it independent of the moment. */
    @Test
    void declaringABuiltInFunctionSafeDoesNotHideTheMoment() {
        Names vouched = new Names(
                DatabaseCatalog.EMPTY,
                ClassifierOptions.DEFAULT.withSafeFunctions(Set.of("now", "pg_backend_pid", "lower", "not_there")));
        for (String function : List.of("now", "pg_backend_pid", "not_there")) {
            Verdict verdict = vouched.call(function);
            assertTrue(verdict.harmless() && verdict.momentary(), function);
        }
        assertTrue(vouched.call("lower").harmless() && !vouched.call("lower").momentary());
    }

    @Test
    void verdictsJoinInAnyOrder() {
        Verdict writes = Verdict.mayWrite("x");
        assertSame(Verdict.MOMENTARY, Verdict.MOMENTARY.and(Verdict.HARMLESS));
        assertSame(Verdict.MOMENTARY, Verdict.HARMLESS.and(Verdict.MOMENTARY));
        assertSame(Verdict.MOMENTARY, Verdict.MOMENTARY.and(Verdict.MOMENTARY));
        for (Verdict joined : List.of(writes.and(Verdict.MOMENTARY), Verdict.MOMENTARY.and(writes))) {
            assertEquals(
                    new Verdict(
                            NotRead.MAY_WRITE,
                            SessionEffect.NONE,
                            "x",
                            false,
                            false,
                            Processes.NONE,
                            true,
                            Verdict.ALL_HOLDERS,
                            ""),
                    joined);
        }
    }
}
