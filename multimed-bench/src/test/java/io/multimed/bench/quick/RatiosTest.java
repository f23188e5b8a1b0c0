package io.multimed.bench.quick;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.bench.BenchException;
import io.multimed.bench.measure.Machine;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RatiosTest {
    private static final Machine HERE = new Machine("a processor", 2, 1L << 30, "6", "25");
    private static final Map<String, String> PARAMETERS = Map.of("clients", "16");
    private static final Ratios STORED =
            new Ratios(HERE, "0", PARAMETERS, Map.of("tpcw browsing", 3.0, "tpcw ordering", 1.0));

    @Test
    void aRatioHasFallenWhenItIsMoreThanATenthLower() {
        assertEquals(List.of(), STORED.fallen(Map.of("tpcw browsing", 2.71, "tpcw ordering", 0.91)));
        assertEquals(List.of("tpcw browsing"), STORED.fallen(Map.of("tpcw browsing", 2.69, "tpcw ordering", 1.5)));
        assertEquals(List.of("tpcw browsing"), STORED.fallen(Map.of("tpcw ordering", 1.0)), "one that is gone");
        String[] lines = STORED.compared(Map.of("tpcw browsing", 2.4, "tpcw ordering", 1.1))
                .split("\n");
        assertTrue(lines[0].endsWith("stored  3.00: -20 %  FALLEN by more than 10 %"), lines[0]);
        assertTrue(lines[1].endsWith("stored  1.00: +10 %"), lines[1]);
    }

    @Test
    void whatWasStoredIsRead(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("quick.json");
        assertThrows(BenchException.class, () -> Ratios.read(file), "there is none");
        STORED.write(file);
        assertEquals(STORED, Ratios.read(file));
    }

    @Test
    void ratiosOfAnotherMachineOrOtherRunsAreNotCompared() throws Exception {
        Path file = Path.of("quick.json");
        STORED.requireComparable(file, new Machine("a processor", 2, 2L << 30, "7", "26"), PARAMETERS);
        BenchException cores = assertThrows(
                BenchException.class,
                () -> STORED.requireComparable(file, new Machine("a processor", 4, 1L << 30, "6", "25"), PARAMETERS));
        assertTrue(String.valueOf(cores.getMessage()).contains("another machine"), cores.getMessage());
        assertThrows(BenchException.class, () -> STORED.requireComparable(file, HERE, Map.of("clients", "17")));
    }
}
