package io.multimed.sql;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Set;
import java.util.function.ToLongFunction;
import net.sf.jsqlparser.parser.CCJSqlParser;
import net.sf.jsqlparser.parser.StringProvider;
import org.jspecify.annotations.Nullable;

/**
 * JSqlParser as a second opinion on whether a text is one query and nothing but a query. One thread parses; any thread may
 * interrupt it. An interrupt affects only the text being parsed, neither the next text nor the definition of a view that is parsed
 * after it.
 */
final class GeneralParser {
    /** Words that JSqlParser reserves and PostgreSQL allows as names. They were found by trying all of its words. */
    static final Set<String> FOREIGN_KEY_WORDS = Set.of(
            "connect_by_root",
            "csv",
            "distinctrow",
            "errors",
            "excludes",
            "extend",
            "fbv",
            "final",
            "force",
            "import",
            "includes",
            "minus",
            "nocycle",
            "output",
            "pivot",
            "preferring",
            "prewhere",
            "prior",
            "returns",
            "sample",
            "script",
            "semi",
            "settings",
            "sql_cache",
            "sql_calc_found_rows",
            "sql_no_cache",
            "statement",
            "unpivot",
            "use",
            "verify",
            "xor");

    private final ToLongFunction<Thread> used;
    // Guarded by the lock, so that an interrupt reaches exactly the text being parsed.
    private @Nullable Thread parsing;
    private @Nullable CCJSqlParser running;
    private long usedBefore;
    private boolean interrupted;
    private boolean closed;

    GeneralParser() {
        this(GeneralParser::processorTime);
    }

    /**
     * Makes a parser with a clock of its own.
     *
     * @param used returns the nanoseconds of processor time that a thread has used
     */
    GeneralParser(ToLongFunction<Thread> used) {
        this.used = used;
    }

    private static long processorTime(Thread thread) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return threads.isThreadCpuTimeSupported() && threads.isThreadCpuTimeEnabled()
                ? threads.getThreadCpuTime(thread.getId())
                : System.nanoTime();
    }

    /**
     * Makes the text that is being parsed fail soon if it has used this much processor time. {@link #isQuery} then returns false.
     * Time in which the machine was busy with other work does not count.
     *
     * @return the processor time that is left to this text, or to the next one; positive
     */
    synchronized long interruptAfter(long nanos) {
        if (parsing == null || interrupted) {
            return nanos;
        }
        long left = nanos - (used.applyAsLong(parsing) - usedBefore);
        if (left > 0) {
            return left;
        }
        interrupt();
        return nanos;
    }

    private void interrupt() {
        interrupted = true;
        if (running != null) {
            running.interrupted = true;
        }
    }

    /** Makes the present text and all later ones fail soon. */
    synchronized void close() {
        closed = true;
        interrupt();
    }

    /** Whether the tokens are a query without anything that changes data, schema or session, or locks rows. */
    boolean isQuery(Tokens tokens) {
        begin();
        try {
            String text = QueryText.of(tokens, FOREIGN_KEY_WORDS);
            // Simple parsing first: it is faster, but fails on some conditions in parentheses.
            return isQuery(text, false) || isQuery(text, true);
        } finally {
            end();
        }
    }

    private synchronized void begin() {
        parsing = Thread.currentThread();
        usedBefore = used.applyAsLong(parsing);
        interrupted = closed;
    }

    private synchronized void end() {
        parsing = null;
        running = null;
    }

    /** Registers the running parser. An interrupt may have come before there was a parser to interrupt; then this returns false. */
    private synchronized boolean start(CCJSqlParser parser) {
        running = parser;
        return !interrupted;
    }

    private boolean isQuery(String text, boolean complex) {
        CCJSqlParser parser = new CCJSqlParser(new StringProvider(text)).withAllowComplexParsing(complex);
        if (!start(parser)) {
            return false;
        }
        try {
            return PureQuery.is(parser.Statement());
        } catch (Exception | StackOverflowError e) {
            // The Master executes every statement on which the parser fails.
            return false;
        }
    }
}
