package io.multimed.endpoint.pg.session;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which reads are short, as far as was seen. */
class ReadTimesTest {
    private static final long MICRO = 1_000;

    private final ReadTimes times = new ReadTimes(Duration.ofMillis(1));
    private final List<Statement> read = List.of(new Statement.Read());

    @Test
    void noneThatWasNeverExecuted() {
        assertFalse(times.areShort(read));
    }

    @Test
    void thoseThatTookNoLonger() {
        times.took(read, 1_000 * MICRO, false);
        assertTrue(times.areShort(read));
        assertFalse(times.areShort(List.of(read.getFirst(), new Statement.Read())));
    }

    @Test
    void soonThoseThatWereLongOnABusyMachineOnly() {
        times.took(read, 3_000 * MICRO, false);
        assertFalse(times.areShort(read));
        times.took(read, 100 * MICRO, false);
        times.took(read, 100 * MICRO, false);
        assertTrue(times.areShort(read));
        times.took(read, 3_000 * MICRO, false);
        assertTrue(times.areShort(read));
    }

    @Test
    void notForLongThoseThatAreLongMostly() {
        times.took(read, 100 * MICRO, false);
        for (int i = 0; i < 4; i++) {
            times.took(read, 5_000 * MICRO, true);
        }
        assertFalse(times.areShort(read));
        times.took(read, 1 * MICRO, true);
        assertFalse(times.areShort(read));
    }
}
