package io.multimed.bench.tpcw.workload;

import static io.multimed.bench.tpcw.workload.Interaction.*;

import java.util.Locale;
import java.util.Map;

/** The three mixes: the intended frequency of each interaction, and the chain that yields it. */
public enum TpcwMix {
    BROWSING(
            new double[] {29.00, 11.00, 11.00, 21.00, 12.00, 11.00, 2.00, 0.82, 0.75, 0.69, 0.30, 0.25, 0.10, 0.09},
            Map.ofEntries(
                    Map.entry(ADMC, "HOME9877,SREQ9999"),
                    Map.entry(ADMR, "ADMC8999,HOME9999"),
                    Map.entry(BESS, "HOME4607,PROD5259,SREQ9942,SHOP9999"),
                    Map.entry(BUYC, "HOME342,SREQ9999"),
                    Map.entry(BUYR, "BUYC9199,HOME9595,SHOP9999"),
                    Map.entry(CREG, "BUYR9145,HOME9619,SREQ9999"),
                    Map.entry(HOME, "BESS3792,NEWP7585,ORDI7688,SREQ9559,SHOP9999"),
                    Map.entry(NEWP, "HOME299,PROD9867,SREQ9941,SHOP9999"),
                    Map.entry(ORDD, "HOME802,SREQ9999"),
                    Map.entry(ORDI, "HOME523,ORDD8856,SREQ9999"),
                    Map.entry(PROD, "ADMR47,HOME8346,PROD9749,SREQ9890,SHOP9999"),
                    Map.entry(SREQ, "HOME788,SRES9955,SHOP9999"),
                    Map.entry(SRES, "HOME3674,PROD9868,SREQ9942,SHOP9999"),
                    Map.entry(SHOP, "CREG4099,HOME8883,SHOP9999"))),
    SHOPPING(
            new double[] {16.00, 5.00, 5.00, 17.00, 20.00, 17.00, 11.60, 3.00, 2.60, 1.20, 0.75, 0.66, 0.10, 0.09},
            Map.ofEntries(
                    Map.entry(ADMC, "HOME9952,SREQ9999"),
                    Map.entry(ADMR, "ADMC8999,HOME9999"),
                    Map.entry(BESS, "HOME167,PROD472,SREQ9927,SHOP9999"),
                    Map.entry(BUYC, "HOME84,SREQ9999"),
                    Map.entry(BUYR, "BUYC4614,HOME6545,SHOP9999"),
                    Map.entry(CREG, "BUYR8666,HOME8760,SREQ9999"),
                    Map.entry(HOME, "BESS3124,NEWP6249,ORDI6718,SREQ7026,SHOP9999"),
                    Map.entry(NEWP, "HOME156,PROD9735,SREQ9784,SHOP9999"),
                    Map.entry(ORDD, "HOME69,SREQ9999"),
                    Map.entry(ORDI, "HOME72,ORDD8872,SREQ9999"),
                    Map.entry(PROD, "ADMR58,HOME832,PROD1288,SREQ8603,SHOP9999"),
                    Map.entry(SREQ, "HOME635,SRES9135,SHOP9999"),
                    Map.entry(SRES, "HOME2657,PROD9294,SREQ9304,SHOP9999"),
                    Map.entry(SHOP, "CREG2585,HOME9552,SHOP9999"))),
    ORDERING(
            new double[] {9.12, 0.46, 0.46, 12.35, 14.53, 13.08, 13.53, 12.86, 12.73, 10.18, 0.25, 0.22, 0.12, 0.11},
            Map.ofEntries(
                    Map.entry(ADMC, "HOME8348,SREQ9999"),
                    Map.entry(ADMR, "ADMC8999,HOME9999"),
                    Map.entry(BESS, "HOME1,PROD333,SREQ9998,SHOP9999"),
                    Map.entry(BUYC, "HOME2,SREQ9999"),
                    Map.entry(BUYR, "BUYC7999,HOME9453,SHOP9999"),
                    Map.entry(CREG, "BUYR9899,HOME9901,SREQ9999"),
                    Map.entry(HOME, "BESS499,NEWP999,ORDI1269,SREQ1295,SHOP9999"),
                    Map.entry(NEWP, "HOME504,PROD9942,SREQ9976,SHOP9999"),
                    Map.entry(ORDD, "HOME9939,SREQ9999"),
                    Map.entry(ORDI, "HOME1168,ORDD9968,SREQ9999"),
                    Map.entry(PROD, "ADMR99,HOME3750,PROD5621,SREQ6341,SHOP9999"),
                    Map.entry(SREQ, "HOME815,SRES9815,SHOP9999"),
                    Map.entry(SRES, "HOME486,PROD7817,SREQ9998,SHOP9999"),
                    Map.entry(SHOP, "CREG9499,HOME9918,SHOP9999")));

    private final double[] percentages;
    private final Chain chain;

    TpcwMix(double[] percentages, Map<Interaction, String> thresholds) {
        this.percentages = percentages;
        this.chain = Chain.of(thresholds);
    }

    /** Returns the mix with the name that users write. */
    public static TpcwMix of(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }

    /** Returns the percentage of an interaction among all, as TPC-W states it. */
    public double percentage(Interaction interaction) {
        return percentages[interaction.ordinal()];
    }

    public Chain chain() {
        return chain;
    }

    /** Returns the name that users write. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
