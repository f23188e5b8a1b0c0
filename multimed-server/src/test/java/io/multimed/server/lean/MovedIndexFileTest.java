package io.multimed.server.lean;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.multimed.engine.postgresql.indexes.MovedIndex;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MovedIndexFileTest {
    private static final MovedIndex FIRST = new MovedIndex(
            "shop",
            "My \"Shop\"",
            "line",
            "first",
            "CREATE INDEX first ON \"My \"\"Shop\"\"\".line USING btree (item)",
            "",
            "a\nb");
    private static final MovedIndex SECOND =
            new MovedIndex("shop", "s", "t", "Two", "CREATE INDEX \"Two\" ON s.t USING gin (words)", "fast", "");

    @TempDir
    Path directory;

    @Test
    void keepsWhatWasAdded() throws IOException {
        Path path = directory.resolve("moved.json");
        MovedIndexFile file = MovedIndexFile.read(path);
        assertEquals(List.of(), file.indexes());
        file.add(FIRST);
        file.add(SECOND);
        file.add(FIRST);
        assertEquals(List.of(SECOND, FIRST), MovedIndexFile.read(path).indexes());
        file.remove(SECOND);
        assertEquals(List.of(FIRST), MovedIndexFile.read(path).indexes());
        assertEquals(List.of(FIRST), file.indexes());
    }

    @Test
    void whatAnInterruptedWriteLeftDoesNotCount() throws IOException {
        Path path = directory.resolve("moved.json");
        MovedIndexFile.read(path).add(FIRST);
        Files.writeString(directory.resolve("moved.json.new"), "{\"ind");
        MovedIndexFile file = MovedIndexFile.read(path);
        assertEquals(List.of(FIRST), file.indexes());
        file.remove(FIRST);
        assertEquals(List.of(), MovedIndexFile.read(path).indexes());
    }

    @Test
    void aDamagedFileIsNotTakenForAnEmptyOne() throws IOException {
        for (String text : List.of("", "{}", "{\"indexes\":[{\"name\":\"x\"}]}", "{\"indexes\":[")) {
            Path path = Files.writeString(directory.resolve("moved.json"), text);
            assertThrows(IOException.class, () -> MovedIndexFile.read(path), text);
        }
    }
}
