package io.multimed.bench.tpcw.workload;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** A Markov chain over interactions: from each, the thresholds that a number from 1 to 9,999 is compared with. */
public final class Chain {
    static final int MOST = 9999;

    /** Thresholds by ordinals; a threshold of 0 is never reached, since the least number is 1. */
    private final int[][] thresholds;

    /** The last threshold, by ordinals. */
    private final int[] most;

    private Chain(int[][] thresholds) {
        this.thresholds = thresholds;
        this.most = Arrays.stream(thresholds)
                .mapToInt(row -> Arrays.stream(row).max().orElse(0))
                .toArray();
    }

    /** @param thresholds for each interaction, ascending, the last one 9999: {@code "HOME342,SREQ9999"} */
    static Chain of(Map<Interaction, String> thresholds) {
        Interaction[] all = Interaction.values();
        int[][] table = new int[all.length][all.length];
        for (Interaction from : all) {
            String row = thresholds.get(from);
            if (row == null) {
                throw new IllegalArgumentException("no way on from " + from);
            }
            int previous = 0;
            for (String entry : row.split(",")) {
                int threshold = Integer.parseInt(entry.substring(4));
                if (threshold <= previous) {
                    throw new IllegalArgumentException(from + ": " + row);
                }
                table[from.ordinal()][Interaction.valueOf(entry.substring(0, 4)).ordinal()] = threshold;
                previous = threshold;
            }
            if (previous != MOST) {
                throw new IllegalArgumentException(from + " does not end with " + MOST + ": " + row);
            }
        }
        return new Chain(table);
    }

    /** Returns a chain that repeats these interactions in turn; from any other one it leads to the first. */
    static Chain cycle(List<Interaction> round) {
        int all = Interaction.values().length;
        int[][] table = new int[all][all];
        for (Interaction from : Interaction.values()) {
            Interaction next = round.get((round.indexOf(from) + 1) % round.size());
            table[from.ordinal()][next.ordinal()] = MOST;
        }
        return new Chain(table);
    }

    /** Returns this chain without the ways to one interaction; the others keep their widths, so that numbers end sooner. */
    Chain without(Interaction left) {
        int[][] table = new int[thresholds.length][];
        for (int from = 0; from < table.length; from++) {
            table[from] = without(thresholds[from], left.ordinal());
        }
        return new Chain(table);
    }

    private static int[] without(int[] row, int left) {
        int begin = Arrays.stream(row).filter(other -> other < row[left]).max().orElse(0);
        int width = row[left] == 0 ? 0 : row[left] - begin;
        int[] rest = Arrays.stream(row)
                .map(threshold -> row[left] > 0 && threshold > row[left] ? threshold - width : threshold)
                .toArray();
        rest[left] = 0;
        return rest;
    }

    Interaction next(Interaction from, RandomGenerator random) {
        return at(from, 1 + random.nextInt(most[from.ordinal()]));
    }

    /** Returns the interaction with the first threshold that is not below {@code drawn}. */
    Interaction at(Interaction from, int drawn) {
        int best = -1;
        int[] row = thresholds[from.ordinal()];
        for (int to = 0; to < row.length; to++) {
            if (row[to] >= drawn && (best < 0 || row[to] < row[best])) {
                best = to;
            }
        }
        return Interaction.values()[best];
    }

    /** Returns the probability of each interaction in the long run; they add up to 1. */
    public Map<Interaction, Double> stationary() {
        Interaction[] all = Interaction.values();
        List<Map<Interaction, Double>> steps =
                Arrays.stream(all).map(this::probabilities).toList();
        double[] share = new double[all.length];
        Arrays.fill(share, 1.0 / all.length);
        for (int round = 0; round < 2_000; round++) {
            double[] next = new double[all.length];
            for (Interaction from : all) {
                for (Map.Entry<Interaction, Double> step :
                        steps.get(from.ordinal()).entrySet()) {
                    next[step.getKey().ordinal()] += share[from.ordinal()] * step.getValue();
                }
            }
            share = next;
        }
        Map<Interaction, Double> shares = new EnumMap<>(Interaction.class);
        for (Interaction interaction : all) {
            shares.put(interaction, share[interaction.ordinal()]);
        }
        return shares;
    }

    private Map<Interaction, Double> probabilities(Interaction from) {
        int last = most[from.ordinal()];
        Map<Interaction, Double> probabilities = new EnumMap<>(Interaction.class);
        // Numbers are counted before they are divided: fractions would not add up to 1.
        for (int drawn = 1; drawn <= last; drawn++) {
            probabilities.merge(at(from, drawn), 1.0, Double::sum);
        }
        probabilities.replaceAll((to, numbers) -> numbers / last);
        return probabilities;
    }
}
