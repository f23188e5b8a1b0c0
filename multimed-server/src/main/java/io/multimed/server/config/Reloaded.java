package io.multimed.server.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The result of reading the configuration again.
 *
 * @param problems why it was refused as a whole, one sentence each; none if it was not
 * @param changed what has changed and taken effect
 * @param unchanged what has changed in the file, and stays as it was until a restart
 */
public record Reloaded(List<String> problems, List<String> changed, List<String> unchanged) {
    private static final ObjectMapper JSON = new ObjectMapper();

    public Reloaded {
        problems = List.copyOf(problems);
        changed = List.copyOf(changed);
        unchanged = List.copyOf(unchanged);
    }

    /** Returns the result of a configuration that was refused. */
    public static Reloaded refused(List<String> problems) {
        return new Reloaded(problems, List.of(), List.of());
    }

    /** Returns what people are told, one line each. The problems are left out. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        changed.forEach(change -> lines.add("changed " + change));
        unchanged.forEach(change -> lines.add("needs a restart " + change));
        if (lines.isEmpty() && problems.isEmpty()) {
            lines.add("nothing has changed");
        }
        return lines;
    }

    /** Returns it as one line of JSON. */
    public String written() {
        ObjectNode root = JSON.createObjectNode();
        problems.forEach(root.putArray("problems")::add);
        changed.forEach(root.putArray("changed")::add);
        unchanged.forEach(root.putArray("needs_restart")::add);
        return root.toString();
    }

    /** @throws IllegalArgumentException if {@code text} is not in the form that {@link #written} returns */
    public static Reloaded read(String text) {
        try {
            JsonNode root = JSON.readTree(text);
            return new Reloaded(
                    texts(root.required("problems")),
                    texts(root.required("changed")),
                    texts(root.required("needs_restart")));
        } catch (IOException e) {
            throw new IllegalArgumentException("not the result of a reload: " + text, e);
        }
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(text -> texts.add(text.asText()));
        return texts;
    }
}
