package io.multimed.bench.tpcw.workload;

import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** A Markov chain over interactions: from each, the thresholds that a number from 1 to 9,999 is compared with. */
public final class Chain {
    static final int MOST = 9999;

    /** Most by which a probability is raised for a share of updates, or lowered. */
    private static final double MOST_FACTOR = 64;

    private static final int STEPS = 24;
    private static final double TOLERANCE = 0.002;

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

    /**
     * Returns this chain with a given share of interactions that write: at each place, these are more or less probable by the same
     * factor.
     *
     * @param share from 0 to 1
     * @throws IllegalArgumentException if no factor yields it; one sentence
     */
    Chain withUpdates(double share) {
        double least = 1 / MOST_FACTOR;
        double most = MOST_FACTOR;
        Chain found = this;
        for (int step = 0; step < STEPS; step++) {
            double factor = Math.sqrt(least * most);
            found = raised(factor);
            if (found.updates() < share) {
                least = factor;
            } else {
                most = factor;
            }
        }
        if (Math.abs(found.updates() - share) > TOLERANCE) {
            throw new IllegalArgumentException("a share of " + Math.round(100 * share)
                    + " % cannot be had by making interactions that write more or less probable");
        }
        return found;
    }

    private double updates() {
        return stationary().entrySet().stream()
                .filter(share -> !share.getKey().readOnly())
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    private Chain raised(double factor) {
        Interaction[] all = Interaction.values();
        int[][] table = new int[all.length][all.length];
        for (Interaction from : all) {
            int before = 0;
            int end = 0;
            int[] row = thresholds[from.ordinal()];
            for (int to : IntStream.range(0, row.length)
                    .filter(to -> row[to] > 0)
                    .boxed()
                    .sorted(Comparator.comparing(to -> row[to]))
                    .toList()) {
                double width = (row[to] - before) * (all[to].readOnly() ? 1 : factor);
                before = row[to];
                end += Math.max(1, (int) Math.round(width));
                table[from.ordinal()][to] = end;
            }
        }
        return new Chain(table);
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
