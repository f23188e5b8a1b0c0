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

    private final ConcurrentHashMap<String, Boolean> queries = new ConcurrentHashMap<>();
    private final ThreadPoolExecutor thread;

    public MysqlParser(ThreadFactory threads) {
        thread = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MOST_WAITING), threads);
    }

    /** Whether the shape is known to be a query. The first call for a shape asks, and returns false. */
    public boolean isQuery(String shape) {
        Boolean known = queries.get(shape);
        if (known == null && queries.size() < MOST_SHAPES && queries.putIfAbsent(shape, false) == null) {
            try {
                thread.execute(() -> queries.put(shape, parse(shape, false) || parse(shape, true)));
            } catch (RejectedExecutionException busy) {
                queries.remove(shape);
            }
        }
        return known != null && known;
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
