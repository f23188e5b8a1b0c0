package io.multimed.jdbc.statement;

import io.multimed.engine.embedded.EmbeddedSession;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;

/**
 * The time limit that the application sets for an execution. Engines count from the moment when they are called. Here the wait
 * before that counts too, mainly the wait for a fresh replica.
 */
final class QueryTimeout {
    static final QueryTimeout NONE = new QueryTimeout(0);

    private final int seconds;
    private final long end;

    private QueryTimeout(int seconds) {
        this.seconds = seconds;
        this.end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    }

    /**
     * Returns a limit that begins now.
     *
     * @param seconds as of {@link Statement#setQueryTimeout}; 0 for no limit
     */
    static QueryTimeout from(int seconds) {
        return seconds == 0 ? NONE : new QueryTimeout(seconds);
    }

    /** Returns the time that is left for the statement. */
    long nanos() {
        return this == NONE ? EmbeddedSession.NO_LIMIT : end - System.nanoTime();
    }

    /** Executes with the time that is left, rounded up to the engines' seconds. */
    long execute(LogicalStatement self, Statement physical, String sql, Execution execution) throws SQLException {
        if (this == NONE) {
            return execution.on(self, physical, sql);
        }
        long nanos = nanos();
        if (nanos <= 0) {
            throw self.session.errors().timedOut(seconds);
        }
        int left = (int) TimeUnit.NANOSECONDS.toSeconds(nanos - 1) + 1;
        if (left == seconds) {
            return execution.on(self, physical, sql);
        }
        physical.setQueryTimeout(left);
        try {
            return execution.on(self, physical, sql);
        } finally {
            physical.setQueryTimeout(seconds);
        }
    }
}
