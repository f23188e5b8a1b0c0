package io.multimed.endpoint.pg.session;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.sql.ClassifiedSql;
import io.multimed.sql.ClassifierOptions;
import io.multimed.sql.DatabaseCatalog;
import io.multimed.sql.Statement;
import io.multimed.sql.StatementClassifier;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** For how long nothing is sent behind a read that has held others up. */
class LongReadsTest {
    private static final long MILLI = 1_000_000;

    private final LongReads reads = new LongReads();
    private final List<Statement> slow = List.of(new Statement.Read());
    private final List<Statement> other = List.of(new Statement.Read());

    @Test
    void isShortAtFirstSinceTheMachineMayHaveBeenSlow() {
        reads.add(slow, 0);
        assertTrue(reads.hasAny(slow, 49 * MILLI));
        assertFalse(reads.hasAny(slow, 51 * MILLI));
        assertFalse(reads.hasAny(other, 1));
    }

    @Test
    void doublesEachTimeUpToAMinute() {
        long now = 0;
        for (long millis = 50; millis < 60_000; millis *= 2) {
            reads.add(slow, now);
            assertTrue(reads.hasAny(slow, now + (millis - 1) * MILLI));
            now += (millis + 1) * MILLI;
            assertFalse(reads.hasAny(slow, now));
        }
        reads.add(slow, now);
        assertTrue(reads.hasAny(slow, now + 59_999 * MILLI));
        assertFalse(reads.hasAny(slow, now + 60_001 * MILLI));
    }

    @Test
    void beginsAnewAfterAsLongWithoutCauseForComplaint() {
        reads.add(slow, 0);
        reads.add(slow, 200 * MILLI);
        assertFalse(reads.hasAny(slow, 251 * MILLI));
    }

    @Test
    void isOfAShapeWhateverItsLiterals() {
        try (StatementClassifier classifier = new StatementClassifier(ClassifierOptions.DEFAULT)) {
            reads.add(classify(classifier, "SELECT 1 AS a"), 0);
            assertTrue(reads.hasAny(classify(classifier, "SELECT 2 AS a"), 1));
            assertFalse(reads.hasAny(classify(classifier, "SELECT 1 AS b"), 1));
        }
    }

    private static List<Statement> classify(StatementClassifier classifier, String sql) {
        byte[] bytes = sql.getBytes(StandardCharsets.UTF_8);
        CompletableFuture<ClassifiedSql> known = new CompletableFuture<>();
        classifier.whenClassified(bytes, 0, bytes.length, DatabaseCatalog.EMPTY, Runnable::run, known::complete);
        return known.join().statements();
    }
}
