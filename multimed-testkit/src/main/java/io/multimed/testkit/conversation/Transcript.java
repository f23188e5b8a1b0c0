package io.multimed.testkit.conversation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A server's answers, step by step.
 *
 * @param answers one list of lines for each step, as they are recorded
 * @param exact the same with the parts that depend on the server's version: the places in its source
 */
public record Transcript(List<List<String>> answers, List<List<String>> exact) {
    public Transcript {
        answers = answers.stream().map(List::copyOf).toList();
        exact = exact.stream().map(List::copyOf).toList();
    }

    /**
     * Returns the differences between this transcript and the answers recorded in the script; empty if there are none.
     *
     * @param script the one that was run
     */
    public String differencesFrom(Script script) {
        List<List<String>> recorded = script.steps().stream().map(Step::answer).toList();
        return differences(script, recorded, answers, "recorded", "answered");
    }

    /**
     * Returns the places where Multimed answered neither as PostgreSQL nor as the script allows; empty if there are none.
     *
     * <p>Errors of PostgreSQL must arrive with their place in its source; Multimed's own have none. A transaction that has
     * failed refuses the first message that the engine gets, which may be a Parse that the client has sent before. The order of
     * parameters that change together is not guaranteed.
     */
    public String differencesFrom(Script script, Transcript postgresql) {
        List<List<String>> expected = new ArrayList<>();
        List<List<String>> actual = new ArrayList<>();
        for (int i = 0; i < script.steps().size(); i++) {
            List<String> otherwise = script.steps().get(i).otherwise();
            if (otherwise != null && !answers.get(i).equals(postgresql.answers.get(i))) {
                expected.add(otherwise);
                actual.add(answers.get(i));
                continue;
            }
            List<String> theirs = new ArrayList<>(ordered(postgresql.exact.get(i)));
            List<String> ours = new ArrayList<>(ordered(exact.get(i)));
            for (int k = 0; k < Math.min(theirs.size(), ours.size()); k++) {
                if (ours.get(k).startsWith("ErrorResponse")
                        && (!ours.get(k).contains(" F='") || ours.get(k).contains(" C='25P02'"))) {
                    theirs.set(k, Masks.recorded(theirs.get(k)));
                    ours.set(k, Masks.recorded(ours.get(k)));
                }
            }
            expected.add(theirs);
            actual.add(ours);
        }
        return differences(script, expected, actual, "expected", "answered");
    }

    /** Sorts parameters that are reported one after the other. */
    private static List<String> ordered(List<String> lines) {
        List<String> ordered = new ArrayList<>();
        List<String> parameters = new ArrayList<>();
        for (String line : lines) {
            if (line.startsWith("ParameterStatus ")) {
                parameters.add(line);
            } else {
                Collections.sort(parameters);
                ordered.addAll(parameters);
                parameters.clear();
                ordered.add(line);
            }
        }
        Collections.sort(parameters);
        ordered.addAll(parameters);
        return ordered;
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
