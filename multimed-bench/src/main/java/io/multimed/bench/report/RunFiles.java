package io.multimed.bench.report;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.multimed.bench.BenchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Results as files: one JSON object for each run. */
public final class RunFiles {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private RunFiles() {}

    /**
     * Writes a run beside the existing ones.
     *
     * @param series names the runs of one call, so that they are sorted together
     */
    public static Path write(Path directory, String series, Run run) throws BenchException {
        String name = run.benchmark().replace(' ', '-') + "-" + series + "-" + run.number() + "-" + run.system();
        Path file = directory.resolve(name + ".json");
        // Series that were begun in the same second have the same name.
        for (int number = 2; Files.exists(file); number++) {
            file = directory.resolve(name + "-" + number + ".json");
        }
        Path fresh = directory.resolve(file.getFileName() + ".new");
        try {
            ObjectNode tree = JSON.valueToTree(run);
            tree.put("valid", run.valid());
            Files.writeString(fresh, JSON.writeValueAsString(tree) + "\n");
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
            return file;
        } catch (IOException e) {
            throw new BenchException("cannot write " + file + ": " + e, e);
        }
    }

    /** Returns all runs in a directory in their order, the baseline first. */
    public static List<Run> read(Path directory) throws BenchException {
        List<Run> runs = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".json")).toList()) {
                runs.add(JSON.readValue(Files.readString(file), Run.class));
            }
        } catch (IOException e) {
            throw new BenchException("cannot read results in " + directory + ": " + e.getMessage(), e);
        }
        runs.sort(Comparator.comparing(Run::started));
        return runs;
    }
}
