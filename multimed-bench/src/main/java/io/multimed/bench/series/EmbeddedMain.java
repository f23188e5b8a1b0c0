package io.multimed.bench.series;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.multimed.bench.BenchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** The JVM of one run with engines inside. Prints its progress on standard output. */
public final class EmbeddedMain {
    private EmbeddedMain() {}

    /**
     * @param args the class of the benchmark; files: the benchmark, the run, and the outcome to write
     */
    public static void main(String[] args) throws IOException, ClassNotFoundException {
        Interruption interruption = new Interruption();
        ObjectMapper json = JsonMapper.builder().build();
        int status = 0;
        try {
            Benchmark<?> benchmark = json.readValue(
                    Path.of(args[1]).toFile(), Class.forName(args[0]).asSubclass(Benchmark.class));
            EmbeddedRun run = json.readValue(Path.of(args[2]).toFile(), EmbeddedRun.class);
            Path fresh = Path.of(args[3] + ".new");
            json.writeValue(fresh.toFile(), run.of(benchmark, System.out::println));
            Files.move(fresh, Path.of(args[3]), StandardCopyOption.ATOMIC_MOVE);
        } catch (BenchException e) {
            System.err.println(e.getMessage());
            status = 1;
        } catch (InterruptedException e) {
            status = 1;
        } finally {
            interruption.done();
        }
        Runtime.getRuntime().halt(status);
    }
}
