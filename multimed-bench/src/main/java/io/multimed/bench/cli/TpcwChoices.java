package io.multimed.bench.cli;

import io.multimed.bench.tpcw.population.TpcwScale;
import io.multimed.bench.tpcw.workload.TpcwMix;
import io.multimed.bench.tpcw.workload.TpcwWorkload;
import io.multimed.cli.command.Arguments;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.commons.cli.ParseException;

/** The choices of runs of TPC-W: which interactions, how often, and over how much data. */
final class TpcwChoices {
    static final Choice MIX =
            Choice.of("mix", "NAMES", "How often which interaction: browsing, shopping, ordering, in turn", "browsing");
    static final Choice SCALED_MIX = MIX.or("browsing,shopping", "browsing,shopping");
    static final Choice WITHOUT =
            Choice.of("without", "CODE", "Leaves one interaction of the mix out, such as bess", "");
    static final Choice SHARES = Choice.of(
            "updates",
            "LIST",
            "Per cent of interactions that write, one for all mixes or one for each, as the first paper states them: 10,20,50",
            "",
            "TPC-W's own, 3.6, 15.9 and 36.7");
    static final Choice ONLY =
            Choice.of("only", "CODE", "One interaction again and again in place of a mix, such as bess", "");
    static final Choice EBS = Choice.of("ebs", "N", "Scale: 2,880 customers and about 5 MB for each", "100");
    static final Choice SIZES = Choice.of(
            "ebs",
            "N",
            "Scale: 2,880 customers and about 5 MB for each, 8 times that as objects; several as 10,100, one after the other",
            "100",
            "100; inside a JVM 10");
    static final Choice ITEMS = Choice.of("items", "N", "Scale: 1000, 10000, 100000, ... items", "10000");

    private TpcwChoices() {}

    /** Returns the chosen workloads. */
    static List<TpcwWorkload> workloads(Choice mix, Arguments given) throws ParseException {
        Optional<String> without = given.text(WITHOUT.option());
        Optional<String> only = given.text(ONLY.option());
        if (only.isPresent() && (without.isPresent() || given.has(MIX.option()))) {
            throw new ParseException(
                    "--only: stands in place of a mix, so that neither --mix nor --without goes with it");
        }
        if (given.has(SHARES.option()) && (only.isPresent() || without.isPresent())) {
            throw new ParseException("--updates: goes with whole mixes, and neither with --only nor with --without");
        }
        List<TpcwMix> mixes =
                mix
                        .names(
                                given,
                                "mix",
                                Arrays.stream(TpcwMix.values())
                                        .map(TpcwMix::text)
                                        .toList())
                        .stream()
                        .map(TpcwMix::of)
                        .toList();
        try {
            if (given.has(SHARES.option())) {
                return withUpdates(mixes, SHARES.text(given));
            }
            if (only.isPresent()) {
                return List.of(TpcwWorkload.only(TpcwWorkload.interaction(only.get())));
            }
            return mixes.stream()
                    .map(one -> without.isPresent()
                            ? TpcwWorkload.without(one, TpcwWorkload.interaction(without.get()))
                            : TpcwWorkload.of(one))
                    .toList();
        } catch (IllegalArgumentException e) {
            String option = given.has(SHARES.option()) ? SHARES.name() : only.isPresent() ? "--only" : "--without";
            throw new ParseException(option + ": " + e.getMessage());
        }
    }

    /** @throws IllegalArgumentException for an impossible list; one sentence */
    private static List<TpcwWorkload> withUpdates(List<TpcwMix> mixes, String list) {
        String[] shares = list.split(",", -1);
        if (!list.matches("[1-9]\\d?(,[1-9]\\d?)*") || (shares.length > 1 && shares.length != mixes.size())) {
            throw new IllegalArgumentException("must be one number from 1 to 99, or one for each of " + mixes.size()
                    + " mixes, not '" + list + "'");
        }
        return IntStream.range(0, mixes.size())
                .mapToObj(mix -> TpcwWorkload.withUpdates(
                        mixes.get(mix), Integer.parseInt(shares[Math.min(mix, shares.length - 1)])))
                .toList();
    }

    /** Returns the chosen sizes. */
    static List<TpcwScale> scales(Choice ebs, Arguments given) throws ParseException {
        int items = ITEMS.number(given);
        if (!TpcwScale.ITEMS.contains(items)) {
            throw new ParseException(ITEMS.name() + ": must be one of "
                    + TpcwScale.ITEMS.stream().map(String::valueOf).collect(Collectors.joining(", ")) + ", not "
                    + items);
        }
        return ebs.numbers(given, 1, TpcwScale.MOST_EBS).stream()
                .map(size -> new TpcwScale(size, items))
                .toList();
    }
}
