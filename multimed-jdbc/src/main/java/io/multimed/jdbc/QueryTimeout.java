package io.multimed.jdbc;

import io.multimed.engine.embedded.EmbeddedSession;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;

/**
 * The time that the application gives an execution. Engines count from when they are asked; what a statement has waited
 * for before, a fresh replica above all, counts as well.
 */
final class QueryTimeout {
    static final QueryTimeout NONE = new QueryTimeout(0);

    private final int seconds;
    private final long end;

    private QueryTimeout(int seconds) {
        this.seconds = seconds;
        this.end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    }

    /** @param seconds as of {@link Statement#setQueryTimeout}; 0 for no limit */
    static QueryTimeout from(int seconds) {
        return seconds == 0 ? NONE : new QueryTimeout(seconds);
    }

    /** How long the statement may wait now. */
    long nanos() {
        return this == NONE ? EmbeddedSession.NO_LIMIT : end - System.nanoTime();
    }

    /** Executes with what is left of the time, in the engines' measure. */
    long execute(LogicalStatement self, Statement physical, String sql, Execution execution) throws SQLException {
        if (this == NONE) {
            return execution.on(self, physical, sql);
        }
        long nanos = nanos();
        if (nanos <= 0) {
            throw self.connection.timedOut(seconds);
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
