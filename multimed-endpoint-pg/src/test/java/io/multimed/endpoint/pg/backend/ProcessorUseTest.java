package io.multimed.endpoint.pg.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ProcessorUseTest {
    private static final int PID = 4711;

    /** A substitute for the kernel's information. */
    private static final class Kernel implements EngineProcesses {
        long nanos;
        boolean obeys;
        int asked;

        @Override
        public long processorNanos(int processId) {
            return nanos;
        }

        @Override
        public boolean isRunnable(int processId) {
            return true;
        }

        @Override
        public boolean yieldToOthers(int processId) {
            assertEquals(PID, processId);
            asked++;
            return obeys;
        }
    }

    private final Kernel kernel = new Kernel();
    private long unit;
    private final ProcessorUse processor = new ProcessorUse(kernel);

    @Test
    void isBusyWhenOneUnitHasUsedEnough() {
        kernel.nanos = 1000;
        assertFalse(processor.isBusyFor(PID, 100, unit));
        kernel.nanos = 1099;
        assertFalse(processor.isBusyFor(PID, 100, unit));
        kernel.nanos = 1100;
        assertTrue(processor.isBusyFor(PID, 100, unit));
    }

    @Test
    void isNotBusyHoweverMuchManyUnitsHaveUsed() {
        for (int i = 0; i < 10; i++) {
            assertFalse(processor.isBusyFor(PID, 100, unit));
            kernel.nanos += 90;
            assertFalse(processor.isBusyFor(PID, 100, unit));
            unit++;
        }
    }

    @Test
    void isNotBusyWhereNothingIsKnown() {
        kernel.nanos = -1;
        for (int i = 0; i < 3; i++) {
            assertFalse(processor.isBusyFor(PID, 100, unit));
        }
    }

    @Test
    void isToldToYieldUntilItDoes() {
        processor.yieldToOthers(PID);
        kernel.obeys = true;
        processor.yieldToOthers(PID);
        processor.yieldToOthers(PID);
        assertEquals(2, kernel.asked);
    }
}
