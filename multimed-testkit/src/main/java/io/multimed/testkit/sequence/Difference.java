package io.multimed.testkit.sequence;

import java.util.List;

/**
 * The first message in which two servers' answers to one sequence differ.
 *
 * @param expected PostgreSQL's message there; empty where it sent none
 * @param answered the other server's; empty where it sent none
 * @param before the messages that both sent before, the last of them
 * @param readies number of ReadyForQuery messages that both sent before
 */
public record Difference(String expected, String answered, List<String> before, int readies) {
    private static final int SHOWN_BEFORE = 12;

    public Difference {
        before = List.copyOf(before);
    }

    static Difference at(
            int place, List<String> expected, List<String> answered, String ofExpected, String ofAnswered) {
        return new Difference(
                place < expected.size() ? expected.get(place) : ofExpected,
                place < answered.size() ? answered.get(place) : ofAnswered,
                expected.subList(Math.max(0, place - SHOWN_BEFORE), Math.min(place, expected.size())),
                (int) expected.subList(0, Math.min(place, expected.size())).stream()
                        .filter(line -> line.startsWith("ReadyForQuery"))
                        .count());
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        before.forEach(line -> text.append("            ").append(line).append('\n'));
        return text.append("  expected: ")
                .append(expected)
                .append("\n  answered: ")
                .append(answered)
                .toString();
    }
}
