package io.multimed.sql;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Classifies statements by their possible effects. One instance serves all event loops. Each shape is parsed once, on a separate
 * thread.
 *
 * <p>The SQL must be in a client encoding in which bytes below 0x80 are always ASCII characters: see {@link #understands}. The
 * caller must treat any other text as {@link ClassifiedSql#UNPARSED}.
 */
public final class StatementClassifier implements AutoCloseable {
    /**
     * Deepest nesting that is parsed. Queries of people and mappers nest less deeply; the parser's stack is measured for this
     * depth.
     */
    private static final int MAX_DEPTH = 200;

    /** Largest number of tokens that is parsed. The parser's time grows faster than the statement. */
    private static final int MAX_TOKENS = 20_000;

    /**
     * Largest number of tokens that is judged on an event loop if the statement need not be parsed. The first time, this takes
     * some hundred microseconds.
     */
    private static final int MAX_TOKENS_AT_ONCE = 2_000;

    /** Number of catalogs whose names are kept resolved. Most clusters have fewer databases. */
    private static final int MAX_CATALOGS = 64;

    /** Fixed, so that people and rules see the same fingerprints in every process. */
    private static final long FINGERPRINT_KEY = 0x4d756c74696d6564L;

    private static final ClassifiedSql TOO_LONG = ClassifiedSql.unparsed("too long to be looked at");
    private static final ClassifiedSql TOO_COMPLEX = ClassifiedSql.unparsed("too complex to be parsed");

    private final int maxStatementBytes;
    private volatile Options current;
    private final ShapeCache cache;
    private final ThreadLocal<Shape> shapes;
    private final GeneralParser parser = new GeneralParser();
    private final ParserThread thread;
    private final ShapeRequests requests;

    /**
     * The options that apply at present, with what was found with them.
     *
     * @param number distinguishes them from those that applied before
     * @param names of the catalogs, by their versions
     */
    private record Options(ClassifierOptions chosen, long number, Map<Long, Names> names) {
        Options(ClassifierOptions chosen, long number) {
            this(chosen, number, new ConcurrentHashMap<>());
        }

        /** Returns a number that stands for these options and the catalog. No two catalogs have the same version. */
        long with(DatabaseCatalog catalog) {
            return catalog.version() + (number << 40);
        }

        private Names names(DatabaseCatalog catalog) {
            Names known = names.get(catalog.version());
            if (known == null) {
                if (names.size() >= MAX_CATALOGS) {
                    names.clear();
                }
                known = new Names(catalog, chosen);
                names.put(catalog.version(), known);
            }
            return known;
        }
    }

    public StatementClassifier(ClassifierOptions options) {
        current = new Options(options, 0);
        maxStatementBytes = options.maxStatementBytes();
        cache = new ShapeCache(options.maxShapes());
        SecureRandom random = new SecureRandom();
        long key0 = random.nextLong();
        long key1 = random.nextLong();
        shapes = ThreadLocal.withInitial(
                () -> new Shape(key0, key1, options.rules().hints()));
        // Reads the lists now, because an event loop must not wait for them later.
        BuiltInFunctions.all();
        ExtensionFunctions.all();
        thread = new ParserThread(this::parse, parser, options.parseTimeout());
        requests = new ShapeRequests(cache, thread, () -> current.chosen());
    }

    /**
     * Classifies by other safe functions and routing rules from now on. Statements that were classified before have to be classified
     * anew: see {@link #version}. Thread-safe.
     *
     * @param options of which the sizes, the timeout and whether hints count are those given at first
     */
    public void reconfigure(ClassifierOptions options) {
        current = new Options(options, current.number() + 1);
    }

    /** Returns a number that changes with everything on which classifications depend besides the text. */
    public long version(DatabaseCatalog catalog) {
        return current.with(catalog);
    }

    /**
     * Whether SQL in this client encoding can be classified. Its tokens must be distinguishable, and names must be as in UTF-8,
     * the encoding of the catalog's names. The contents of literals do not matter.
     *
     * @param clientEncoding as the backend reports {@code client_encoding}
     * @param sql a buffer that begins with the statement's bytes
     * @param length the number of these bytes
     */
    public static boolean understands(String clientEncoding, byte[] sql, int length) {
        return switch (clientEncoding) {
            case "UTF8" -> true;
            // The second byte of a character may equal an ASCII character (PostgreSQL manual, 23.3.1: client-only
            // encodings).
            case "BIG5", "GB18030", "GBK", "JOHAB", "SHIFT_JIS_2004", "SJIS", "UHC" -> false;
            default -> isAscii(sql, 0, length) || namesAreAscii(sql, length);
        };
    }

    /**
     * Whether PostgreSQL resolves the names in the statement when it is prepared, and again later if they may have got another
     * meaning. It does not do so for utility statements, except those that contain a query (stmt_requires_parse_analysis,
     * parser/analyze.c). Event loop; never blocks.
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
     * Classifies a text. Event loop; never blocks, and throws on no input.
     *
     * @param sql the statement's bytes without the terminating zero
     * @param catalog of the database the session is connected to
     * @return the classification, or null while its shape is not known yet: then {@link #inquire}
     */
    public @Nullable ClassifiedSql classify(byte[] sql, int offset, int length, DatabaseCatalog catalog) {
        if (length > maxStatementBytes) {
            return TOO_LONG;
        }
        Options options = current;
        Shape shape = shapes.get();
        int end = offset + length;
        shape.read(sql, offset, end);
        if (onlySpace(sql, shape.behind(), end)) {
            return one(sql, shape, catalog, options);
        }
        List<ClassifiedSql> statements = new ArrayList<>();
        while (true) {
            ClassifiedSql one = one(sql, shape, catalog, options);
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

    /** Classifies the statement just read; null if the parser must be asked. */
    private @Nullable ClassifiedSql one(byte[] sql, Shape shape, DatabaseCatalog catalog, Options options) {
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
        ClassifiedSql known = cache.get(shape.high(), shape.low(), options.with(catalog));
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
                : marked(
                        Analyst.analyse(
                                verb,
                                Tokens.of(sql, shape.from(), shape.to()),
                                options.names(catalog),
                                parser::isQuery),
                        sql,
                        shape.from(),
                        shape.to(),
                        catalog.database(),
                        options.chosen().rules());
        ClassifiedSql classified = ClassifiedSql.of(statement);
        cache.put(shape.high(), shape.low(), options.with(catalog), classified);
        return classified;
    }

    /** Completes the marks of a read by those that need its text. */
    private static Statement marked(
            Statement statement, byte[] sql, int from, int to, String database, StatementRules rules) {
        if (statement instanceof Statement.DeclareCursor cursor) {
            return new Statement.DeclareCursor(
                    cursor.name(), cursor.hold(), marked(cursor.query(), sql, from, to, database, rules));
        }
        if (!(statement instanceof Statement.Read read)) {
            return statement;
        }
        Shape shape = new Shape(FINGERPRINT_KEY, FINGERPRINT_KEY);
        shape.read(sql, from, to);
        ReadMarks marks = new ReadMarks(
                read.marks().rules() & rules.ofShape(shape.high()),
                rules.hints() ? shape.hint() : "",
                shape.high(),
                database,
                rules.generation());
        return new Statement.Read(read.momentary(), read.holders(), marks);
    }

    /**
     * Returns the evidence by which partial Satellites hold a read or do not. Event loop; never blocks.
     *
     * @param sql one statement, which is classified as a {@link Statement.Read}
     * @param catalog of the database the session is connected to
     * @return empty if finding it would take long
     */
    public Optional<ReadEvidence> evidence(byte[] sql, DatabaseCatalog catalog) {
        Shape shape = shapes.get();
        shape.read(sql, 0, sql.length);
        if (shape.tokens() > MAX_TOKENS_AT_ONCE) {
            return Optional.empty();
        }
        ReadEvidence.Collector evidence = new ReadEvidence.Collector();
        Analyst.analyse(
                shape.verb(),
                Tokens.of(sql, shape.from(), shape.to()),
                new Names(catalog, current.chosen(), evidence),
                query -> true);
        return Optional.of(evidence.collected());
    }

    /**
     * Returns the position at which the statement begins that EXPLAIN (MULTIMED) is to explain.
     *
     * @param sql an EXPLAIN with options
     */
    public static int beginOfExplained(byte[] sql, int length) {
        Lexer lexer = new Lexer();
        lexer.reset(sql, 0, length);
        int open = 0;
        for (int kind = lexer.next(); kind != Lexer.EOF && kind != Lexer.ERROR; kind = lexer.next()) {
            if (kind == Lexer.PUNCTUATION && lexer.first() == '(') {
                open++;
            } else if (kind == Lexer.PUNCTUATION && lexer.first() == ')' && --open == 0) {
                return lexer.end();
            }
        }
        return length;
    }

    /**
     * Reads the texts of one unit, so that the parser can be asked for the shapes that are not known. Copies the bytes it needs.
     * Never blocks; any thread.
     *
     * @param catalog of the database the session is connected to
     */
    public Inquiry inquire(List<byte[]> texts, DatabaseCatalog catalog) {
        Options options = current;
        Inquiry inquiry = new Inquiry(requests, options.with(catalog));
        Shape shape = shapes.get();
        for (byte[] sql : texts) {
            inquiry.text();
            if (sql.length > maxStatementBytes) {
                inquiry.known(TOO_LONG);
                continue;
            }
            int from = 0;
            do {
                shape.read(sql, from, sql.length);
                ClassifiedSql known = one(sql, shape, catalog, options);
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

    /** Returns the longest time that a unit waits for the parser. */
    public Duration patience() {
        return current.chosen().parseTimeout();
    }

    /** Analyses a shape. Parser thread. */
    private ClassifiedSql parse(PendingShape shape) {
        PendingShape.Key key = shape.key();
        ClassifiedSql known = cache.get(key.high(), key.low(), key.catalog());
        if (known != null) {
            // The shape was requested again after it had been given up and before it was analysed.
            return known;
        }
        byte[] sql = shape.sql();
        Options options = current;
        Statement statement = marked(
                Analyst.analyse(
                        shape.verb(), Tokens.of(sql, 0, sql.length), options.names(shape.catalog()), parser::isQuery),
                sql,
                0,
                sql.length,
                shape.catalog().database(),
                options.chosen().rules());
        ClassifiedSql classified = ClassifiedSql.of(statement);
        // Cached even if the parser was interrupted: interrupts depend on processor time, so the statement was slow,
        // not the
        // machine.
        if (options.with(shape.catalog()) == key.catalog()) {
            cache.put(key.high(), key.low(), key.catalog(), classified);
        }
        return classified;
    }

    /** Returns the number of shapes that are waited for. */
    int inFlight() {
        return requests.inFlight();
    }

    /** Ends the parser thread. Waiting inquiries get {@link ClassifiedSql#UNPARSED}. */
    @Override
    public void close() {
        thread.close();
        requests.close();
    }
}
