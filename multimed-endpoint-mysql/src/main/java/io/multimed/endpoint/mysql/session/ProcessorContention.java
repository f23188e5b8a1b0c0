package io.multimed.endpoint.mysql.session;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How much longer everything takes because processors are busy: the time for which this thread has run and has waited for a processor,
 * compared with the time for which it has run. Used on one loop, whose thread it measures (proc(5), /proc/thread-self/schedstat).
 */
final class ProcessorContention {
    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    /** Times of less tell nothing. */
    private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final double LARGEST = 20;
    /** Part of the former factor that a quieter period leaves. */
    private static final double KEPT = 0.8;

    private static final int LONGEST_LINE = 128;

    private final ByteBuffer line = ByteBuffer.allocate(LONGEST_LINE);
    private @Nullable FileChannel file;
    private boolean unknown;
    private long readNanos;
    private long run;
    private long waited;
    private double factor = 1;

    /** Returns the factor, at least 1. */
    double factor() {
        long now = System.nanoTime();
        if (!unknown && (file == null || now - readNanos > PERIOD_NANOS)) {
            readNanos = now;
            read();
        }
        return factor;
    }

    private void read() {
        try {
            FileChannel source = file;
            if (source == null) {
                source = FileChannel.open(Path.of("/proc/thread-self/schedstat"), StandardOpenOption.READ);
                file = source;
            }
            line.clear();
            source.read(line, 0);
            String[] times = new String(line.array(), 0, line.position(), StandardCharsets.US_ASCII)
                    .trim()
                    .split(" ");
            long runNow = Long.parseLong(times[0]);
            long waitedNow = Long.parseLong(times[1]);
            change(runNow - run, waitedNow - waited);
            run = runNow;
            waited = waitedNow;
        } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
            // A kernel without these figures.
            unknown = true;
            factor = 1;
        }
    }

    private void change(long ran, long hasWaited) {
        double present = ran + hasWaited < SHORTEST_NANOS ? 1 : (double) (ran + hasWaited) / Math.max(1, ran);
        factor = Math.clamp(Math.max(present, factor * KEPT), 1, LARGEST);
    }

    /** Called when the loop ends. */
    void close() {
        unknown = true;
        if (file != null) {
            try {
                file.close();
            } catch (IOException e) {
                // It was only read.
            }
        }
    }
}
