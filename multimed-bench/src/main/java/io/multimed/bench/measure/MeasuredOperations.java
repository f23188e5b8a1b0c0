package io.multimed.bench.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;

/**
 * Records the operations that clients' threads complete. Latencies count within the window alone, throughput by the second
 * throughout.
 *
 * <p>The clients form a closed loop: each waits for an answer before it sends the next request. So a system that stalls gets
 * fewer requests meanwhile (coordinated omission), and latency is about clients / throughput. Reports mention this.
 */
public final class MeasuredOperations {
    /** A kind of operation as the benchmark defines it. */
    public record Kind(String name, String title, boolean readOnly, boolean isShort, double intended) {}

    /** The records of one kind. */
    private record Kept(Kind kind, ConcurrentHistogram latencies, LongAdder retries, LongAdder failures) {
        static Kept of(Kind kind) {
            return new Kept(kind, new ConcurrentHistogram(LONGEST_MICROS, DIGITS), new LongAdder(), new LongAdder());
        }

        Operation operation(long completed) {
            long count = latencies.getTotalCount();
            return new Operation(
                    kind.name(),
                    kind.title(),
                    kind.readOnly(),
                    count,
                    percent(count, completed),
                    kind.intended(),
                    Latency.of(latencies),
                    retries.sum(),
                    failures.sum());
        }
    }

    private static final long LONGEST_MICROS = 3_600_000_000L;
    private static final int DIGITS = 3;
    private static final long NANOS_PER_MICRO = 1_000;
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private volatile long began;
    private final AtomicIntegerArray series;
    private final List<Kept> kept;
    private final Map<String, LongAdder> errors = new ConcurrentHashMap<>();
    private final LongAdder emptySearches = new LongAdder();
    private final LongAdder transactions = new LongAdder();
    private volatile long windowBegins = Long.MAX_VALUE;
    private volatile long windowEnds = Long.MAX_VALUE;

    /**
     * @param kinds by their numbers
     * @param began the clock's nanoseconds
     * @param longestSeconds how long clients will run at most
     */
    public MeasuredOperations(List<Kind> kinds, long began, int longestSeconds) {
        this.kept = kinds.stream().map(Kept::of).toList();
        this.began = began;
        this.series = new AtomicIntegerArray(longestSeconds);
    }

    /** Notes that clients begin now; the time for connecting does not count. */
    public void begin(long now) {
        began = now;
    }

    /** Opens the window; latencies count from now on. */
    public void openWindow(long now) {
        windowBegins = now;
    }

    /** Closes the window; operations that complete later do not count. */
    public void closeWindow(long now) {
        windowEnds = now;
    }

    private boolean inWindow(long now) {
        return windowBegins != Long.MAX_VALUE
                && now - windowBegins >= 0
                && (windowEnds == Long.MAX_VALUE || now - windowEnds < 0);
    }

    /** Records that an operation is done, its retries included. */
    public void completed(int kind, long begin, long end) {
        int second = (int) ((end - began) / NANOS_PER_SECOND);
        if (second < series.length()) {
            series.incrementAndGet(second);
        }
        if (inWindow(end)) {
            kept.get(kind).latencies().recordValue(Math.min(LONGEST_MICROS, (end - begin) / NANOS_PER_MICRO));
        }
    }

    /** Records that a transaction was refused for a conflict and is begun again. */
    public void retried(int kind, long now) {
        if (inWindow(now)) {
            kept.get(kind).retries().increment();
        }
    }

    /** Records that an operation was given up; it counts whenever it happens. */
    public void failed(int kind, String error) {
        kept.get(kind).failures().increment();
        errors.computeIfAbsent(error, any -> new LongAdder()).increment();
    }

    /** Records that a database transaction is committed. */
    public void committed(long now) {
        if (inWindow(now)) {
            transactions.increment();
        }
    }

    public void emptySearch(long now) {
        if (inWindow(now)) {
            emptySearches.increment();
        }
    }

    /** Returns the number of operations completed in the last full second before {@code now}, for display. */
    public int lastSecond(long now) {
        int second = (int) ((now - began) / NANOS_PER_SECOND) - 1;
        return second < 0 || second >= series.length() ? 0 : series.get(second);
    }

    /**
     * Returns the numbers of operations completed in each of the last {@code count} full seconds before {@code now}, fewer if
     * there were not so many.
     */
    public List<Integer> lastSeconds(long now, int count) {
        int end = (int) Math.min(series.length(), (now - began) / NANOS_PER_SECOND);
        List<Integer> seconds = new ArrayList<>();
        for (int second = Math.max(0, end - count); second < end; second++) {
            seconds.add(series.get(second));
        }
        return seconds;
    }

    /** Returns the number of operations completed since the clients began, whether in the window or not. */
    public long completedSoFar() {
        long completed = 0;
        for (int second = 0; second < series.length(); second++) {
            completed += series.get(second);
        }
        return completed;
    }

    /** Returns the measurements, once the window is closed. */
    public Measured measured(Used used, Inside inside) {
        double seconds = windowBegins == Long.MAX_VALUE ? 0 : (windowEnds - windowBegins) / (double) NANOS_PER_SECOND;
        ConcurrentHistogram all = new ConcurrentHistogram(LONGEST_MICROS, DIGITS);
        ConcurrentHistogram shortReads = new ConcurrentHistogram(LONGEST_MICROS, DIGITS);
        long reads = 0;
        for (Kept one : kept) {
            all.add(one.latencies());
            if (one.kind().isShort()) {
                shortReads.add(one.latencies());
            }
            reads += one.kind().readOnly() ? one.latencies().getTotalCount() : 0;
        }
        long completed = all.getTotalCount();
        Map<String, Long> said = new TreeMap<>();
        errors.forEach((error, count) -> said.put(error, count.sum()));
        return new Measured(
                seconds,
                completed,
                seconds > 0 ? completed / seconds : 0,
                seconds > 0 ? transactions.sum() / seconds : 0,
                percent(reads, completed),
                Latency.of(all),
                Latency.of(shortReads),
                kept.stream().map(one -> one.operation(completed)).toList(),
                kept.stream().mapToLong(one -> one.retries().sum()).sum(),
                emptySearches.sum(),
                said,
                windowBegins == Long.MAX_VALUE ? 0 : (int) ((windowBegins - began) / NANOS_PER_SECOND),
                secondsSeen(),
                used.cpuSeconds(),
                used.memoryBytes(),
                used.contextSwitches(),
                inside);
    }

    /** Returns the operations completed in each whole second up to the end of the window. */
    private List<Integer> secondsSeen() {
        return windowEnds == Long.MAX_VALUE ? List.of() : lastSeconds(windowEnds, series.length());
    }

    private static double percent(long part, long whole) {
        return whole == 0 ? 0 : 100.0 * part / whole;
    }
}
