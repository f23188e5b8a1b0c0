package io.multimed.testkit.conversation;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One step of a script.
 *
 * @param verb its first word
 * @param rest of its line
 * @param messages its indented lines, without the indentation
 * @param answer the recorded lines; empty where the step has none
 * @param otherwise the known different answer of another server; null where it must be the same
 * @param line its number, from 1
 */
record Step(
        String verb,
        String rest,
        List<String> messages,
        List<String> answer,
        @Nullable List<String> otherwise,
        int line) {
    Step {
        messages = List.copyOf(messages);
        answer = List.copyOf(answer);
        otherwise = otherwise == null ? null : List.copyOf(otherwise);
    }

    /** Returns the session, for steps that name one. */
    String session() {
        return rest.split(" ", 2)[0];
    }

    /** Returns the text behind the session. */
    String arguments() {
        String[] words = rest.split(" ", 2);
        return words.length == 2 ? words[1].strip() : "";
    }
}
