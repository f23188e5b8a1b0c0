package io.multimed.bench.series;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.bench.measure.Inside;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LooksTest {
    @Test
    void aLookThatSeesNobodyCountsForTheMean() {
        Looks looks = new Looks();
        looks.sessions(Map.of("running", 3, "IPC:SyncRep", 4));
        looks.sessions(Map.of("running", 1));
        looks.sessions(Map.of());
        looks.sessions(Map.of());
        Inside.Engine engine = looks.of(7);
        assertEquals(4, engine.looks());
        assertEquals(Map.of("running", 1.0, "IPC:SyncRep", 1.0), engine.sessions());
        assertEquals(7, engine.memoryDiskBytes());
    }

    @Test
    void theTailOfTheLagIsBelowItsMostWhereThereAreLooksEnough() {
        Looks looks = new Looks();
        for (int millis = 1; millis <= 200; millis++) {
            looks.lag(millis);
        }
        assertEquals(198, looks.of(0).lagMillisP99());
        assertEquals(200, looks.of(0).lagMillisMax());
        assertEquals(0, new Looks().of(0).lagMillisP99(), "nothing was looked at");
    }
}
