package io.multimed.bench.experiment;

import io.multimed.bench.BenchException;
import io.multimed.bench.experiment.Positions.At;
import io.multimed.bench.measure.Measured;
import io.multimed.bench.report.Figure;
import io.multimed.bench.series.Episode;
import io.multimed.bench.system.Node;
import io.multimed.bench.system.RunningSystem;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Stops the process by which a Satellite replays, lets it go on after a while, and waits until nothing is left to replay.
 * Meanwhile the Master executes reads that must see later commits, and the Satellite's other processes go on.
 */
final class Pause implements Episode {
    private static final long LOOK_MILLIS = 20;
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final RunningSystem system;
    private final Duration length;
    private final Consumer<String> progress;
    private final List<Figure> found = new ArrayList<>();
    private @Nullable Positions positions;
    private @Nullable At opened;
    private @Nullable At closed;
    private long stopped;

    Pause(RunningSystem system, Duration length, Consumer<String> progress) {
        this.system = system;
        this.length = length;
        this.progress = progress;
    }

    @Override
    public void quiet() throws SQLException {
        List<Node> nodes = system.nodes();
        positions = new Positions(nodes.getFirst(), nodes.get(1));
    }

    private Positions positions() {
        if (positions == null) {
            throw new IllegalStateException("not connected");
        }
        return positions;
    }

    @Override
    public void opens() throws SQLException {
        opened = positions().now();
    }

    @Override
    public void closes() throws SQLException {
        closed = positions().now();
    }

    @Override
    public void beside(LongSupplier completed) throws BenchException, SQLException, InterruptedException {
        long pid = positions().replaying();
        stopped = pid;
        signal("STOP", pid);
        progress.accept("the Satellite replays nothing for " + length.toSeconds() + " s");
        Thread.sleep(length);
        At resumed = positions().now();
        long before = completed.getAsLong();
        goOn();
        progress.accept("the Satellite catches up");
        At level = awaitLevel(resumed);
        double seconds = resumed.seconds(level);
        found.add(new Figure("replayed while catching up", "MB/s", resumed.replayedMb(level) / seconds));
        found.add(new Figure("logged meanwhile", "MB/s", resumed.writtenMb(level) / seconds));
        found.add(new Figure("behind after the pause", "MB", resumed.behindMb()));
        found.add(new Figure("catching up", "s", seconds));
        found.add(new Figure("interactions while it caught up", "1/s", (completed.getAsLong() - before) / seconds));
    }

    /** Waits until all log written by the previous look is replayed. Log that arrives meanwhile is replayed meanwhile. */
    private At awaitLevel(At resumed) throws BenchException, SQLException, InterruptedException {
        At last = resumed;
        while (true) {
            Thread.sleep(LOOK_MILLIS);
            At now = positions().now();
            if (now.replayed() >= last.written()) {
                return now;
            }
            if (resumed.seconds(now) > PATIENCE.toSeconds()) {
                throw new BenchException("the Satellite is still " + Math.round(now.behindMb()) + " MB behind "
                        + PATIENCE.toSeconds() + " s after a pause of " + length.toSeconds()
                        + " s: the Master logs faster than it replays");
            }
            last = now;
        }
    }

    static void signal(String signal, long pid) throws BenchException, InterruptedException {
        try {
            Process kill = new ProcessBuilder("sh", "-c", "kill -" + signal + " " + pid).start();
            if (kill.waitFor() != 0) {
                throw new BenchException("cannot send SIG" + signal + " to the process " + pid + " of a Satellite");
            }
        } catch (IOException e) {
            throw new BenchException("cannot send SIG" + signal + " to a Satellite: " + e, e);
        }
    }

    private void goOn() throws BenchException, InterruptedException {
        if (stopped != 0) {
            signal("CONT", stopped);
            stopped = 0;
        }
    }

    @Override
    public void close() throws BenchException {
        boolean interrupted = Thread.interrupted();
        try {
            goOn();
            if (positions != null) {
                positions.close();
            }
        } catch (InterruptedException e) {
            interrupted = true;
        } catch (SQLException gone) {
            // The connections are not used any more.
            return;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public List<Figure> figures(Measured measured) {
        List<Figure> figures = new ArrayList<>();
        if (opened != null && closed != null && measured.transactions() > 0) {
            double seconds = opened.seconds(closed);
            double mbPerTransaction = opened.writtenMb(closed) / seconds / measured.transactionsPerSecond();
            figures.add(new Figure("logged by the Master", "MB/s", opened.writtenMb(closed) / seconds));
            figures.add(new Figure("replayed by the Satellite", "MB/s", opened.replayedMb(closed) / seconds));
            figures.addAll(found);
            figures.add(new Figure("transactions of the Master", "1/s", measured.transactionsPerSecond()));
            found.stream()
                    .limit(1)
                    .forEach(replayed -> figures.add(new Figure(
                            "transactions replayed while catching up, by their bytes",
                            "1/s",
                            replayed.value() / mbPerTransaction)));
        }
        return figures;
    }
}
