package io.multimed.bench.tpcw.workload;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The work of clients: one of the mixes, or the part of it in the papers' figures that shows the cost of one interaction to the
 * others.
 *
 * @param text as results name it
 * @param chain that clients follow
 * @param percentages how often each interaction is to come
 */
public record TpcwWorkload(@JsonValue String text, Chain chain, Map<Interaction, Double> percentages) {
    /** Interactions that need no result of another one. */
    private static final Set<Interaction> ALONE = EnumSet.of(
            Interaction.HOME,
            Interaction.NEWP,
            Interaction.BESS,
            Interaction.PROD,
            Interaction.SREQ,
            Interaction.SRES,
            Interaction.SHOP,
            Interaction.CREG,
            Interaction.ORDI,
            Interaction.ORDD);

    public TpcwWorkload {
        percentages = Map.copyOf(percentages);
    }

    /**
     * Returns the workload with that name in results.
     *
     * @throws IllegalArgumentException if it is none of {@link #of}, {@link #without}, {@link #withUpdates} and {@link #only}
     */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static TpcwWorkload named(String text) {
        String[] words = text.split(" ");
        if (words.length == 2 && words[0].equals("only")) {
            return only(interaction(words[1]));
        }
        TpcwMix mix = TpcwMix.of(words[0]);
        TpcwWorkload named = words.length == 4 && words[2].matches("[1-9]\\d?%")
                ? withUpdates(mix, Integer.parseInt(words[2].substring(0, words[2].length() - 1)))
                : words.length == 3 ? without(mix, interaction(words[2])) : of(mix);
        if (!named.text().equals(text)) {
            throw new IllegalArgumentException("there is no workload '" + text + "'");
        }
        return named;
    }

    /** Returns a mix as TPC-W states it. */
    public static TpcwWorkload of(TpcwMix mix) {
        Map<Interaction, Double> stated = new EnumMap<>(Interaction.class);
        for (Interaction interaction : Interaction.values()) {
            stated.put(interaction, mix.percentage(interaction));
        }
        return new TpcwWorkload(mix.text(), mix.chain(), stated);
    }

    /**
     * Returns a mix in which one interaction is never chosen; at each place, the others keep their proportions.
     *
     * @throws IllegalArgumentException if clients could not go on without it
     */
    public static TpcwWorkload without(TpcwMix mix, Interaction left) {
        if (left == Interaction.HOME) {
            throw new IllegalArgumentException("sessions begin with " + left);
        }
        return computed(mix.text() + " without " + left, mix.chain().without(left));
    }

    /**
     * Returns a mix with another share of interactions that write, which are more or less probable by the same factor at each place.
     * The first paper states 10, 20 and 50 % for mixes that have 3.6, 15.9 and 36.7 %.
     *
     * @throws IllegalArgumentException if the mix cannot have it; one sentence
     */
    public static TpcwWorkload withUpdates(TpcwMix mix, int percent) {
        return computed(
                mix.text() + " with " + percent + "% updates", mix.chain().withUpdates(percent / 100.0));
    }

    /**
     * Returns a workload of one interaction again and again, after the HOME that a session begins with.
     *
     * @throws IllegalArgumentException if it needs the results of another one
     */
    public static TpcwWorkload only(Interaction interaction) {
        if (!ALONE.contains(interaction)) {
            throw new IllegalArgumentException(interaction + " needs what others leave; those that stand alone are "
                    + ALONE.stream().map(Interaction::name).collect(Collectors.joining(", ")));
        }
        return cycle("only " + interaction, List.of(interaction));
    }

    /** Returns a workload that repeats interactions in turn, after the HOME that a session begins with. */
    public static TpcwWorkload cycle(String text, List<Interaction> round) {
        Map<Interaction, Double> percentages = new EnumMap<>(Interaction.class);
        round.forEach(interaction -> percentages.put(interaction, 100.0 / round.size()));
        return new TpcwWorkload(text, Chain.cycle(round), percentages);
    }

    private static TpcwWorkload computed(String text, Chain chain) {
        Map<Interaction, Double> percentages = new EnumMap<>(Interaction.class);
        chain.stationary().forEach((interaction, share) -> percentages.put(interaction, 100 * share));
        return new TpcwWorkload(text, chain, percentages);
    }

    /** Returns an interaction's share in per cent. */
    public double percentage(Interaction interaction) {
        return percentages.getOrDefault(interaction, 0.0);
    }

    /**
     * @throws IllegalArgumentException if TPC-W has no such code; one sentence
     */
    public static Interaction interaction(String code) {
        try {
            return Interaction.valueOf(code.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "there is no interaction '" + code + "'; there are "
                            + java.util.Arrays.stream(Interaction.values())
                                    .map(Interaction::name)
                                    .collect(Collectors.joining(", ")),
                    e);
        }
    }
}
