package io.multimed.model.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CpuSetTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"0-3|0-3|4", "0,1,2,3|0-3|4", "7|7|1", "0-3,8-9,11|0-3,8-9,11|7", "9, 0-1|0-1,9|3"})
    void readsAndWritesTheKernelsForm(String written, String canonical, int size) {
        CpuSet set = CpuSet.parse(written);
        assertEquals(canonical, set.toString());
        assertEquals(size, set.size());
        assertEquals(set, CpuSet.parse(set.toString()));
    }

    @Test
    void blankIsTheEmptySetAsTheKernelWritesIt() {
        assertEquals(CpuSet.EMPTY, CpuSet.parse("\n"));
        assertEquals("", CpuSet.EMPTY.toString());
        assertEquals(CpuSet.range(0, 1), CpuSet.parse("0-1\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "1-", "-1", "3-1", "1,,2", "0x3", "99999", "8192", "1;2"})
    void refusesWhatIsNotAListOfCpus(String written) {
        assertThrows(IllegalArgumentException.class, () -> CpuSet.parse(written));
    }

    @Test
    void combines() {
        CpuSet low = CpuSet.range(0, 3);
        CpuSet odd = CpuSet.of(1, 3, 5);
        assertEquals("0-3,5", low.union(odd).toString());
        assertEquals("1,3", low.intersection(odd).toString());
        assertEquals("0,2", low.minus(odd).toString());
        assertTrue(low.intersects(odd));
        assertEquals("0-3", low.toString());
    }
}
