package io.multimed.server.status;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.multimed.model.Role;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writer and reader of the JSON form of {@code multimed status --json}. */
public final class StatusJson {
    private static final JsonFactory FACTORY = new JsonFactory();

    private StatusJson() {}

    /** Returns one object on one line. */
    public static String write(InstanceStatus status) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            json.writeStartObject();
            json.writeStringField("endpoint", status.endpoint());
            json.writeBooleanField("ending", status.ending());
            json.writeNumberField("scn", status.scn());
            json.writeArrayFieldStart("nodes");
            for (NodeStatus node : status.nodes()) {
                write(json, node);
            }
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static void write(JsonGenerator json, NodeStatus node) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", node.name());
        json.writeStringField("role", node.role().name().toLowerCase(Locale.ROOT));
        json.writeStringField("state", node.state());
        json.writeStringField("detail", node.detail());
        json.writeNumberField("pid", node.pid());
        json.writeArrayFieldStart("cores");
        for (int core : node.cores()) {
            json.writeNumber(core);
        }
        json.writeEndArray();
        json.writeStringField("host", node.host());
        json.writeNumberField("port", node.port());
        json.writeNumberField("applied", node.applied());
        json.writeNumberField("lag_ms", node.lagMillis());
        json.writeNumberField("active", node.active());
        json.writeNumberField("served", node.served());
        json.writeArrayFieldStart("tables");
        for (String table : node.tables()) {
            json.writeString(table);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    /** @throws IllegalArgumentException if {@code text} is not in the form that {@link #write} returns */
    public static InstanceStatus read(String text) {
        try {
            JsonNode root = new ObjectMapper().readTree(text);
            List<NodeStatus> nodes = new ArrayList<>();
            for (JsonNode node : root.required("nodes")) {
                List<Integer> cores = new ArrayList<>();
                node.required("cores").forEach(core -> cores.add(core.intValue()));
                List<String> tables = new ArrayList<>();
                node.required("tables").forEach(table -> tables.add(table.asText()));
                nodes.add(new NodeStatus(
                        node.required("name").asText(),
                        Role.valueOf(node.required("role").asText().toUpperCase(Locale.ROOT)),
                        node.required("state").asText(),
                        node.required("detail").asText(),
                        node.required("pid").asLong(),
                        cores,
                        node.required("host").asText(),
                        node.required("port").asInt(),
                        node.required("applied").asLong(),
                        node.required("lag_ms").asDouble(),
                        node.required("active").asInt(),
                        node.required("served").asLong(),
                        tables));
            }
            return new InstanceStatus(
                    root.required("endpoint").asText(),
                    root.required("ending").asBoolean(),
                    root.required("scn").asLong(),
                    nodes);
        } catch (IOException e) {
            throw new IllegalArgumentException("not a status: " + text, e);
        }
    }
}
