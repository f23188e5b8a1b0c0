package io.multimed.engine.postgresql.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemorySettingsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "  256 |    64MB | 1024MB",
                " 6144 |  1536MB | 1024MB",
                "11796 |  2949MB | 1966MB",
                "65536 | 16384MB | 8192MB"
            })
    void buffersAndTheLogBetweenCheckpointsGrowWithMemoryWithinBounds(long megabytes, String buffers, String log) {
        var settings = MemorySettings.of(megabytes << 20);
        assertEquals(buffers, settings.get("shared_buffers"));
        assertEquals(log, settings.get("max_wal_size"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "  256 |      1 |    64MB",
                "11796 |     30 |  1024MB",
                "11796 |    800 |  1600MB",
                "11796 |   9000 |  2949MB",
                "262144 | 20000 | 32768MB"
            })
    void buffersOfACopyInMemoryGrowWithTheCopy(long megabytes, long data, String buffers) {
        assertEquals(buffers, MemorySettings.buffersOfCopyInMemory(megabytes << 20, data << 20));
    }
}
