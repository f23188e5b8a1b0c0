package io.multimed.endpoint.pg.session.watch;

import io.multimed.endpoint.pg.services.WatchedStatement;
import java.util.Locale;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * The log of slow statements. A thread of its own writes it, since a disk may block; if it cannot keep up, statements are left out, and the
 * log says how many. Any thread.
 */
final class SlowLog {
    private static final Logger LOG = LoggerFactory.getLogger(SlowLog.class);
    private static final int MOST_WAITING = 1_000;
    private static final double NANOS_PER_MILLI = 1e6;

    private static final AtomicLong LEFT_OUT = new AtomicLong();

    /** Its thread ends when there is nothing to write. */
    private static final ThreadPoolExecutor WRITER = new ThreadPoolExecutor(
            0,
            1,
            10,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MOST_WAITING),
            task -> Thread.ofPlatform().daemon().name("multimed-slow").unstarted(task),
            (task, full) -> LEFT_OUT.incrementAndGet());

    private SlowLog() {}

    static void write(WatchedStatement statement) {
        WRITER.execute(() -> {
            long leftOut = LEFT_OUT.getAndSet(0);
            if (leftOut > 0) {
                LOG.info("{} slow statements are left out, because the log takes too long", leftOut);
            }
            line(statement);
        });
    }

    private static void line(WatchedStatement statement) {
        LoggingEventBuilder line = LOG.atInfo()
                .addKeyValue("duration_ms", millis(statement.nanos()))
                .addKeyValue("wait_ms", millis(statement.waitNanos()))
                .addKeyValue("waited_for", statement.waitedFor())
                .addKeyValue("route", statement.route())
                .addKeyValue("outcome", statement.outcome())
                .addKeyValue("user", statement.user())
                .addKeyValue("database", statement.database())
                .addKeyValue("application_name", statement.application())
                .addKeyValue("address", statement.address())
                .addKeyValue("pid", statement.processId())
                .addKeyValue("shape", statement.shape());
        if (statement.several()) {
            line = line.addKeyValue("several", true);
        }
        line.addKeyValue("text", statement.text()).log("Slow statement");
    }

    private static Object millis(long nanos) {
        // A number, also in JSON.
        return Double.valueOf(String.format(Locale.ROOT, "%.1f", nanos / NANOS_PER_MILLI));
    }
}
