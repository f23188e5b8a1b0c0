package io.multimed.server.lean;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The answer to a request.
 *
 * @param rows the indexes, for a request for proposals
 * @param done what was done, one sentence each
 * @param problem why nothing more was done, one sentence; empty if all went well
 */
public record LeanAnswer(List<LeanRow> rows, List<String> done, String problem) {
    private static final ObjectMapper JSON = new ObjectMapper();

    public LeanAnswer {
        rows = List.copyOf(rows);
        done = List.copyOf(done);
    }

    /** Returns it as one line of JSON. */
    public String written() {
        ObjectNode root = JSON.createObjectNode();
        ArrayNode all = root.putArray("rows");
        for (LeanRow row : rows) {
            ObjectNode one = all.addObject()
                    .put("advice", row.advice().name().toLowerCase(Locale.ROOT))
                    .put("because", row.because())
                    .put("database", row.database())
                    .put("table", row.table())
                    .put("index", row.index())
                    .put("bytes", row.bytes())
                    .put("scans", row.scans())
                    .put("writes", row.writes());
            row.satellites().forEach(one.putArray("satellites")::add);
        }
        done.forEach(root.putArray("done")::add);
        root.put("problem", problem);
        return root.toString();
    }

    /** @throws IllegalArgumentException if {@code text} is not in the form that {@link #written} returns */
    public static LeanAnswer read(String text) {
        try {
            JsonNode root = JSON.readTree(text);
            List<LeanRow> rows = new ArrayList<>();
            for (JsonNode row : root.required("rows")) {
                rows.add(new LeanRow(
                        LeanRow.Advice.valueOf(row.required("advice").asText().toUpperCase(Locale.ROOT)),
                        row.required("because").asText(),
                        row.required("database").asText(),
                        row.required("table").asText(),
                        row.required("index").asText(),
                        row.required("bytes").asLong(),
                        row.required("scans").asLong(),
                        row.required("writes").asLong(),
                        texts(row.required("satellites"))));
            }
            return new LeanAnswer(
                    rows, texts(root.required("done")), root.required("problem").asText());
        } catch (IOException e) {
            throw new IllegalArgumentException("not an answer about indexes: " + text, e);
        }
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(text -> texts.add(text.asText()));
        return texts;
    }
}
