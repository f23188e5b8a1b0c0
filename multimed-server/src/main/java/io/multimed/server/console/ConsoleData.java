package io.multimed.server.console;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.multimed.core.counters.AdminTable;
import io.multimed.endpoint.pg.PostgresEndpoint;
import io.multimed.endpoint.pg.session.reads.AnsweredTimes.Seen;
import io.multimed.endpoint.pg.session.reads.AnsweredTimes.SeenPlace;
import io.multimed.server.status.InstanceStatus;
import io.multimed.server.status.NodeStatus;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** The data of the page as JSON. Thread-safe; an answer blocks for a moment. */
public final class ConsoleData {
    private static final JsonFactory FACTORY = new JsonFactory();
    private static final int MOST_SHAPES = 20;
    private static final int MOST_CLIENTS = 100;
    private static final int LONGEST_TEXT = 500;
    private static final long PATIENCE_SECONDS = 2;
    private static final double NANOS_PER_MILLI = 1e6;

    private final String version;
    private final Supplier<InstanceStatus> status;
    private final PostgresEndpoint endpoint;
    private final ConsoleHistory history;

    public ConsoleData(
            String version, Supplier<InstanceStatus> status, PostgresEndpoint endpoint, ConsoleHistory history) {
        this.version = version;
        this.status = status;
        this.endpoint = endpoint;
        this.history = history;
    }

