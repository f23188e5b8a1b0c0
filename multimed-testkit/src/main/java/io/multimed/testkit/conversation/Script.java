package io.multimed.testkit.conversation;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A parsed script. It can be written back with other answers, which is how answers are recorded.
 *
 * @param name of the file, without its ending
 */
public record Script(String name, List<Step> steps, List<String> text) {
    private static final String ANSWER = "----";
    private static final String OTHERWISE = "---- multimed: ";

    public Script {
        steps = List.copyOf(steps);
        text = List.copyOf(text);
    }

    /**
     * @throws IllegalArgumentException with the number of a line that cannot be understood
     */
    public static Script parse(String name, String content) {
        List<String> text = content.lines().toList();
        List<Step> steps = new ArrayList<>();
        int at = 0;
        while (at < text.size()) {
            String line = text.get(at);
            if (line.isBlank() || line.startsWith("#")) {
                at++;
                continue;
            }
            if (line.startsWith(" ") || line.equals(ANSWER)) {
                throw new IllegalArgumentException(name + ":" + (at + 1) + ": a step begins at the margin: " + line);
            }
            int start = at++;
            List<String> messages = new ArrayList<>();
            while (at < text.size() && text.get(at).startsWith("  ")) {
                String message = text.get(at++).substring(2);
                if (message.startsWith("  ") && !messages.isEmpty()) {
                    messages.add(messages.removeLast() + "\n" + message.strip());
                } else {
                    messages.add(message);
                }
            }
            List<String> answer = new ArrayList<>();
            if (at < text.size() && text.get(at).equals(ANSWER)) {
                at++;
                while (at < text.size()
                        && !text.get(at).isBlank()
                        && !text.get(at).startsWith(OTHERWISE)) {
                    answer.add(text.get(at++));
                }
            }
            @Nullable List<String> otherwise = null;
            if (at < text.size() && text.get(at).startsWith(OTHERWISE)) {
                at++;
                otherwise = new ArrayList<>();
                while (at < text.size() && !text.get(at).isBlank()) {
                    otherwise.add(text.get(at++));
                }
            }
            String[] words = line.split(" ", 2);
            steps.add(new Step(
                    words[0], words.length == 2 ? words[1].strip() : "", messages, answer, otherwise, start + 1));
        }
        return new Script(name, steps, text);
    }

    /** Returns the script's text with these answers instead of its own. */
    public String recorded(List<List<String>> answers) {
        StringBuilder out = new StringBuilder();
        int at = 0;
        for (int i = 0; i < steps.size(); i++) {
            int start = steps.get(i).line() - 1;
            for (; at < start; at++) {
                out.append(text.get(at)).append('\n');
            }
            out.append(text.get(at++)).append('\n');
            while (at < text.size() && text.get(at).startsWith("  ")) {
                out.append(text.get(at++)).append('\n');
            }
            if (at < text.size() && text.get(at).equals(ANSWER)) {
                while (at < text.size()
                        && !text.get(at).isBlank()
                        && !text.get(at).startsWith(OTHERWISE)) {
                    at++;
                }
            }
            if (!answers.get(i).isEmpty()) {
                out.append(ANSWER).append('\n');
                answers.get(i).forEach(line -> out.append(line).append('\n'));
            }
        }
        for (; at < text.size(); at++) {
            out.append(text.get(at)).append('\n');
        }
        return out.toString();
    }
}
