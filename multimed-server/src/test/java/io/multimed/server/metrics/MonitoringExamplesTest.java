package io.multimed.server.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The examples for Prometheus and Grafana are well-formed, and name only metrics and labels that there are. */
class MonitoringExamplesTest {
    private static final Path EXAMPLES = Path.of("..", "examples", "monitoring");
    private static final Pattern SELECTOR = Pattern.compile("(multimed_[a-z_]+)(?:\\{([^}]*)})?");
    private static final Pattern LABEL = Pattern.compile("(\\w+)\\s*(?:=~|!~|!=|=)\\s*\"[^\"]*\"");
    /** Labels that Prometheus adds. */
    private static final Set<String> ADDED = Set.of("instance", "job");

    private static List<String> alerts() throws Exception {
        Map<String, List<Map<String, Object>>> file = new Yaml(new SafeConstructor(new LoaderOptions()))
                .load(Files.readString(EXAMPLES.resolve("alerts.yaml")));
        List<String> expressions = new ArrayList<>();
        Set<Object> names = new HashSet<>();
        for (Map<String, Object> group : file.get("groups")) {
            assertTrue(group.get("name") instanceof String);
            assertTrue(group.get("rules") instanceof List);
            for (Object each : (List<?>) group.get("rules")) {
                Map<?, ?> rule = (Map<?, ?>) each;
                assertEquals(Set.of("alert", "expr", "for", "labels", "annotations"), rule.keySet());
                assertTrue(names.add(rule.get("alert")), rule::toString);
                assertTrue(rule.get("for").toString().matches("[0-9]+(s|m|h)"), rule::toString);
                assertTrue(((Map<?, ?>) rule.get("labels")).containsKey("severity"), rule::toString);
                assertTrue(((Map<?, ?>) rule.get("annotations")).containsKey("summary"), rule::toString);
                expressions.add((String) rule.get("expr"));
            }
        }
        return expressions;
    }

    private static List<String> dashboard() throws Exception {
        JsonNode file =
                new ObjectMapper().readTree(EXAMPLES.resolve("grafana.json").toFile());
        List<String> expressions = new ArrayList<>();
        Set<Integer> ids = new HashSet<>();
        for (JsonNode panel : file.required("panels")) {
            assertTrue(ids.add(panel.required("id").asInt()), panel::toString);
            assertFalse(panel.required("title").asText().isEmpty());
            for (String coordinate : List.of("x", "y", "w", "h")) {
                assertTrue(panel.required("gridPos").required(coordinate).isInt());
            }
            panel.required("targets")
                    .forEach(target -> expressions.add(target.required("expr").asText()));
        }
        for (JsonNode variable : file.required("templating").required("list")) {
            JsonNode query = variable.required("query");
            if (query.isObject()) {
                expressions.add(query.required("query").asText());
            }
        }
        return expressions;
    }

    /** Every name with the labels of its values. */
    private static Map<String, Set<String>> known() throws Exception {
        MetricsServerTest server = new MetricsServerTest();
        server.start();
        try {
            return server.scraped().stream()
                    .filter(line -> !line.startsWith("#"))
                    .map(SELECTOR::matcher)
                    .filter(Matcher::lookingAt)
                    .collect(
                            Collectors.toMap(found -> found.group(1), found -> labels(found.group(2)), (one, other) -> {
                                one.addAll(other);
                                return one;
                            }));
        } finally {
            server.stop();
        }
    }

    private static Set<String> labels(String text) {
        return text == null
                ? new HashSet<>()
                : LABEL.matcher(text).results().map(found -> found.group(1)).collect(Collectors.toSet());
    }

    private static void assertKnown(List<String> expressions) throws Exception {
        Map<String, Set<String>> known = known();
        Set<String> named = new HashSet<>();
        for (String expression : expressions) {
            assertBalanced(expression);
            Matcher found = SELECTOR.matcher(expression);
            while (found.find()) {
                named.add(found.group(1));
                assertTrue(known.containsKey(found.group(1)), found.group(1) + " of " + expression + " in " + known);
                Set<String> labels = labels(found.group(2));
                labels.removeAll(ADDED);
                assertTrue(
                        known.get(found.group(1)).containsAll(labels),
                        () -> labels + " of " + expression + " in " + known.get(found.group(1)));
            }
        }
        assertTrue(named.size() > 5, named::toString);
    }

    private static void assertBalanced(String expression) {
        String text = expression.replaceAll("\"[^\"]*\"", "");
        for (String pair : List.of("()", "{}", "[]")) {
            int depth = 0;
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                depth += c == pair.charAt(0) ? 1 : c == pair.charAt(1) ? -1 : 0;
                assertTrue(depth >= 0, expression);
            }
            assertEquals(0, depth, expression);
        }
    }

    @Test
    void alertsNameMetricsThatThereAre() throws Exception {
        assertKnown(alerts());
    }

    @Test
    void theDashboardNamesMetricsThatThereAre() throws Exception {
        assertKnown(dashboard());
    }
}
