package io.multimed.bench.tpcw.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.multimed.bench.dialect.BenchmarkDialect;
import io.multimed.bench.tpcw.Tpcw;
import io.multimed.bench.tpcw.population.TpcwScale;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkloadTest {
    @ParameterizedTest
    @EnumSource(TpcwMix.class)
    void whatIsLeftOutNeverComesAndTheOthersKeepTheirProportions(TpcwMix mix) {
        TpcwWorkload workload = TpcwWorkload.without(mix, Interaction.BESS);
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
        // Rows that never led to the interaction are unchanged.
        assertEquals(Interaction.SREQ, workload.chain().at(Interaction.ADMC, Chain.MOST));
    }

    private static int threshold(TpcwMix mix) {
        int last = 1;
        while (mix.chain().at(Interaction.HOME, last + 1) == Interaction.BESS) {
            last++;
        }
        return last;
    }

    @ParameterizedTest
    @CsvSource({"BROWSING, 10", "SHOPPING, 20", "ORDERING, 50", "ORDERING, 20"})
    void aShareOfUpdatesIsReachedAndTheReadsOfAPlaceKeepTheirProportions(TpcwMix mix, int percent) {
        TpcwWorkload workload = TpcwWorkload.withUpdates(mix, percent);
        double writes = Arrays.stream(Interaction.values())
                .filter(interaction -> !interaction.readOnly())
                .mapToDouble(workload::percentage)
                .sum();
        assertEquals(percent, writes, 0.2);
        // HOME leads to these two with the same width.
        assertEquals(count(mix.chain(), Interaction.NEWP), count(mix.chain(), Interaction.BESS), 300);
        assertEquals(count(workload.chain(), Interaction.NEWP), count(workload.chain(), Interaction.BESS), 300);
    }

    /** Returns how many of 10,000 browsers go on from HOME to an interaction. */
    private static double count(Chain chain, Interaction to) {
        SplittableRandom random = new SplittableRandom(1);
        return IntStream.range(0, 10_000)
                .filter(browser -> chain.next(Interaction.HOME, random) == to)
                .mapToDouble(browser -> 1)
                .sum();
    }

    @Test
    void anInteractionAloneIsAllThatFollowsHome() {
        TpcwWorkload workload = TpcwWorkload.only(Interaction.BESS);
        assertEquals("only BESS", workload.text());
        assertEquals(100, workload.percentage(Interaction.BESS), 1e-9);
        for (Interaction from : Interaction.values()) {
            assertEquals(Interaction.BESS, workload.chain().next(from, new SplittableRandom(1)));
        }
    }

    @Test
    void whatNeedsOthersDoesNotStandAlone() {
        assertThrows(IllegalArgumentException.class, () -> TpcwWorkload.only(Interaction.BUYC));
        assertThrows(IllegalArgumentException.class, () -> TpcwWorkload.only(Interaction.ADMC));
        assertThrows(IllegalArgumentException.class, () -> TpcwWorkload.without(TpcwMix.BROWSING, Interaction.HOME));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ordering", "browsing without BESS", "shopping with 20% updates", "only SRES"})
    void aWorkloadIsWhatItsNameSaysInAnotherJvmToo(String name) throws Exception {
        JsonMapper json = JsonMapper.builder().build();
        Tpcw benchmark = new Tpcw(TpcwWorkload.named(name), new TpcwScale(1, 1_000), BenchmarkDialect.H2, 3);
        Tpcw read = json.readValue(json.writeValueAsString(benchmark), Tpcw.class);
        assertEquals("tpcw " + name, read.name());
        assertEquals(benchmark.parameters(), read.parameters());
        assertEquals(benchmark.workload().percentages(), read.workload().percentages());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"buying", "browsing with BESS", "browsing without", "browsing with 0% updates", "only BUYC", ""})
    void whatIsNoWorkloadIsRefused(String name) {
        assertThrows(IllegalArgumentException.class, () -> TpcwWorkload.named(name));
    }

    @Test
    void aCodeIsReadInAnyCase() {
        assertEquals(Interaction.BESS, TpcwWorkload.interaction("bess"));
        assertThrows(IllegalArgumentException.class, () -> TpcwWorkload.interaction("BEST"));
    }
}
