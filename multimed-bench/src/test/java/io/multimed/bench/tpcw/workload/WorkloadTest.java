package io.multimed.bench.tpcw.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WorkloadTest {
    @ParameterizedTest
    @EnumSource(Mix.class)
    void whatIsLeftOutNeverComesAndTheOthersKeepTheirProportions(Mix mix) {
        Workload workload = Workload.without(mix, Interaction.BESS);
        assertEquals(0, workload.percentage(Interaction.BESS));
        SplittableRandom random = new SplittableRandom(1);
        int[] seen = new int[Interaction.values().length];
        for (int i = 0; i < 200_000; i++) {
            seen[workload.chain().next(Interaction.HOME, random).ordinal()]++;
        }
        assertEquals(0, seen[Interaction.BESS.ordinal()]);
        // HOME's row: BESS comes first, and what follows it moves down by its width.
        int width = threshold(mix);
        assertEquals(Interaction.NEWP, workload.chain().at(Interaction.HOME, 1));
        assertEquals(Interaction.SHOP, workload.chain().at(Interaction.HOME, Chain.MOST - width));
        assertEquals(
                mix.chain().at(Interaction.HOME, width + 1), workload.chain().at(Interaction.HOME, 1));
        // Rows that never led there are as they were.
        assertEquals(Interaction.SREQ, workload.chain().at(Interaction.ADMC, Chain.MOST));
    }

    private static int threshold(Mix mix) {
        int last = 1;
        while (mix.chain().at(Interaction.HOME, last + 1) == Interaction.BESS) {
            last++;
        }
        return last;
    }

    @Test
    void anInteractionAloneIsAllThatFollowsHome() {
        Workload workload = Workload.only(Interaction.BESS);
        assertEquals("only BESS", workload.text());
        assertEquals(100, workload.percentage(Interaction.BESS), 1e-9);
        for (Interaction from : Interaction.values()) {
            assertEquals(Interaction.BESS, workload.chain().next(from, new SplittableRandom(1)));
        }
    }

    @Test
    void whatNeedsOthersDoesNotStandAlone() {
        assertThrows(IllegalArgumentException.class, () -> Workload.only(Interaction.BUYC));
        assertThrows(IllegalArgumentException.class, () -> Workload.only(Interaction.ADMC));
        assertThrows(IllegalArgumentException.class, () -> Workload.without(Mix.BROWSING, Interaction.HOME));
    }

    @Test
    void aCodeIsReadInAnyCase() {
        assertEquals(Interaction.BESS, Workload.interaction("bess"));
        assertThrows(IllegalArgumentException.class, () -> Workload.interaction("BEST"));
    }
}
