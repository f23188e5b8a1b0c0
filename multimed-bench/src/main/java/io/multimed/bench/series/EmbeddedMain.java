package io.multimed.bench.series;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.multimed.bench.BenchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The JVM of one run with engines inside. Prints its progress on standard output. */
public final class EmbeddedMain {
    private static final long PATIENCE_SECONDS = 50;

    private EmbeddedMain() {}

    /**
     * @param args the class of the benchmark; files: the benchmark, the run, and the outcome to write
     */
    public static void main(String[] args) throws IOException, ClassNotFoundException {
        CountDownLatch ended = new CountDownLatch(1);
        Thread main = Thread.currentThread();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> finish(main, ended), "bench-end"));
        ObjectMapper json = JsonMapper.builder().build();
        int status = 0;
        try {
            Benchmark<?> benchmark = json.readValue(
                    Path.of(args[1]).toFile(), Class.forName(args[0]).asSubclass(Benchmark.class));
            EmbeddedRun run = json.readValue(Path.of(args[2]).toFile(), EmbeddedRun.class);
            Path fresh = Path.of(args[3] + ".new");
            json.writeValue(fresh.toFile(), run.of(benchmark, EmbeddedMain::say));
            Files.move(fresh, Path.of(args[3]), StandardCopyOption.ATOMIC_MOVE);
        } catch (BenchException e) {
            System.err.println(e.getMessage());
            status = 1;
        } catch (InterruptedException e) {
            status = 1;
        } finally {
            ended.countDown();
        }
        Runtime.getRuntime().halt(status);
    }

    private static void say(String line) {
        System.out.println(line);
    }

    /** Ends the run on a signal, after the measurements were written. */
    private static void finish(Thread main, CountDownLatch ended) {
        main.interrupt();
        try {
            if (!ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                Runtime.getRuntime().halt(1);
            }
        } catch (InterruptedException e) {
            Runtime.getRuntime().halt(1);
        }
    }
}
