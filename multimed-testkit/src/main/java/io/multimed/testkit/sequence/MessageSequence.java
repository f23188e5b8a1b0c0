package io.multimed.testkit.sequence;

import java.util.ArrayList;
import java.util.List;

/**
 * Messages of one client, in the order in which it sends them.
 *
 * @param bursts the client pauses between two of them
 */
public record MessageSequence(List<List<String>> bursts) {
    private static final String PAUSE = "--";

    public MessageSequence {
        bursts = bursts.stream()
                .filter(burst -> !burst.isEmpty())
                .map(List::copyOf)
                .toList();
    }

    /** Reads the form that {@link #toString} writes; lines that begin with {@code #} are comments. */
    public static MessageSequence parse(String text) {
        List<List<String>> bursts = new ArrayList<>();
        List<String> burst = new ArrayList<>();
        for (String line : text.lines().map(String::strip).toList()) {
            if (line.equals(PAUSE)) {
                bursts.add(burst);
                burst = new ArrayList<>();
            } else if (!line.isEmpty() && !line.startsWith("#")) {
                burst.add(line);
            }
        }
        bursts.add(burst);
        return new MessageSequence(bursts);
    }

    public int messages() {
        return bursts.stream().mapToInt(List::size).sum();
    }

    @Override
    public String toString() {
        return String.join(
                "\n" + PAUSE + "\n",
                bursts.stream().map(burst -> String.join("\n", burst)).toList());
    }
}
