package io.multimed.bench.tpcc.workload;

import java.util.random.RandomGenerator;

/**
 * The intended frequency of each transaction. Mixes are named by reads and updates in per cent; 8-92 is TPC-C's own, and the
 * others keep its proportions among reads and among updates.
 */
public enum TpccMix {
    STANDARD("8-92", 45, 43, 4, 4, 4),
    HALF("50-50", 24.46, 23.37, 25, 2.17, 25),
    READING("80-20", 9.78, 9.35, 40, 0.87, 40),
    READS("100-0", 0, 0, 50, 0, 50);

    private final String text;
    /** Percentages by the ordinals of kinds. */
    private final double[] percentages;

    TpccMix(String text, double... percentages) {
        this.text = text;
        this.percentages = percentages;
    }

    /** Returns the name that users write. */
    public String text() {
        return text;
    }

    public double percentage(Kind kind) {
        return percentages[kind.ordinal()];
    }

    Kind next(RandomGenerator random) {
        double drawn = random.nextDouble() * 100;
        for (Kind kind : Kind.values()) {
            drawn -= percentage(kind);
            if (drawn < 0) {
                return kind;
            }
        }
        return Kind.STOK;
    }
}
