package io.multimed.bench.series;

import io.multimed.bench.BenchException;
import io.multimed.bench.client.Transactions;
import io.multimed.bench.measure.Inside;
import io.multimed.bench.measure.Measured;
import io.multimed.bench.measure.MeasuredOperations;
import io.multimed.bench.measure.Used;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Clients at work on one database: warm-up, window. */
final class Measurement {
    /** Spare time in the recording, since it may take longer than the window until clients stop. */
    private static final int SPARE_SECONDS = 600;

    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final int clients;
    private final Warmup warmup;
    private final int seconds;
    private final String operations;
    private final Consumer<String> progress;
    private final AtomicBoolean going = new AtomicBoolean(true);
    private boolean interrupted;

    /**
     * @param operations name of the operations that clients complete, for progress
     */
    Measurement(int clients, Warmup warmup, int seconds, String operations, Consumer<String> progress) {
        this.clients = clients;
        this.warmup = warmup;
        this.seconds = seconds;
        this.operations = operations;
        this.progress = progress;
    }

    /** Whether the measurement was interrupted before its time. */
    boolean interrupted() {
        return interrupted;
    }

    /**
     * Measures one run.
     *
     * @param processes of the system, by name; the harness counts too
     * @param observer looks into the system meanwhile
     * @param episode acts on it meanwhile
     */
    Measured of(
            Trial trial, Transactions.Opening opening, Map<String, Long> processes, Observer observer, Episode episode)
            throws BenchException, SQLException, InterruptedException {
        MeasuredOperations recording =
                new MeasuredOperations(trial.kinds(), System.nanoTime(), warmup.most() + seconds + SPARE_SECONDS);
        Clients all = Clients.connect(number -> trial.client(number, opening, recording, going::get), clients);
        Map<String, Long> watched = new HashMap<>(processes);
        long self = ProcessHandle.current().pid();
        if (!watched.containsValue(self)) {
            watched.put(Measured.LOAD_GENERATOR, self);
        }
        try {
            // One look in advance makes the JVM compile its code before hundreds of processes wait for a processor; it
            // also counts the processes.
            Used.Since connected = new Used.Since(watched);
            recording.begin(System.nanoTime());
            all.start();
            return work(all, recording, connected, watched, observer, episode);
        } finally {
            all.disconnect();
        }
    }

    private Measured work(
            Clients all,
            MeasuredOperations recording,
            Used.Since connected,
            Map<String, Long> watched,
            Observer observer,
            Episode episode)
            throws BenchException, SQLException {
        Used.@Nullable Since since = null;
        Used used;
        Inside inside;
        try {
            try {
                warmUp(recording);
                episode.opens();
                observer.begin();
                since = connected.fromNow();
                recording.openWindow(System.nanoTime());
                watch(recording, "measuring", seconds);
            } catch (InterruptedException e) {
                interrupted = true;
            }
            recording.closeWindow(System.nanoTime());
            used = since == null ? Used.NOTHING : since.now();
            inside = observer.end();
            if (episode.endsEngines()) {
                used = used.withMemory(watched);
            }
            goOn(recording, episode);
        } finally {
            going.set(false);
            all.join();
        }
        // The clients' sessions still exist at this point.
        if (!episode.endsEngines() && !Thread.currentThread().isInterrupted()) {
            used = used.withMemory(watched);
        }
        return recording.measured(used, inside);
    }

    /** Continues the episode once the window has closed, with the clients at work still. */
    private void goOn(MeasuredOperations recording, Episode episode) throws BenchException, SQLException {
        try {
            episode.closes();
            if (!interrupted) {
                episode.beside(recording::completedSoFar);
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
    }

    private void warmUp(MeasuredOperations recording) throws InterruptedException {
        long began = System.nanoTime();
        for (int second = 0; !warmup.enough(recording.lastSeconds(System.nanoTime(), second)); second++) {
            // These are seconds of the clock since the clients began, so that each is looked at once.
            long end = began + (second + 1) * NANOS_PER_SECOND;
            TimeUnit.NANOSECONDS.sleep(end - System.nanoTime());
            progress.accept("warming up, " + (warmup.most() > warmup.least() ? "at most " : "")
                    + (warmup.most() - second - 1) + " s left, " + recording.lastSecond(System.nanoTime()) + " "
                    + operations
                    + "/s");
        }
    }

    private void watch(MeasuredOperations recording, String what, int seconds) throws InterruptedException {
        long end = System.nanoTime() + seconds * NANOS_PER_SECOND;
        for (long now = System.nanoTime(); now - end < 0; now = System.nanoTime()) {
            long left = end - now;
            TimeUnit.NANOSECONDS.sleep(Math.min(left, NANOS_PER_SECOND));
            progress.accept(what + ", " + left / NANOS_PER_SECOND + " s left, "
                    + recording.lastSecond(System.nanoTime()) + " " + operations + "/s");
        }
    }
}
