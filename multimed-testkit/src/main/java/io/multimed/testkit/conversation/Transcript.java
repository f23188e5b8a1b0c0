package io.multimed.testkit.conversation;

import java.util.ArrayList;
import java.util.List;

/**
 * What a server answered, step by step.
 *
 * @param answers one list of lines for each step, as they are recorded
 * @param exact the same with what depends on the server's version: the places in its source
 */
public record Transcript(List<List<String>> answers, List<List<String>> exact) {
    public Transcript {
        answers = answers.stream().map(List::copyOf).toList();
        exact = exact.stream().map(List::copyOf).toList();
    }

    /**
     * Where this transcript differs from what the script recorded; empty where nowhere.
     *
     * @param script the one that was run
     */
    public String differencesFrom(Script script) {
        List<List<String>> recorded = script.steps().stream().map(Step::answer).toList();
        return differences(script, recorded, answers, "recorded", "answered");
    }

    /** Where two servers answered differently; empty where nowhere. */
    public String differencesFrom(Script script, Transcript other) {
        return differences(script, other.exact, exact, "other", "this");
    }

    private static String differences(
            Script script, List<List<String>> left, List<List<String>> right, String leftName, String rightName) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < script.steps().size(); i++) {
            List<String> a = left.get(i);
            List<String> b = right.get(i);
            if (a.equals(b)) {
                continue;
            }
            Step step = script.steps().get(i);
            lines.add(script.name() + ":" + step.line() + ": " + step.verb() + " " + step.rest());
            step.messages().forEach(message -> lines.add("    " + message));
            for (int k = 0; k < Math.max(a.size(), b.size()); k++) {
                String x = k < a.size() ? a.get(k) : "(nothing)";
                String y = k < b.size() ? b.get(k) : "(nothing)";
                if (x.equals(y)) {
                    lines.add("      " + x);
                } else {
                    lines.add("  " + leftName + ": " + x);
                    lines.add("  " + rightName + ": " + y);
                }
            }
        }
        return String.join("\n", lines);
    }
}
