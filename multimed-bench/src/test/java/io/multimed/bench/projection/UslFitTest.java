package io.multimed.bench.projection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class UslFitTest {
    private static SortedMap<Integer, Double> of(Usl law, int... counts) {
        SortedMap<Integer, Double> throughputs = new TreeMap<>();
        for (int cores : counts) {
            throughputs.put(cores, law.throughput(cores));
        }
        return throughputs;
    }

    private static void assertSame(Usl expected, Usl found, double tolerance) {
        assertEquals(expected.one(), found.one(), tolerance * expected.one(), "on one core");
        assertEquals(expected.contention(), found.contention(), tolerance, "contention");
        assertEquals(expected.coherence(), found.coherence(), tolerance, "coherence");
    }

    @Test
    void whatFollowsALawIsFoundToFollowIt() {
        Usl law = new Usl(950, 0.035, 0.0004);
        UslFit fit = UslFit.of(of(law, 1, 2, 4, 8, 16, 32));
        assertTrue(fit.determined());
        assertSame(law, fit.fits().getFirst(), 1e-6);
    }

    @Test
    void threeNumbersOfCoresDetermineIt() {
        Usl law = new Usl(40, 0.1, 0.01);
        assertSame(law, UslFit.of(of(law, 2, 4, 12)).fits().getFirst(), 1e-6);
    }

    @Test
    void noiseMovesItLittle() {
        Usl law = new Usl(950, 0.05, 0.001);
        Random random = new Random(7);
        SortedMap<Integer, Double> noisy = of(law, 1, 2, 4, 8, 12, 16, 24, 32, 48);
        noisy.replaceAll((cores, throughput) -> throughput * (1 + 0.01 * random.nextGaussian()));
        Usl found = UslFit.of(noisy).fits().getFirst();
        assertEquals(1, found.throughput(40) / law.throughput(40), 0.03);
    }

    @Test
    void twoNumbersOfCoresLeaveARangeOfWhichBothEndsMeetThem() {
        Usl law = new Usl(100, 0.05, 0.01);
        UslFit fit = UslFit.of(of(law, 1, 2));
        assertFalse(fit.determined());
        // On one and two cores only contention + 2 coherence can be determined.
        assertSame(new Usl(100, 0.07, 0), fit.fits().getFirst(), 1e-6);
        assertSame(new Usl(100, 0, 0.035), fit.fits().getLast(), 1e-6);
        for (Usl end : fit.fits()) {
            assertEquals(law.throughput(2), end.throughput(2), 1e-6);
        }
    }

    @Test
    void nothingIsNegativeWhereMoreCoresDoMoreThanTheirShare() {
        SortedMap<Integer, Double> more = new TreeMap<>();
        more.put(1, 100.0);
        more.put(2, 220.0);
        more.put(4, 450.0);
        Usl found = UslFit.of(more).fits().getFirst();
        assertEquals(0, found.contention());
        assertEquals(0, found.coherence());
        assertEquals(108, found.one(), 5);
    }

    @Test
    void oneNumberOfCoresSaysNothing() {
        assertThrows(IllegalArgumentException.class, () -> UslFit.of(of(new Usl(1, 0, 0), 4)));
    }
}
