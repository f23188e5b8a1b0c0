package io.multimed.endpoint.pg.session.watch;

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

    /**
     * A statement that took long.
     *
     * @param waitNanos time before an engine had it
     * @param waitedFor what most of that was for; empty if nothing
     * @param several whether the client had sent more before it was answered
     */
    record Entry(
            String outcome,
            long nanos,
            long waitNanos,
            String waitedFor,
            String route,
            String user,
            String database,
            String application,
            String address,
            int processId,
            String shape,
            boolean several,
            String text) {}

    static void write(Entry entry) {
        WRITER.execute(() -> {
            long leftOut = LEFT_OUT.getAndSet(0);
            if (leftOut > 0) {
                LOG.info("{} slow statements are left out, because the log takes too long", leftOut);
            }
            line(entry);
        });
    }

    private static void line(Entry entry) {
        LoggingEventBuilder line = LOG.atInfo()
                .addKeyValue("duration_ms", millis(entry.nanos))
                .addKeyValue("wait_ms", millis(entry.waitNanos))
                .addKeyValue("waited_for", entry.waitedFor)
                .addKeyValue("route", entry.route)
                .addKeyValue("outcome", entry.outcome)
                .addKeyValue("user", entry.user)
                .addKeyValue("database", entry.database)
                .addKeyValue("application_name", entry.application)
                .addKeyValue("address", entry.address)
                .addKeyValue("pid", entry.processId)
                .addKeyValue("shape", entry.shape);
        if (entry.several) {
            line = line.addKeyValue("several", true);
        }
        line.addKeyValue("text", entry.text).log("Slow statement");
    }

    private static Object millis(long nanos) {
        // A number, also in JSON.
        return Double.valueOf(String.format(Locale.ROOT, "%.1f", nanos / NANOS_PER_MILLI));
    }
}
