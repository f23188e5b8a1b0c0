package io.multimed.server.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.multimed.core.counters.AdminTable;
import io.multimed.endpoint.pg.PostgresEndpoint;
import io.multimed.server.status.InstanceStatus;
import io.multimed.server.status.StatusJson;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/** The report of a running instance about itself: files by name, as one line of JSON. */
public final class InstanceReport {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> TABLES = List.of(
            "NODES",
            "POOLS",
            "SERVERS",
            "CLIENTS",
            "ROUTES",
            "RULES",
            "STATS",
            "WAITS",
            "DATABASES",
            "USERS",
            "STATE",
            "MEM",
            "VERSION");
    private static final long PATIENCE_SECONDS = 5;

    private InstanceReport() {}

    /**
     * Collects the report; blocks until that is done.
     *
     * @param configuration a row for each key: the key, its value and more
     * @param endpoint empty if it is not open
     * @param metrics their text
     */
    public static String of(
            InstanceStatus status, AdminTable configuration, Optional<PostgresEndpoint> endpoint, String metrics) {
        ObjectNode files = JSON.createObjectNode();
        files.put("status.json", StatusJson.write(status));
        files.put("configuration.txt", configuration(configuration));
        files.put("metrics.txt", metrics);
        files.put("threads.txt", threads());
        files.put("java.txt", java());
        for (String table : TABLES) {
            endpoint.ifPresent(open -> files.put("show/" + table.toLowerCase(Locale.ROOT) + ".txt", show(open, table)));
        }
        return files.toString();
    }

    /** Returns the report of an instance that tells nothing but its status and metrics. */
    public static String of(InstanceStatus status, String metrics) {
        return of(status, new AdminTable(List.of(), List.of()), Optional.empty(), metrics);
    }

    /**
     * Returns the files' contents by their names.
     *
     * @throws IllegalArgumentException if {@code text} is no report
     */
    public static Map<String, String> read(String text) {
        try {
            Map<String, String> files = new LinkedHashMap<>();
            for (Map.Entry<String, JsonNode> file : JSON.readTree(text).properties()) {
                files.put(file.getKey(), file.getValue().asText());
            }
            return files;
        } catch (IOException e) {
            throw new IllegalArgumentException("not a report: " + text, e);
        }
    }

    private static String configuration(AdminTable table) {
        return table.rows().stream()
                .map(row -> row.get(0) + " = "
                        + Redaction.value(row.get(0).toString(), row.get(1).toString()))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    private static String show(PostgresEndpoint endpoint, String what) {
        try {
            return text(endpoint.show(what).get(PATIENCE_SECONDS, TimeUnit.SECONDS));
        } catch (ExecutionException | TimeoutException e) {
            return "no answer: " + e + "\n";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted\n";
        }
    }

    private static String text(AdminTable table) {
        ArrayNode rows = JSON.createArrayNode();
        for (List<Object> row : table.rows()) {
            ObjectNode shown = rows.addObject();
            for (int i = 0; i < row.size(); i++) {
                shown.put(table.columns().get(i), row.get(i).toString());
            }
        }
        StringBuilder lines = new StringBuilder();
        rows.forEach(row -> lines.append(row).append('\n'));
        return lines.toString();
    }

    private static String threads() {
        StringBuilder text = new StringBuilder();
        for (ThreadInfo thread : ManagementFactory.getThreadMXBean().dumpAllThreads(true, true)) {
            text.append('"')
                    .append(thread.getThreadName())
                    .append("\" ")
                    .append(thread.getThreadState())
                    .append('\n');
            for (StackTraceElement frame : thread.getStackTrace()) {
                text.append("    at ").append(frame).append('\n');
            }
            text.append('\n');
        }
        return text.toString();
    }

    private static String java() {
        Runtime runtime = Runtime.getRuntime();
        return "version " + Runtime.version() + "\nprocessors " + runtime.availableProcessors() + "\nheap used "
                + (runtime.totalMemory() - runtime.freeMemory()) + " of at most " + runtime.maxMemory()
                + "\nup for ms " + ManagementFactory.getRuntimeMXBean().getUptime() + "\ncollectors "
                + ManagementFactory.getGarbageCollectorMXBeans().stream()
                        .map(collector -> collector.getName() + ": " + collector.getCollectionCount() + " in "
                                + collector.getCollectionTime() + " ms")
                        .collect(Collectors.joining(", "))
                + "\n";
    }
}
