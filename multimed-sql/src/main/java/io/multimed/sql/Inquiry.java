package io.multimed.sql;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The classification of the texts of one unit, some of which have shapes that are not known yet. The texts are read once. The
 * parser is then asked for one missing shape after the other, so that each unit has at most one shape in the parser's queue. Every
 * answer is kept here, even if the cache evicts it meanwhile.
 *
 * <p>It has more fields than other classes, since what was asked, what is being asked and the one who waits for it change
 * together under one lock.
 *
 * <p>One thread makes and reads an inquiry; any thread may call {@link #abandon}.
 */
public final class Inquiry {
    /**
     * Largest number of shapes that the parser classifies for one unit; they take some milliseconds. The Master executes a unit
     * with more new shapes, which takes less time than the parser would.
     */
    public static final int MOST_SHAPES = 64;

    private static final Logger LOG = LoggerFactory.getLogger(Inquiry.class);

    /** The parser as an inquiry uses it. */
    interface Parser {
        /** Returns the shape's classification if it has become known meanwhile, otherwise null. */
        @Nullable
        ClassifiedSql known(PendingShape.Key key);

        /**
         * Asks for a shape's classification. Calls {@code then} with it, on any thread, perhaps before this returns.
         *
         * @return the pending shape, for {@link #leave}; null if {@code then} has been called
         */
        @Nullable
        PendingShape ask(Missing missing, Consumer<ClassifiedSql> then);

        /** Withdraws a request made by {@link #ask}. */
        void leave(PendingShape asked, Consumer<ClassifiedSql> then);

        /** Whether an inquiry that began at this {@link System#nanoTime} must go on without the missing answers. */
        boolean isOverdue(long began);
    }

    /** One statement whose shape has to be analysed. */
    static final class Missing implements Part {
        final PendingShape.Key key;
        final Verb verb;
        final byte[] sql;
        final DatabaseCatalog catalog;
        private @Nullable ClassifiedSql answer;

        Missing(PendingShape.Key key, Verb verb, byte[] sql, DatabaseCatalog catalog) {
            this.key = key;
            this.verb = verb;
            this.sql = sql;
            this.catalog = catalog;
        }

        @Override
        public @Nullable ClassifiedSql answer() {
            return answer;
        }
    }

    /** One statement of a text. */
    private interface Part {
        /** Returns the classification; null while its shape is not known. */
        @Nullable
        ClassifiedSql answer();
    }

    private final Parser parser;
    private final long version;
    private final List<List<Part>> texts = new ArrayList<>();
    private final Map<PendingShape.Key, Missing> missing = new HashMap<>();
    private final List<Missing> inOrder = new ArrayList<>();
    private final Consumer<ClassifiedSql> answered = this::answered;
    private List<Part> reading = new ArrayList<>();

    // Missing answers that have not been requested yet. They are requested one at a time.
    private Iterator<Missing> left = inOrder.iterator();
    private @Nullable Missing current;
    private ClassifiedSql without = ClassifiedSql.UNPARSED;
    private long began;
    private @Nullable Executor executor;
    private @Nullable Consumer<List<ClassifiedSql>> then;

    private boolean abandoned;
    private @Nullable PendingShape asked;

    /** @param version that of the classifier with the catalog of the database */
    Inquiry(Parser parser, long version) {
        this.parser = parser;
        this.version = version;
    }

    /** Begins another text: the statements added next belong to it. */
    void text() {
        reading = new ArrayList<>();
        texts.add(reading);
    }

    /** Adds a statement whose classification is known. */
    void known(ClassifiedSql classified) {
        reading.add(() -> classified);
    }

    /** Adds a statement that must be analysed. Its shape is noted once, even if several statements have it. */
    void missing(byte[] sql, Shape shape, DatabaseCatalog catalog) {
        PendingShape.Key key = new PendingShape.Key(shape.high(), shape.low(), version);
        Missing noted = missing.get(key);
        if (noted == null) {
            byte[] statement = new byte[shape.to() - shape.from()];
            System.arraycopy(sql, shape.from(), statement, 0, statement.length);
            noted = new Missing(key, shape.verb(), statement, catalog);
            missing.put(key, noted);
            inOrder.add(noted);
        }
        reading.add(noted);
    }

    /** Returns the number of shapes for which the parser must be asked. */
    public int shapes() {
        return missing.size();
    }

    /**
     * Asks the parser, for {@link #MOST_SHAPES} shapes at most. Then calls {@code then} on the executor {@code on} with the
     * classification of each text, once, unless the inquiry is abandoned before. A text counts as not understood if an answer is
     * missing because there were too many shapes, the parser is overloaded, or it took too long.
     */
    public void start(Executor on, Consumer<List<ClassifiedSql>> then) {
        this.executor = on;
        this.then = then;
        began = System.nanoTime();
        left = inOrder.subList(0, Math.min(inOrder.size(), MOST_SHAPES)).iterator();
        goOn();
    }

    /**
     * Abandons the inquiry. No further shape is requested, and a shape whose analysis has not begun is dropped unless other
     * inquiries wait for it.
     */
    public void abandon() {
        PendingShape waiting;
        synchronized (this) {
            abandoned = true;
            waiting = asked;
            asked = null;
        }
        if (waiting != null) {
            parser.leave(waiting, answered);
        }
    }

    private synchronized boolean isAbandoned() {
        return abandoned;
    }

    private void answered(ClassifiedSql classified) {
        synchronized (this) {
            asked = null;
        }
        Missing statement = current;
        if (statement != null) {
            statement.answer = classified;
        }
        if (classified.isOfMoment()) {
            without = classified;
            finish();
        } else {
            goOn();
        }
    }

    private void goOn() {
        while (left.hasNext() && !isAbandoned()) {
            if (parser.isOverdue(began)) {
                without = ClassifiedSql.TOOK_TOO_LONG;
                break;
            }
            Missing next = left.next();
            current = next;
            ClassifiedSql known = parser.known(next.key);
            if (known == null) {
                ask(next);
                return;
            }
            next.answer = known;
        }
        finish();
    }

    private void ask(Missing next) {
        PendingShape waiting = parser.ask(next, answered);
        if (waiting == null) {
            return;
        }
        boolean late;
        synchronized (this) {
            // The answer may have come meanwhile, and the next shape may have been requested.
            if (waiting.settled()) {
                return;
            }
            late = abandoned;
            asked = waiting;
        }
        if (late) {
            parser.leave(waiting, answered);
        }
    }

    private void finish() {
        Executor on = executor;
        if (on == null || isAbandoned()) {
            return;
        }
        List<ClassifiedSql> classified = texts.stream().map(this::classified).toList();
        try {
            on.execute(() -> tell(classified));
        } catch (RejectedExecutionException e) {
            LOG.debug("nobody waits for a classification any more", e);
        }
    }

    private void tell(List<ClassifiedSql> classified) {
        Consumer<List<ClassifiedSql>> told = then;
        if (told != null && !isAbandoned()) {
            told.accept(classified);
        }
    }

    private ClassifiedSql classified(List<Part> text) {
        List<ClassifiedSql> parts = new ArrayList<>(text.size());
        for (Part part : text) {
            ClassifiedSql answer = part.answer();
            if (answer == null) {
                return without;
            }
            parts.add(answer);
        }
        return ClassifiedSql.joined(parts);
    }
}
