package io.multimed.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests many shapes at once: each is requested once, no answer depends on the cache, and nothing is done for abandoned inquiries.
 */
@Timeout(120)
class InquiryTest {
    /** Options with a tiny cache: the shapes of one text evict each other. */
    private static final ClassifierOptions FORGETFUL =
            new ClassifierOptions(4, 256 * 1024, 256, Duration.ofSeconds(20), Set.of());

    private final StatementClassifier classifier = new StatementClassifier(FORGETFUL);

    @AfterEach
    void close() {
        classifier.close();
    }

    private static String shape(int i) {
        return "SELECT " + i + " AS m_" + i;
    }

    private static byte[] bytes(String sql) {
        return sql.getBytes(StandardCharsets.UTF_8);
    }

    private static List<byte[]> together(int from, int to) {
        return List.of(
                bytes(IntStream.range(from, to).mapToObj(InquiryTest::shape).collect(Collectors.joining(";"))));
    }

    private static List<byte[]> oneByOne(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> bytes(shape(i)))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private static List<ClassifiedSql> answers(Inquiry inquiry) throws Exception {
        CompletableFuture<List<ClassifiedSql>> answers = new CompletableFuture<>();
        inquiry.start(Runnable::run, answers::complete);
        return answers.get(60, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, Inquiry.MOST_SHAPES})
    void shapesThatEvictEachOtherAreAllAnswered(int shapes) throws Exception {
        for (int round = 0; round < 3; round++) {
            ClassifiedSql whole = answers(classifier.inquire(together(0, shapes), DatabaseCatalog.EMPTY))
                    .get(0);
            assertTrue(whole.isReadOnly(), whole.because());
            assertEquals(shapes, whole.statements().size());
            List<ClassifiedSql> each = answers(classifier.inquire(oneByOne(0, shapes), DatabaseCatalog.EMPTY));
            assertEquals(shapes, each.size());
            assertTrue(each.stream().allMatch(ClassifiedSql::isSingleRead));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Inquiry.MOST_SHAPES + 1, 1_000, 10_000})
    void moreShapesThanOneUnitMayAskForAreNotUnderstood(int shapes) throws Exception {
        Inquiry inquiry = classifier.inquire(together(0, shapes), DatabaseCatalog.EMPTY);
        assertTrue(inquiry.shapes() > Inquiry.MOST_SHAPES);
        assertFalse(answers(inquiry).get(0).isReadOnly());
        assertEquals(0, classifier.inFlight());
    }

    @Test
    void aShapeThatIsThereTwiceIsAskedForOnce() {
        List<byte[]> texts = together(0, 10);
        Inquiry inquiry =
                classifier.inquire(List.of(texts.get(0), bytes(shape(3)), bytes("; ; ")), DatabaseCatalog.EMPTY);
        assertEquals(10, inquiry.shapes());
    }

    @Test
    void oneInquiryHasOneShapeInTheQueueAtATime() {
        for (int i = 0; i < 10; i++) {
            Queue<Runnable> loop = new ConcurrentLinkedQueue<>();
            classifier
                    .inquire(oneByOne(100 * i, 100 * i + 60), DatabaseCatalog.EMPTY)
                    .start(loop::add, answers -> {});
            assertTrue(classifier.inFlight() <= i + 1);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void nothingIsDoneForAnAbandonedOne(long seed) throws Exception {
        Random random = new Random(seed);
        for (int round = 0; round < 100; round++) {
            Queue<Runnable> loop = new ConcurrentLinkedQueue<>();
            List<List<ClassifiedSql>> told = new ArrayList<>();
            int from = round * 1_000;
            Inquiry left = classifier.inquire(oneByOne(from, from + 60), DatabaseCatalog.EMPTY);
            Inquiry stays = classifier.inquire(oneByOne(from, from + 3), DatabaseCatalog.EMPTY);
            left.start(loop::add, told::add);
            CompletableFuture<List<ClassifiedSql>> answers = new CompletableFuture<>();
            stays.start(Runnable::run, answers::complete);
            for (int i = random.nextInt(2_000); i > 0; i--) {
                Thread.onSpinWait();
            }
            left.abandon();
            // Another inquiry for the same shapes gets its answers nevertheless.
            assertTrue(answers.get(60, TimeUnit.SECONDS).stream().allMatch(ClassifiedSql::isSingleRead));
            // The one shape whose analysis had begun may still end; no other analysis begins.
            while (classifier.inFlight() > 0) {
                Thread.onSpinWait();
            }
            loop.forEach(Runnable::run);
            assertEquals(List.of(), told);
        }
    }
}
