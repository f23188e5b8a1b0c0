package io.multimed.server.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Suggestions for misspelt names. */
public final class Suggestion {
    private Suggestion() {}

    /** Returns "did you mean X?", or the list of known names if none is similar. */
    public static String of(String name, Collection<String> known) {
        Optional<String> nearest = known.stream()
                .filter(candidate ->
                        distance(name, candidate) <= Math.max(1, Math.max(name.length(), candidate.length()) / 3))
                .min(Comparator.comparingInt(candidate -> distance(name, candidate)));
        return nearest.map(candidate -> "did you mean \"" + candidate + "\"?")
                .orElseGet(() -> "allowed are " + String.join(", ", known));
    }

    /** Returns the Levenshtein distance. */
    static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int substituted = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(substituted, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
