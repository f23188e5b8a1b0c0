package io.multimed.testkit.conversation;

import java.util.List;

/**
 * One step of a script.
 *
 * @param verb its first word
 * @param rest of its line
 * @param messages its indented lines, without the indentation
 * @param answer the recorded lines; empty where the step has none
 * @param line where it stands, from 1
 */
record Step(String verb, String rest, List<String> messages, List<String> answer, int line) {
    Step {
        messages = List.copyOf(messages);
        answer = List.copyOf(answer);
    }

    /** The session, for steps that name one. */
    String session() {
        return rest.split(" ", 2)[0];
    }

    /** What stands after the session. */
    String arguments() {
        String[] words = rest.split(" ", 2);
        return words.length == 2 ? words[1].strip() : "";
    }
}
