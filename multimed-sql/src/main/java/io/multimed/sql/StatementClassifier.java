package io.multimed.sql;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells what statements may do. Shared by all event loops; shapes are parsed once, on a thread of its own.
 *
 * <p>The SQL must be in a client encoding in which bytes below 0x80 are ASCII wherever they stand: see {@link
 * #understands}; anything else counts as {@link ClassifiedSql#UNPARSED} and is the caller's to treat so.
 */
public final class StatementClassifier implements AutoCloseable {
    /** Deeper nesting is no query that a person or a mapper writes; the parser's stack is measured for this. */
    private static final int MAX_DEPTH = 200;

    /** The parser's time grows faster than the statement. */
    private static final int MAX_TOKENS = 20_000;

    /** What is judged on an event loop if it need not be parsed; some hundred microseconds when seen for the first time. */
    private static final int MAX_TOKENS_AT_ONCE = 2_000;

    /** Catalogs whose names are kept resolved; more than the databases of most clusters. */
    private static final int MAX_CATALOGS = 64;

    private static final ClassifiedSql TOO_LONG = ClassifiedSql.unparsed("too long to be looked at");
    private static final ClassifiedSql TOO_COMPLEX = ClassifiedSql.unparsed("too complex to be parsed");

    private final ClassifierOptions options;
    private final ShapeCache cache;
    private final ThreadLocal<Shape> shapes;
    private final Map<Long, Names> names = new ConcurrentHashMap<>();
    private final Map<PendingShape.Key, PendingShape> pending = new ConcurrentHashMap<>();
    private final GeneralParser parser = new GeneralParser();
    private final ParserThread thread;
    private final Asking asking = new Asking();

    public StatementClassifier(ClassifierOptions options) {
        this.options = options;
        cache = new ShapeCache(options.maxShapes());
        SecureRandom random = new SecureRandom();
        long key0 = random.nextLong();
        long key1 = random.nextLong();
        shapes = ThreadLocal.withInitial(() -> new Shape(key0, key1));
        // Reads the lists now, not on an event loop.
        BuiltInFunctions.all();
        ExtensionFunctions.all();
        thread = new ParserThread(this::parse, parser, options.parseTimeout());
    }

    /**
     * Whether SQL in this client encoding can be classified: its tokens can be told apart, and names are what they are in UTF-8,
     * in which the catalog has them. What is in literals does not matter.
     *
     * @param clientEncoding as the backend reports {@code client_encoding}
     * @param sql begins with the statement's bytes
     * @param length how many these are
     */
    public static boolean understands(String clientEncoding, byte[] sql, int length) {
        return switch (clientEncoding) {
            case "UTF8" -> true;
            // A second byte may be that of an ASCII character (PostgreSQL manual, 23.3.1: client-only encodings).
            case "BIG5", "GB18030", "GBK", "JOHAB", "SHIFT_JIS_2004", "SJIS", "UHC" -> false;
            default -> isAscii(sql, 0, length) || namesAreAscii(sql, length);
        };
    }

    /**
     * Whether PostgreSQL resolves the names in it when it is prepared, and again when these may stand for something else since.
     * It does not for utility statements, save those that hold a query (stmt_requires_parse_analysis, parser/analyze.c). Event
     * loop; never blocks.
     *
     * @param sql one statement
     */
    public boolean isAnalysed(byte[] sql) {
        Shape shape = shapes.get();
        shape.read(sql, 0, sql.length);
        Verb verb = shape.verb();
        return switch (verb.kind()) {
            case QUERY, WRITE, DECLARE, EXPLAIN -> true;
            default -> verb == Verb.CREATE || verb == Verb.CALL;
        };
    }

    private static boolean namesAreAscii(byte[] sql, int length) {
        Lexer lexer = new Lexer();
        lexer.reset(sql, 0, length);
        for (int kind = lexer.next(); kind != Lexer.EOF && kind != Lexer.ERROR; kind = lexer.next()) {
            boolean name = kind == Lexer.WORD || kind == Lexer.QUOTED;
            if (name && !isAscii(sql, lexer.start(), lexer.end())) {
                return false;
            }
        }
        return true;
    }

    private static boolean isAscii(byte[] sql, int from, int to) {
        for (int i = from; i < to; i++) {
            if (sql[i] < 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * Event loop; never blocks, never throws on any bytes.
     *
     * @param sql the statement's bytes without the terminating zero
     * @param catalog of the database the session is connected to
     * @return the classification, or null while its shape is not known yet: then {@link #inquire}
     */
    public @Nullable ClassifiedSql classify(byte[] sql, int offset, int length, DatabaseCatalog catalog) {
        if (length > options.maxStatementBytes()) {
            return TOO_LONG;
        }
        Shape shape = shapes.get();
        int end = offset + length;
        shape.read(sql, offset, end);
        if (onlySpace(sql, shape.behind(), end)) {
            return one(sql, shape, catalog);
        }
        List<ClassifiedSql> statements = new ArrayList<>();
        while (true) {
            ClassifiedSql one = one(sql, shape, catalog);
            if (one == null) {
                return null;
            }
            statements.add(one);
            int behind = shape.behind();
            if (onlySpace(sql, behind, end)) {
                return ClassifiedSql.joined(statements);
            }
            shape.read(sql, behind, end);
        }
    }

    private static boolean onlySpace(byte[] sql, int from, int to) {
        for (int i = from; i < to; i++) {
            if (sql[i] != ' ' && sql[i] != '\n' && sql[i] != '\r' && sql[i] != '\t') {
                return false;
            }
        }
        return true;
    }

    /** The statement just read; null if the parser has to be asked. */
    private @Nullable ClassifiedSql one(byte[] sql, Shape shape, DatabaseCatalog catalog) {
        if (shape.empty()) {
            return ClassifiedSql.EMPTY;
        }
        if (shape.erroneous()) {
            return ClassifiedSql.UNPARSED;
        }
        Verb verb = shape.verb();
        boolean control = verb.kind() == Verb.Kind.CONTROL;
        if (control && shape.literals()) {
            return ClassifiedSql.of(ControlStatements.parse(verb, sql, shape.from(), shape.to()));
        }
        ClassifiedSql known = cache.get(shape.high(), shape.low(), catalog.version());
        if (known != null) {
            return known;
        }
        if (verb.needsParser()) {
            return shape.depth() > MAX_DEPTH || shape.tokens() > MAX_TOKENS ? TOO_COMPLEX : null;
        }
        if (!control && shape.tokens() > MAX_TOKENS_AT_ONCE) {
            return null;
        }
        Statement statement = control
                ? ControlStatements.parse(verb, sql, shape.from(), shape.to())
                : Analyst.analyse(verb, Tokens.of(sql, shape.from(), shape.to()), names(catalog), parser::isQuery);
        ClassifiedSql classified = ClassifiedSql.of(statement);
        cache.put(shape.high(), shape.low(), catalog.version(), classified);
        return classified;
    }

    private Names names(DatabaseCatalog catalog) {
        Names known = names.get(catalog.version());
        if (known == null) {
            if (names.size() >= MAX_CATALOGS) {
                names.clear();
            }
            known = new Names(catalog, options);
            names.put(catalog.version(), known);
        }
        return known;
    }

    /**
     * Reads the texts of one unit, to have the parser asked for the shapes that are not known. Copies the bytes it needs.
     * Never blocks; any thread.
     *
     * @param catalog of the database the session is connected to
     */
    public Inquiry inquire(List<byte[]> texts, DatabaseCatalog catalog) {
        Inquiry inquiry = new Inquiry(asking);
        Shape shape = shapes.get();
        for (byte[] sql : texts) {
            inquiry.text();
            if (sql.length > options.maxStatementBytes()) {
                inquiry.known(TOO_LONG);
                continue;
            }
            int from = 0;
            do {
                shape.read(sql, from, sql.length);
                ClassifiedSql known = one(sql, shape, catalog);
                if (known == null) {
                    inquiry.missing(sql, shape, catalog);
                } else {
                    inquiry.known(known);
                }
                from = shape.behind();
            } while (!onlySpace(sql, from, sql.length));
        }
        return inquiry;
    }

    /** How long a unit waits for the parser at most. */
    public Duration patience() {
        return options.parseTimeout();
    }

    /** How an {@link Inquiry} asks. */
    private final class Asking implements Inquiry.Parser {
        @Override
        public @Nullable ClassifiedSql known(PendingShape.Key key) {
            return cache.get(key.high(), key.low(), key.catalog());
        }

        @Override
        public @Nullable PendingShape ask(Inquiry.Missing missing, Consumer<ClassifiedSql> then) {
            PendingShape.Key key = missing.key;
            while (true) {
                PendingShape shared = pending.get(key);
                if (shared == null) {
                    if (pending.size() >= options.maxShapesInFlight()) {
                        then.accept(ClassifiedSql.OVERLOADED);
                        return null;
                    }
                    shared = new PendingShape(
                            key, missing.verb, missing.sql, missing.catalog, done -> pending.remove(key, done));
                    shared.await(then);
                    if (pending.putIfAbsent(key, shared) != null) {
                        continue;
                    }
                    thread.submit(shared);
                    return shared;
                }
                if (shared.await(then)) {
                    return shared;
                }
            }
        }

        @Override
        public void leave(PendingShape asked, Consumer<ClassifiedSql> then) {
            if (asked.leave(then)) {
                thread.withdraw(asked);
            }
        }

        @Override
        public boolean isOverdue(long began) {
            return System.nanoTime() - began > options.parseTimeout().toNanos();
        }
    }

    /** Parser thread. */
    private ClassifiedSql parse(PendingShape shape) {
        PendingShape.Key key = shape.key();
        ClassifiedSql known = cache.get(key.high(), key.low(), key.catalog());
        if (known != null) {
            // Asked for again after it was given up and before it was analysed.
            return known;
        }
        byte[] sql = shape.sql();
        Statement statement =
                Analyst.analyse(shape.verb(), Tokens.of(sql, 0, sql.length), names(shape.catalog()), parser::isQuery);
        ClassifiedSql classified = ClassifiedSql.of(statement);
        // Also if the parser was interrupted: then it was the statement that was slow, not the machine.
        cache.put(key.high(), key.low(), key.catalog(), classified);
        return classified;
    }

    /** How many shapes somebody waits for. */
    int inFlight() {
        return pending.size();
    }

    /** Ends the parser thread; what was waiting gets {@link ClassifiedSql#UNPARSED}. */
    @Override
    public void close() {
        thread.close();
        pending.values().forEach(shape -> shape.settle(ClassifiedSql.UNPARSED));
    }
}
