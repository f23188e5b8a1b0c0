package io.multimed.server.lean;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.multimed.engine.postgresql.indexes.MovedIndex;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The file that says which indexes have been moved. An index is in it from before it is dropped on the Master until it is there again, so
 * it is never lost, whenever a crash comes.
 *
 * <p>Thread-safe.
 */
public final class MovedIndexFile {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path file;
    private volatile List<MovedIndex> indexes;

    private MovedIndexFile(Path file, List<MovedIndex> indexes) {
        this.file = file;
        this.indexes = List.copyOf(indexes);
    }

    /**
     * Reads the file, if there is one.
     *
     * @throws IOException also if it is not in the form in which it was written
     */
    public static MovedIndexFile read(Path file) throws IOException {
        List<MovedIndex> indexes = new ArrayList<>();
        if (Files.exists(file)) {
            try {
                for (JsonNode index : JSON.readTree(Files.readString(file)).required("indexes")) {
                    indexes.add(new MovedIndex(
                            index.required("database").asText(),
                            index.required("schema").asText(),
                            index.required("table").asText(),
                            index.required("name").asText(),
                            index.required("definition").asText(),
                            index.required("tablespace").asText(),
                            index.required("comment").asText()));
                }
            } catch (IllegalArgumentException e) {
                throw new IOException(file + " is damaged: " + e.getMessage(), e);
            }
        }
        return new MovedIndexFile(file, indexes);
    }

    /** Returns the indexes. */
    public List<MovedIndex> indexes() {
        return indexes;
    }

    /** Adds one; when this returns, it survives any crash. */
    synchronized void add(MovedIndex index) throws IOException {
        List<MovedIndex> more = new ArrayList<>(without(index::equals));
        more.add(index);
        write(more);
    }

    /** Removes one; when this returns, that survives any crash. */
    synchronized void remove(MovedIndex index) throws IOException {
        write(without(index::equals));
    }

    private List<MovedIndex> without(Predicate<MovedIndex> some) {
        return indexes.stream().filter(some.negate()).toList();
    }

    private void write(List<MovedIndex> all) throws IOException {
        ArrayNode written = JSON.createArrayNode();
        for (MovedIndex index : all) {
            written.addObject()
                    .put("database", index.database())
                    .put("schema", index.schema())
                    .put("table", index.table())
                    .put("name", index.name())
                    .put("definition", index.definition())
                    .put("tablespace", index.tablespace())
                    .put("comment", index.comment());
        }
        byte[] text = JSON.writerWithDefaultPrettyPrinter()
                .writeValueAsBytes(JSON.createObjectNode().set("indexes", written));
        Path next = file.resolveSibling(file.getFileName() + ".new");
        try (FileChannel channel = FileChannel.open(
                next, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer left = ByteBuffer.wrap(text);
            while (left.hasRemaining()) {
                channel.write(left);
            }
            channel.force(true);
        }
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        try (FileChannel directory =
                FileChannel.open(file.toAbsolutePath().resolveSibling("."), StandardOpenOption.READ)) {
            directory.force(true);
        }
        indexes = List.copyOf(all);
    }
}
