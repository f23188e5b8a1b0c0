package io.multimed.sql.mysql;

import io.multimed.sql.PureQuery;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import net.sf.jsqlparser.parser.CCJSqlParser;
import net.sf.jsqlparser.parser.StringProvider;

/**
 * JSqlParser as a second opinion on whether a text is one query and nothing but a query. The opinion on a shape is asked for once, on a
 * thread of its own; until it is there the Master executes such statements. Thread-safe.
 */
public final class MysqlParser implements AutoCloseable {
    private static final int MOST_SHAPES = 10_000;
    private static final int MOST_WAITING = 1000;

    /** The opinion on a shape. */
    public enum Opinion {
        AWAITED,
        QUERY,
        OTHER
    }

    private final ConcurrentHashMap<String, Opinion> opinions = new ConcurrentHashMap<>();
    private final ThreadPoolExecutor thread;

    public MysqlParser(ThreadFactory threads) {
        thread = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MOST_WAITING), threads);
    }

    /** Whether the shape is known to be a query. The first call for a shape asks, and returns false. */
    public boolean isQuery(String shape) {
        return opinion(shape) == Opinion.QUERY;
    }

    /** Returns the opinion on a shape. The first call for a shape asks for it. */
    public Opinion opinion(String shape) {
        Opinion known = opinions.get(shape);
        if (known != null) {
            return known;
        }
        if (opinions.size() >= MOST_SHAPES) {
            return Opinion.OTHER;
        }
        if (opinions.putIfAbsent(shape, Opinion.AWAITED) == null) {
            try {
                thread.execute(() ->
                        opinions.put(shape, parse(shape, false) || parse(shape, true) ? Opinion.QUERY : Opinion.OTHER));
            } catch (RejectedExecutionException busy) {
                opinions.remove(shape);
            }
        }
        return Opinion.AWAITED;
    }

    static boolean parse(String text, boolean complex) {
        CCJSqlParser parser = new CCJSqlParser(new StringProvider(text)).withAllowComplexParsing(complex);
        try {
            return PureQuery.is(parser.Statement());
        } catch (Exception | StackOverflowError e) {
            // The Master executes every statement on which the parser fails.
            return false;
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