    /**
     * Returns one object.
     *
     * @param after the time, in milliseconds since the epoch, of the last step of the history that is known
     */
    String written(long after) throws IOException {
        InstanceStatus now = status.get();
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            json.writeStartObject();
            json.writeStringField("version", version);
            json.writeStringField("endpoint", now.endpoint());
            json.writeBooleanField("ending", now.ending());
            json.writeNumberField("now", System.currentTimeMillis());
            json.writeNumberField("clients", endpoint.clients());
            nodes(json, now.nodes());
            samples(json, history.after(after));
            shapes(json, answer(endpoint.answeredTimes(), List.of()));
            for (String table : List.of("ROUTES", "WAITS", "RULES")) {
                table(json, table, Integer.MAX_VALUE);
            }
            table(json, "CLIENTS", MOST_CLIENTS);
            events(json);
            json.writeEndObject();
        }
        return text.toString();
    }

    private static void nodes(JsonGenerator json, List<NodeStatus> nodes) throws IOException {
        json.writeArrayFieldStart("nodes");
        for (NodeStatus node : nodes) {
            json.writeStartObject();
            json.writeStringField("name", node.name());
            json.writeStringField("role", node.role().name().toLowerCase(Locale.ROOT));
            json.writeStringField("state", node.state());
            json.writeStringField("detail", node.detail());
            json.writeArrayFieldStart("cores");
            for (int core : node.cores()) {
                json.writeNumber(core);
            }
            json.writeEndArray();
            json.writeNumberField("lag_ms", rounded(node.lagMillis()));
            json.writeNumberField("active", node.active());
            json.writeNumberField("served", node.served());
            json.writeArrayFieldStart("tables");
            for (String table : node.tables()) {
                json.writeString(table);
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void samples(JsonGenerator json, List<ConsoleHistory.Sample> samples) throws IOException {
        json.writeArrayFieldStart("names");
        for (String name : history.names()) {
            json.writeString(name);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("samples");
        for (ConsoleHistory.Sample sample : samples) {
            json.writeStartArray();
            json.writeNumber(sample.millis());
            json.writeNumber(sample.clients());
            json.writeNumber(rounded(sample.units()));
            json.writeStartArray();
            for (ConsoleHistory.NodeSample node : sample.nodes()) {
                json.writeStartArray();
                json.writeNumber(rounded(node.transactions()));
                json.writeNumber(rounded(node.meanMillis()));
                json.writeNumber(rounded(node.lagMillis()));
                json.writeNumber(rounded(node.active()));
                json.writeEndArray();
            }
            json.writeEndArray();
            json.writeEndArray();
        }
        json.writeEndArray();
    }

    /** Times of all loops for one text. */
    private static final class Total {
        final String text;
        final String shape;
        final Map<String, Long> places = new LinkedHashMap<>();
        long count;
        long failed;
        double millis;
        double waitMillis;
        double longestMillis;

        Total(Seen seen) {
            text = seen.text();
            shape = seen.shape();
        }

        void add(Seen seen) {
            count += seen.count();
            failed += seen.failed();
            millis += seen.nanos() / NANOS_PER_MILLI;
            waitMillis += seen.waitNanos() / NANOS_PER_MILLI;
            longestMillis = Math.max(longestMillis, seen.longestNanos() / NANOS_PER_MILLI);
            for (SeenPlace place : seen.places()) {
                places.merge(place.node() + ": " + place.reason().text(), place.count(), Long::sum);
            }
        }

        double meanMillis() {
            return millis / count;
        }
    }

    private static void shapes(JsonGenerator json, List<Seen> all) throws IOException {
        Map<String, Total> totals = new LinkedHashMap<>();
        for (Seen seen : all) {
            totals.computeIfAbsent(seen.text(), text -> new Total(seen)).add(seen);
        }
        json.writeArrayFieldStart("shapes");
        for (Total total : most(totals.values())) {
            json.writeStartObject();
            json.writeStringField(
                    "text",
                    total.text.length() > LONGEST_TEXT
                            ? total.text.substring(0, LONGEST_TEXT) + "…"
                            : total.text.isEmpty() ? "(text not known)" : total.text);
            json.writeStringField("shape", total.shape);
            json.writeNumberField("count", total.count);
            json.writeNumberField("failed", total.failed);
            json.writeNumberField("total_ms", rounded(total.millis));
            json.writeNumberField("mean_ms", rounded(total.meanMillis()));
            json.writeNumberField("max_ms", rounded(total.longestMillis));
            json.writeNumberField("wait_ms", rounded(total.waitMillis / total.count));
            json.writeObjectFieldStart("places");
            for (Map.Entry<String, Long> place : total.places.entrySet()) {
                json.writeNumberField(place.getKey(), place.getValue());
            }
            json.writeEndObject();
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** Returns those that are among the first by any measure. */
    private static Set<Total> most(Collection<Total> totals) {
        Set<Total> most = new LinkedHashSet<>();
        for (ToDoubleFunction<Total> measure : List.<ToDoubleFunction<Total>>of(
                total -> total.millis, Total::meanMillis, total -> total.count, total -> total.longestMillis)) {
            totals.stream()
                    .sorted(Comparator.comparingDouble(measure).reversed())
                    .limit(MOST_SHAPES)
                    .forEach(most::add);
        }
        return most;
    }

    private void table(JsonGenerator json, String what, int most) throws IOException {
        AdminTable table = answer(endpoint.show(what), new AdminTable(List.of(), List.of()));
        json.writeArrayFieldStart(what.toLowerCase(Locale.ROOT) + "_table");
        List<List<Object>> rows = new ArrayList<>(table.rows());
        for (List<Object> row : rows.subList(0, Math.min(most, rows.size()))) {
            json.writeStartObject();
            for (int i = 0; i < row.size(); i++) {
                if (row.get(i) instanceof Long number) {
                    json.writeNumberField(table.columns().get(i), number);
                } else {
                    json.writeStringField(table.columns().get(i), row.get(i).toString());
                }
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void events(JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("events");
        for (NodeEvents.Event event : history.events().latest()) {
            json.writeStartObject();
            json.writeNumberField("time", event.millis());
            json.writeStringField("node", event.node());
            json.writeStringField("text", event.text());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static <T> T answer(CompletableFuture<T> asked, T otherwise) {
        try {
            return asked.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            return otherwise;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return otherwise;
        }
    }

    private static double rounded(double value) {
        return Math.round(value * 1e3) / 1e3;
    }
}
