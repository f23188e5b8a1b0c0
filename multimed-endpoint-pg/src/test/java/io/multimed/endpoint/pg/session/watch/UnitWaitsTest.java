package io.multimed.endpoint.pg.session.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.endpoint.pg.session.exchange.Wait;
import org.junit.jupiter.api.Test;

class UnitWaitsTest {
    private long now = 1_000;
    private final UnitWaits waits = new UnitWaits(() -> now);

    private void wait(Wait why, long nanos) {
        waits.begin(why);
        now += nanos;
        waits.end();
    }

    @Test
    void addsUpTheWaitsOfAUnitAndNamesTheLongest() {
        wait(Wait.CONNECTION, 5);
        wait(Wait.SAME_READ, 30);
        now += 100;
        wait(Wait.FRESHNESS, 10);
        assertEquals(45, waits.totalNanos());
        assertEquals("same read", waits.longest());
    }

    @Test
    void aWaitThatHasEndedIsCountedOnce() {
        wait(Wait.FRESHNESS, 10);
        now += 100;
        waits.end();
        assertEquals(10, waits.totalNanos());
    }

    @Test
    void theNextUnitHasWaitsOfItsOwn() {
        wait(Wait.FRESHNESS, 10);
        waits.begin(Wait.CONNECTION);
        waits.clear();
        now += 100;
        waits.end();
        assertEquals(0, waits.totalNanos());
        assertEquals("", waits.longest());
    }
}
