package io.multimed.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that every sequence of bytes gets an answer at low cost. */
@Timeout(120)
class HostileSqlTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final String ALPHABET =
            "'\"$\\;()[]/*-+.,:=<>~!@#%^&|?`{}_ \n\tEeUuNnBbXx0159aZselectfromwhereintofor\0é\uD83D\uDE00";

    private static byte[] bytes(String sql) {
        return sql.getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void answersRandomBytes(long seed) {
        Random random = new Random(seed);
        try (StatementClassifier classifier = new StatementClassifier(ClassifierOptions.DEFAULT)) {
            for (int i = 0; i < 10_000; i++) {
                byte[] sql = new byte[random.nextInt(60)];
                if (i % 4 == 0) {
                    random.nextBytes(sql);
                } else {
                    byte[] letters = bytes(ALPHABET);
                    for (int j = 0; j < sql.length; j++) {
                        sql[j] = letters[random.nextInt(letters.length)];
                    }
                }
                ClassifiedSql known = classifier.classify(sql, 0, sql.length, DatabaseCatalog.EMPTY);
                assertTrue(known == null || !known.statements().isEmpty());
            }
        }
    }

    @Test
    void answersMutilatedStatements() {
        List<StatementFile.Case> cases = new ArrayList<>(StatementFile.read("statements.txt"));
        cases.addAll(StatementFile.read("psql.txt"));
        Random random = new Random(5);
        byte[] letters = bytes(ALPHABET);
        try (StatementClassifier classifier = new StatementClassifier(ClassifierOptions.DEFAULT)) {
            for (int i = 0; i < 3_000; i++) {
                byte[] sql = bytes(cases.get(random.nextInt(cases.size())).sql());
                for (int j = random.nextInt(4); j >= 0 && sql.length > 0; j--) {
                    sql[random.nextInt(sql.length)] = letters[random.nextInt(letters.length)];
                }
                ClassifiedSql known = classifier.classify(sql, 0, sql.length, DatabaseCatalog.EMPTY);
                if (i % 10 == 0 || known != null) {
                    assertNotNull(Classifications.classify(classifier, sql, DatabaseCatalog.EMPTY));
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT {(*}1{)*}",
                "SELECT {((((((*}1",
                "SELECT {f(*}1{)*}",
                "SELECT {[*}1{]*}",
                "SELECT {CASE WHEN a THEN *}1{ END*}",
                "SELECT {- *}1",
                "SELECT {NOT *}true",
                "SELECT 1{ + 1*}",
                "SELECT 1{ AND (a = 1*}{)*}",
                "SELECT * FROM {(SELECT * FROM *}t{) x*}",
                "SELECT {/**}1{*/*}",
                "SELECT 1{;*}",
                "SELECT 1{ UNION SELECT 1*}",
                "SELECT a IN (1{, 1*})",
                "SELECT a IN (a{, a*})",
                "SELECT {) a (*}",
                "SELECT {, a (*}{)*} AS (",
                "INSERT INTO t VALUES (1{), (1*})",
                "SELECT 'a'{'b'*}",
                "SELECT '{\\\\*}'",
                "SELECT {$*}",
                "SELECT {\"*}",
                "{(*}SELECT 1",
                "SELECT {a.*}b",
                "SELECT {x AS (SELECT 1), *}1",
            })
    void isNotExhaustedByRepetition(String pattern) {
        try (StatementClassifier classifier = new StatementClassifier(ClassifierOptions.DEFAULT)) {
            for (int times : new int[] {10, 190, 3_000, 100_000}) {
                String sql = repeat(pattern, times);
                assertNotNull(Classifications.classify(classifier, sql, DatabaseCatalog.EMPTY), sql);
            }
            // On a busy machine the parser may not be asked in time at once.
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (!Classifications.classify(classifier, "SELECT 1", DatabaseCatalog.EMPTY)
                    .isSingleRead()) {
                assertTrue(System.nanoTime() < deadline, "the parser does not go on");
            }
        }
    }

    /** Repeats the text between <code>{</code> and <code>*}</code> many times. */
    private static String repeat(String pattern, int times) {
        StringBuilder sql = new StringBuilder();
        int at = 0;
        for (int open = pattern.indexOf('{'); open >= 0; open = pattern.indexOf('{', at)) {
            int close = pattern.indexOf("*}", open);
            sql.append(pattern, at, open)
                    .append(pattern.substring(open + 1, close).repeat(times));
            at = close + 2;
        }
        return sql.append(pattern.substring(at)).toString();
    }

    /** Only its own processor time counts, so a slow machine never ends it. */
    @Test
    void aParseThatTookTooLongIsNotTriedAgain() throws Exception {
        ClassifierOptions hasty = new ClassifierOptions(1024, 256 * 1024, 256, Duration.ofMillis(100), Set.of());
        byte[] quick = bytes("SELECT 1");
        byte[] slow = bytes("SELECT a FROM b WHERE c = 1" + " OR c = (2)".repeat(3_000));
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        try (StatementClassifier classifier = new StatementClassifier(hasty)) {
            // Requests that were given up before the parser had warmed up do not count.
            while (classifier.classify(quick, 0, quick.length, DatabaseCatalog.EMPTY) == null) {
                Classifications.classify(classifier, quick, DatabaseCatalog.EMPTY);
            }
            // The first answer depends on chance; in any case the shape is known before long.
            Classifications.classify(classifier, slow, DatabaseCatalog.EMPTY);
            while (classifier.classify(slow, 0, slow.length, DatabaseCatalog.EMPTY) == null) {
                assertTrue(System.nanoTime() < deadline, "still not known");
                Thread.sleep(1);
            }
        }
    }

    @Test
    void looksAtNothingThatIsTooLong() {
        try (StatementClassifier classifier = new StatementClassifier(ClassifierOptions.DEFAULT)) {
            byte[] sql = bytes("SELECT 1 -- " + "x".repeat(300_000));
            ClassifiedSql classified = classifier.classify(sql, 0, sql.length, DatabaseCatalog.EMPTY);
            assertEquals("unparsed opaque", Classifications.describe(classified));
            assertEquals("too long to be looked at", classified.because());
        }
    }

    @Test
    void leavesLongWritesToItsOwnThread() {
        try (StatementClassifier classifier = new StatementClassifier(ClassifierOptions.DEFAULT)) {
            byte[] sql = bytes("INSERT INTO t (a, b) VALUES (1, 'x')" + ", (2, 'y')".repeat(5_000));
            assertNull(classifier.classify(sql, 0, sql.length, DatabaseCatalog.EMPTY));
            assertEquals(
                    "writes",
                    Classifications.describe(Classifications.classify(classifier, sql, DatabaseCatalog.EMPTY)));
            assertNotNull(classifier.classify(sql, 0, sql.length, DatabaseCatalog.EMPTY));
        }
    }

    @Test
    void trustsNothingWhileTheCatalogIsUnknown() {
        try (StatementClassifier classifier = new StatementClassifier(ClassifierOptions.DEFAULT)) {
            assertEquals(
                    "unparsed opaque",
                    Classifications.describe(
                            Classifications.classify(classifier, "SELECT 1", DatabaseCatalog.UNKNOWN)));
            assertEquals(
                    "Commit[chain=false]",
                    Classifications.describe(Classifications.classify(classifier, "COMMIT", DatabaseCatalog.UNKNOWN)));
        }
    }

    @Test
    void aNewCatalogChangesWhatAShapeMeans() {
        try (StatementClassifier classifier = new StatementClassifier(ClassifierOptions.DEFAULT)) {
            String sql = "SELECT lower(a) FROM t";
            DatabaseCatalog shadowed =
                    new DatabaseCatalog.Builder().row("function", "lower", "vo").build();
            assertTrue(Classifications.classify(classifier, sql, DatabaseCatalog.EMPTY)
                    .isSingleRead());
            assertEquals(
                    "may_write opaque", Classifications.describe(Classifications.classify(classifier, sql, shadowed)));
            assertTrue(Classifications.classify(classifier, sql, DatabaseCatalog.EMPTY)
                    .isSingleRead());
        }
    }

    @Test
    void castsAndOperatorsThatNobodyWritesCountEverywhere() {
        DatabaseCatalog casting = new DatabaseCatalog.Builder()
                .row("function", "my_cast", "io")
                .row("everywhere", "", "my_cast")
                .build();
        DatabaseCatalog comparing = new DatabaseCatalog.Builder()
                .row("function", "my_equal", "io")
                .row("operator", "=", "my_equal")
                .build();
        try (StatementClassifier classifier = new StatementClassifier(ClassifierOptions.DEFAULT);
                StatementClassifier trusting = new StatementClassifier(
                        ClassifierOptions.DEFAULT.withSafeFunctions(Set.of("my_cast", "my_equal")))) {
            for (DatabaseCatalog catalog : List.of(casting, comparing)) {
                String sql = "SELECT a FROM t WHERE b IN (1)";
                assertEquals(
                        "may_write opaque",
                        Classifications.describe(Classifications.classify(classifier, sql, catalog)));
                assertTrue(Classifications.classify(trusting, sql, catalog).isSingleRead());
            }
        }
    }

    @Test
    void remembersAShapeAfterTheFirstTime() {
        try (StatementClassifier classifier = new StatementClassifier(ClassifierOptions.DEFAULT)) {
            byte[] first = bytes("SELECT a FROM t WHERE b = 1");
            byte[] second = bytes("xx select A from T where B = 22;  yy");
            assertNull(classifier.classify(first, 0, first.length, DatabaseCatalog.EMPTY));
            ClassifiedSql read = Classifications.classify(classifier, first, DatabaseCatalog.EMPTY);
            assertSame(read, classifier.classify(second, 3, second.length - 6, DatabaseCatalog.EMPTY));
        }
    }

    @Test
    void answersEveryoneExactlyOnceUnderOverload() throws Exception {
        ClassifierOptions small = new ClassifierOptions(64, 10_000, 4, Duration.ofSeconds(20), Set.of());
        int asked = 2_000;
        AtomicInteger answers = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(asked);
        try (StatementClassifier classifier = new StatementClassifier(small)) {
            for (int i = 0; i < asked; i++) {
                byte[] sql = bytes("SELECT a" + i % 500 + " FROM t; SELECT b" + i + " FROM t");
                classifier.inquire(List.of(sql), DatabaseCatalog.EMPTY).start(Runnable::run, texts -> {
                    ClassifiedSql classified = texts.get(0);
                    answers.incrementAndGet();
                    refused.addAndGet(classified.isReadOnly() ? 0 : 1);
                    done.countDown();
                });
            }
            assertTrue(done.await(60, TimeUnit.SECONDS));
        }
        assertEquals(asked, answers.get());
        assertTrue(refused.get() > 0 && refused.get() < asked, refused + " refused");
    }

    @Test
    void answersThoseWhoWaitWhenItIsClosed() {
        Queue<Runnable> loop = new ConcurrentLinkedQueue<>();
        Executor executor = loop::add;
        List<ClassifiedSql> answers = new ArrayList<>();
        StatementClassifier classifier = new StatementClassifier(ClassifierOptions.DEFAULT);
        for (int i = 0; i < 50; i++) {
            byte[] sql = bytes("SELECT c" + i);
            classifier.inquire(List.of(sql), DatabaseCatalog.EMPTY).start(executor, answers::addAll);
        }
        classifier.close();
        byte[] late = bytes("SELECT late");
        classifier.inquire(List.of(late), DatabaseCatalog.EMPTY).start(executor, answers::addAll);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (answers.size() < 51 && System.nanoTime() < deadline) {
            Runnable next = loop.poll();
            if (next != null) {
                next.run();
            }
            Thread.onSpinWait();
        }
        assertEquals(51, answers.size());
    }
}
