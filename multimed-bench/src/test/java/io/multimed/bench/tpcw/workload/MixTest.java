package io.multimed.bench.tpcw.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MixTest {
    @ParameterizedTest
    @EnumSource(TpcwMix.class)
    void inTheLongRunTheChainComesToTheStatedPercentages(TpcwMix mix) {
        mix.chain()
                .stationary()
                .forEach((interaction, share) ->
                        assertEquals(mix.percentage(interaction), 100 * share, 0.01, interaction.name()));
    }

    @ParameterizedTest
    @EnumSource(TpcwMix.class)
    void theStatedPercentagesAreAll(TpcwMix mix) {
        assertEquals(
                100,
                Arrays.stream(Interaction.values()).mapToDouble(mix::percentage).sum(),
                0.011);
    }

    @Test
    void theFirstThresholdThatIsNotBelowTheNumberWins() {
        Chain chain = TpcwMix.BROWSING.chain();
        assertEquals(Interaction.BESS, chain.at(Interaction.HOME, 1));
        assertEquals(Interaction.BESS, chain.at(Interaction.HOME, 3792));
        assertEquals(Interaction.NEWP, chain.at(Interaction.HOME, 3793));
        assertEquals(Interaction.SHOP, chain.at(Interaction.HOME, 9999));
    }

    @Test
    void drawsComeToTheStationaryDistribution() {
        SplittableRandom random = new SplittableRandom(1);
        int[] seen = new int[Interaction.values().length];
        Interaction at = Interaction.HOME;
        int steps = 400_000;
        for (int i = 0; i < steps; i++) {
            at = TpcwMix.SHOPPING.chain().next(at, random);
            seen[at.ordinal()]++;
        }
        for (Interaction interaction : Interaction.values()) {
            assertEquals(TpcwMix.SHOPPING.percentage(interaction), 100.0 * seen[interaction.ordinal()] / steps, 0.5);
        }
    }

    @Test
    void aRowThatDoesNotReachTheEndIsRefused() {
        Map<Interaction, String> rows = Arrays.stream(Interaction.values())
                .collect(Collectors.toMap(interaction -> interaction, interaction -> "HOME10,SREQ9998"));
        assertThrows(IllegalArgumentException.class, () -> Chain.of(rows));
    }
}
