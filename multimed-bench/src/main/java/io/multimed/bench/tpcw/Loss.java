package io.multimed.bench.tpcw;

import io.multimed.bench.BenchException;
import io.multimed.bench.client.Query;
import io.multimed.bench.measure.Measured;
import io.multimed.bench.report.Figure;
import io.multimed.bench.series.Episode;
import io.multimed.bench.system.Node;
import io.multimed.bench.system.RunningSystem;
import io.multimed.engine.files.FileTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Makes a Satellite lose its memory: deletes its files and kills its engine, so that it is copied from the Master again. */
final class Loss implements Episode {
    private static final long LOOK_MILLIS = 5;
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final int ATTEMPTS = 50;
    /** States in the words of status. */
    private static final String COPYING = "cloning";

    private static final String SERVING = "serving";
    private static final double MB = 1e6;
    private static final double NANOS = 1e9;

    private final RunningSystem system;
    private final Consumer<String> progress;
    private final List<Figure> idle = new ArrayList<>();
    private final List<Figure> loaded = new ArrayList<>();
    private double besideRate;

    Loss(RunningSystem system, Consumer<String> progress) {
        this.system = system;
        this.progress = progress;
    }

    @Override
    public boolean endsEngines() {
        return true;
    }

    @Override
    public void quiet() throws BenchException, SQLException, InterruptedException {
        idle.addAll(copied("idle", () -> 0));
    }

    @Override
    public void beside(LongSupplier completed) throws BenchException, SQLException, InterruptedException {
        loaded.addAll(copied("beside a load", completed));
    }

    private List<Figure> copied(String when, LongSupplier completed)
            throws BenchException, SQLException, InterruptedException {
        progress.accept("a Satellite is copied, " + when);
        List<Node> nodes = system.nodes();
        Node satellite = nodes.get(1);
        double megabytes = megabytes(nodes.getFirst());
        lose(satellite);
        await(satellite, COPYING);
        long began = System.nanoTime();
        long before = completed.getAsLong();
        await(satellite, SERVING);
        double seconds = (System.nanoTime() - began) / NANOS;
        besideRate = (completed.getAsLong() - before) / seconds;
        return List.of(
                new Figure("copied and caught up, " + when, "s", seconds),
                new Figure("copied a second, " + when, "MB/s", megabytes / seconds));
    }

    private void lose(Node satellite) throws BenchException, SQLException {
        Path data = Path.of(text(satellite, "SELECT current_setting('data_directory')"));
        long pid = system.processes().getOrDefault(satellite.name(), 0L);
        for (int attempt = 1; Files.exists(data); attempt++) {
            try {
                FileTree.delete(data);
            } catch (IOException | UncheckedIOException e) {
                // Its engine makes new files meanwhile.
                if (attempt == ATTEMPTS) {
                    throw new BenchException("cannot delete the files of " + satellite.name() + ": " + e, e);
                }
            }
        }
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }

    private void await(Node satellite, String state) throws BenchException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        boolean gone = state.equals(SERVING);
        while (true) {
            String now = system.states().getOrDefault(satellite.name(), "");
            if (now.equals(state)) {
                return;
            }
            gone |= !now.equals(SERVING);
            if ((gone && now.equals(SERVING)) || System.nanoTime() - deadline > 0) {
                throw new BenchException(satellite.name() + ", whose files are gone, is " + now + " and not " + state);
            }
            Thread.sleep(LOOK_MILLIS);
        }
    }

    private static double megabytes(Node master) throws SQLException {
        return Long.parseLong(text(master, "SELECT sum(pg_database_size(oid)) FROM pg_database")) / MB;
    }

    private static String text(Node node, String sql) throws SQLException {
        try (Connection connection = node.open("postgres")) {
            return Query.text(connection, sql);
        }
    }

    @Override
    public List<Figure> figures(Measured measured) {
        List<Figure> figures = new ArrayList<>(idle);
        figures.addAll(loaded);
        if (!loaded.isEmpty() && measured.perSecond() > 0) {
            figures.add(new Figure("interactions while copied", "1/s", besideRate));
            figures.add(
                    new Figure("interactions lost while copied", "%", 100 * (1 - besideRate / measured.perSecond())));
        }
        return figures;
    }
}
