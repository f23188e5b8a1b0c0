package io.multimed.core.polling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BusyPollTest {
    private static final long MOST = 50_000;

    private long now = 17;
    private final BusyPoll poll = new BusyPoll(Duration.ofNanos(MOST), () -> now);

    @Test
    void asksAgainForAsLongAsItMay() {
        assertTrue(poll.again());
        now += MOST - 1;
        assertTrue(poll.again());
        now++;
        assertFalse(poll.again());
    }

    @Test
    void findingSomethingBeginsItAnew() {
        for (int i = 0; i < 100; i++) {
            assertTrue(poll.again());
            now += MOST - 1;
            poll.found();
        }
    }

    @Test
    void whereItIsInVainItIsTriedMoreAndMoreSeldom() {
        for (int slept : new int[] {0, 1, 3, 7, 15, 31, 63, 63}) {
            assertEquals(slept, sleepsBeforeAttemptInVain());
        }
    }

    @Test
    void oneSuccessIsEnoughToGoOn() {
        sleepsBeforeAttemptInVain();
        sleepsBeforeAttemptInVain();
        for (int slept = 0; slept < 3; slept++) {
            assertFalse(poll.again());
        }
        assertTrue(poll.again());
        poll.found();
        assertEquals(0, sleepsBeforeAttemptInVain());
        assertEquals(1, sleepsBeforeAttemptInVain());
    }

    @Test
    void whatIsFoundAfterASleepSaysNothing() {
        sleepsBeforeAttemptInVain();
        poll.found();
        assertEquals(1, sleepsBeforeAttemptInVain());
    }

    @Test
    void neverWithoutTime() {
        BusyPoll never = new BusyPoll(Duration.ZERO, () -> now);
        assertFalse(never.again());
        never.found();
        assertFalse(never.again());
    }

    private int sleepsBeforeAttemptInVain() {
        int slept = 0;
        while (!poll.again()) {
            slept++;
        }
        now += MOST;
        assertFalse(poll.again());
        return slept;
    }
}
