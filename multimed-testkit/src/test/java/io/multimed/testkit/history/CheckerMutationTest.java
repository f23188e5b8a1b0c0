package io.multimed.testkit.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.history.SimulatedRun.Fault;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The checker accepts the histories of a right system and finds every fault that a system may be built with. */
class CheckerMutationTest {
    private static Report check(long seed, Fault fault) {
        SimulatedRun run = new SimulatedRun(seed, fault, fault == Fault.NONE ? 600 : 1500);
        return Checker.check(run.updates, run.reads, run.order, Promise.STRONG);
    }

    @Test
    void acceptsWhatARightSystemDoes() {
        int satelliteReads = 0;
        int forks = 0;
        for (long seed = 1; seed <= 60; seed++) {
            Report report = check(seed, Fault.NONE);
            assertEquals(List.of(), report.violations(), "seed " + seed);
            satelliteReads += report.satelliteReads();
            forks += report.forks();
        }
        assertTrue(satelliteReads > 3_000, satelliteReads + " reads");
        assertTrue(forks > 0, "the model's Master lets commits overtake each other");
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void noticesEveryFault(Fault fault) {
        int noticed = 0;
        for (long seed = 1; seed <= 10; seed++) {
            if (!check(seed, fault).passed()) {
                noticed++;
            }
        }
        assertTrue(noticed >= 9, fault + " was noticed in " + noticed + " of 10 runs");
    }

    @Test
    void sessionPromiseIsKeptByASystemThatKeepsTheStrongOne() {
        SimulatedRun run = new SimulatedRun(7, Fault.NONE, 2000);
        assertTrue(Checker.check(run.updates, run.reads, run.order, Promise.SESSION)
                .passed());
    }

    @Test
    void sessionPromiseIsNotKeptWithoutWaiting() {
        SimulatedRun run = new SimulatedRun(7, Fault.NO_WAIT, 2000);
        assertFalse(Checker.check(run.updates, run.reads, run.order, Promise.SESSION)
                .passed());
    }
}
