package io.multimed.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class GeneralParserTest {
    private static final long SECOND = 1_000_000_000;
    private static final String QUICK = "SELECT a FROM t WHERE (b) = (1)";
    /** A text whose parsing takes some hundred milliseconds and a deep stack. It counts as a query unless it is interrupted. */
    static final String SLOW = "SELECT a FROM b WHERE c = 1" + " OR c = (2)".repeat(6_000);

    private final AtomicLong looks = new AtomicLong();
    /** A parser whose clock advances by a second of processor time between any two looks at it. */
    private final GeneralParser exhausted = new GeneralParser(thread -> looks.incrementAndGet() * SECOND);

    /**
     * Asks the question in a thread like the parser's, while this thread interrupts parses that have used more than a millisecond.
     */
    private static boolean whileInterrupting(GeneralParser parser, BooleanSupplier question) throws Exception {
        boolean[] answer = new boolean[1];
        Thread asking = new Thread(null, () -> answer[0] = question.getAsBoolean(), "asking", 64 << 20);
        asking.start();
        while (asking.isAlive()) {
            assertTrue(parser.interruptAfter(1_000_000) > 0);
            Thread.onSpinWait();
        }
        asking.join();
        return answer[0];
    }

    @Test
    void heedsAnInterruptWheneverItComes() throws Exception {
        Tokens slow = Tokens.of(SLOW);
        for (int i = 0; i < 50; i++) {
            assertFalse(whileInterrupting(exhausted, () -> exhausted.isQuery(slow)), "time " + i);
        }
    }

    @Test
    void interruptsWhatComputesForLong() throws Exception {
        GeneralParser parser = new GeneralParser();
        assertFalse(whileInterrupting(parser, () -> parser.isQuery(Tokens.of(SLOW))));
    }

    @Test
    void doesNotInterruptWhatOnlyWaitsForTheProcessor() throws Exception {
        GeneralParser waiting = new GeneralParser(thread -> 5 * SECOND);
        assertTrue(whileInterrupting(waiting, () -> waiting.isQuery(Tokens.of(SLOW))));
    }

    @Test
    void anInterruptIsForNothingButTheTextThatTookTooLong() throws Exception {
        assertEquals(SECOND, exhausted.interruptAfter(SECOND));
        assertTrue(exhausted.isQuery(Tokens.of(QUICK)));
        assertFalse(whileInterrupting(exhausted, () -> exhausted.isQuery(Tokens.of(SLOW))));
        assertTrue(exhausted.isQuery(Tokens.of(QUICK)));
    }

    /** The result for a definition is kept as long as the catalog. */
    @Test
    void aViewIsNoneTheWorseForBeingReadBySomethingSlow() throws Exception {
        DatabaseCatalog catalog = new DatabaseCatalog.Builder()
                .row("definition", "slow_view", SLOW)
                .row("definition", "quick_view", QUICK)
                .build();
        Names names = new Names(catalog, ClassifierOptions.DEFAULT);
        GeneralParser parser = new GeneralParser();
        assertFalse(whileInterrupting(parser, () -> names.standsForQueries("slow_view", parser::isQuery)));
        assertTrue(names.standsForQueries("quick_view", parser::isQuery));
    }

    @Test
    void parsesNothingAnyMoreOnceItIsClosed() {
        exhausted.close();
        assertFalse(exhausted.isQuery(Tokens.of(QUICK)));
    }
}
