package io.multimed.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ParserThreadTest {
    private static final ClassifiedSql READ = ClassifiedSql.of(new Statement.Read(false));

    private static CompletableFuture<ClassifiedSql> submit(ParserThread thread, int number) {
        CompletableFuture<ClassifiedSql> answer = new CompletableFuture<>();
        PendingShape shape = shape(number);
        shape.await(answer::complete);
        thread.submit(shape);
        return answer;
    }

    private static PendingShape shape(int number) {
        return new PendingShape(
                new PendingShape.Key(number, number, 1), Verb.SELECT, new byte[0], DatabaseCatalog.EMPTY, done -> {});
    }

    @Test
    void nobodyWaitsLongerThanTheTimeoutForAParserThatIsStuck() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        try (ParserThread thread = new ParserThread(
                shape -> {
                    try {
                        never.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return READ;
                },
                new GeneralParser(),
                Duration.ofMillis(50))) {
            CompletableFuture<ClassifiedSql> running = submit(thread, 1);
            CompletableFuture<ClassifiedSql> queued = submit(thread, 2);
            assertEquals(
                    "parsing took too long", running.get(30, TimeUnit.SECONDS).because());
            assertEquals(
                    "parsing took too long", queued.get(30, TimeUnit.SECONDS).because());
            assertEquals(
                    SessionEffect.OPAQUE,
                    submit(thread, 3).get(30, TimeUnit.SECONDS).effect());
            never.countDown();
        }
    }

    /** Returns the parser's result for a shape that was given up after a millisecond, when nothing waited for it any more. */
    private static boolean isQueryAfterAll(GeneralParser parser) throws Exception {
        CompletableFuture<Boolean> found = new CompletableFuture<>();
        try (ParserThread thread = new ParserThread(
                shape -> {
                    found.complete(parser.isQuery(Tokens.of(GeneralParserTest.SLOW)));
                    return READ;
                },
                parser,
                Duration.ofMillis(1))) {
            assertEquals(
                    "parsing took too long",
                    submit(thread, 1).get(30, TimeUnit.SECONDS).because());
            // A shape that was given up in the queue, while the parser warmed up, is not parsed.
            while (!found.isDone()) {
                submit(thread, 1).get(30, TimeUnit.SECONDS);
            }
            return found.get();
        }
    }

    @Test
    void goesOnWithWhatWasGivenUpWhileItOnlyWaitedForTheProcessor() throws Exception {
        assertTrue(isQueryAfterAll(new GeneralParser(thread -> 0)));
    }

    @Test
    void endsWhatWasGivenUpOnceItHasUsedItsProcessorTime() throws Exception {
        assertFalse(isQueryAfterAll(new GeneralParser()));
    }

    @Test
    void goesOnAfterAnAnalysisThatFails() throws Exception {
        try (ParserThread thread = new ParserThread(
                shape -> {
                    if (shape.key().high() == 1) {
                        throw new IllegalStateException("on purpose");
                    }
                    return READ;
                },
                new GeneralParser(),
                Duration.ofSeconds(20))) {
            CompletableFuture<ClassifiedSql> failing = submit(thread, 1);
            CompletableFuture<ClassifiedSql> fine = submit(thread, 2);
            assertSame(ClassifiedSql.UNPARSED, failing.get(30, TimeUnit.SECONDS));
            assertSame(READ, fine.get(30, TimeUnit.SECONDS));
        }
    }

    /** A class that cannot be loaded causes an Error. Without the thread every new shape would wait for its timeout. */
    @Test
    void goesOnAfterAnErrorInAnAnalysisOrInOneWhoWaits() throws Exception {
        try (ParserThread thread = new ParserThread(
                shape -> {
                    if (shape.key().high() == 1) {
                        throw new NoClassDefFoundError("on purpose");
                    }
                    return READ;
                },
                new GeneralParser(),
                Duration.ofSeconds(20))) {
            CompletableFuture<ClassifiedSql> failing = submit(thread, 1);
            PendingShape throwing = shape(2);
            throwing.await(answer -> {
                throw new NoClassDefFoundError("on purpose");
            });
            thread.submit(throwing);
            CompletableFuture<ClassifiedSql> fine = submit(thread, 3);
            assertSame(ClassifiedSql.UNPARSED, failing.get(10, TimeUnit.SECONDS));
            assertSame(READ, fine.get(10, TimeUnit.SECONDS));
        }
    }

    @Test
    void answersNothingAnyMoreOnceItIsClosed() throws Exception {
        ParserThread thread = new ParserThread(shape -> READ, new GeneralParser(), Duration.ofSeconds(20));
        thread.close();
        assertEquals(
                SessionEffect.OPAQUE,
                submit(thread, 1).get(30, TimeUnit.SECONDS).effect());
    }
}
