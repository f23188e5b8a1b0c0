package io.multimed.server.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/multimed.toml documents the configuration: it contains every key, with the server's defaults. */
class DocumentedConfigurationTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "multimed.toml");
    private static final Pattern TABLE = Pattern.compile("#?\\[?\\[([a-z0-9_.-]+)]]?");
    private static final Pattern KEY = Pattern.compile("#([a-z_]+) = (.+)");

    /** Keys without a fixed default: the planner or PostgreSQL chooses the value, or there is none. */
    private static final Set<String> EXAMPLES = Set.of(
            "endpoint.tls.certificate",
            "endpoint.tls.key",
            "endpoint.tls.required",
            "satellites.count",
            "satellites.analytics.database",
            "satellites.analytics.tables",
            "satellites.analytics.queries",
            "satellites.analytics.indexes",
            "satellites.analytics.serves",
            "satellites.analytics.cores",
            "satellites.analytics.settings",
            "engine.bin",
            "middleware.cores",
            "nodes.master.cores",
            "nodes.master.cpus",
            "nodes.master.settings.max_wal_size",
            "nodes.satellite.settings.random_page_cost",
            "nodes.satellite.settings.work_mem",
            "nodes.satellite-1.cpus",
            "nodes.satellite-1.settings",
            "routes.match",
            "routes.to",
            "routes.otherwise",
            "pools.master",
            "pools.satellite",
            "reads.safe_functions");

    @TempDir
    Path directory;

    /** The documented values as TOML, by the keys' full paths. */
    private final Map<String, String> documented = new LinkedHashMap<>();

    @BeforeEach
    void readDocument() throws IOException {
        String table = "";
        for (String line : Files.readAllLines(DOCUMENT)) {
            Matcher header = TABLE.matcher(line);
            Matcher key = KEY.matcher(line);
            if (header.matches()) {
                table = header.group(1) + ".";
            } else if (key.matches()) {
                documented.put(table + key.group(1), key.group(2));
            } else {
                assertTrue(line.isEmpty() || line.startsWith("# "), "neither a key nor a comment: " + line);
            }
        }
    }

    @Test
    void asItStandsItChangesNothing() throws ConfigurationException {
        assertEquals(Configuration.STANDARD, ConfigurationReader.read(DOCUMENT, Overrides.NONE));
        assertEquals(Configuration.STANDARD, ConfigurationReader.defaults(Overrides.NONE));
    }

    @Test
    void whatItSaysOfDefaultsIsTrue() throws ConfigurationException {
        documented.keySet().removeAll(EXAMPLES);
        assertEquals(Configuration.STANDARD, read(documented));
        // This default matters only for users who choose "eventual".
        documented.put("reads.freshness", "\"eventual\"");
        assertEquals(read(Map.of("reads.freshness", "\"eventual\"")), read(documented));
    }

    @Test
    void itStatesEveryKeyThatThereIs() throws Exception {
        for (String file : List.of("server.crt", "server.key", "postgres")) {
            Path made = Files.createFile(directory.resolve(file));
            assertTrue(made.toFile().setExecutable(true));
        }
        documented.replace("engine.bin", '"' + directory.toString() + '"');
        TomlTable document = TomlTable.parse(toml(documented), "document", new ArrayList<>());
        ConfigurationReader.of(document, directory, Overrides.NONE);

        Set<String> stated = new TreeSet<>();
        for (String key : documented.keySet()) {
            for (int dot = key.indexOf('.'); dot >= 0; dot = key.indexOf('.', dot + 1)) {
                stated.add(key.substring(0, dot));
            }
            stated.add(key);
        }
        // Settings are PostgreSQL's, so they are not compared.
        Set<String> known = new TreeSet<>();
        document.asked().forEach(key -> known.add(key.replaceFirst("\\[0]", "")));
        // The document shows these within one line.
        known.removeIf(key -> key.startsWith("routes.match."));
        known.removeIf(key -> key.contains(".settings."));
        stated.removeIf(key -> key.contains(".settings."));
        assertEquals(known, stated);
        assertTrue(documented.keySet().containsAll(EXAMPLES), "an example that is no longer there");
    }

    private Configuration read(Map<String, String> keys) throws ConfigurationException {
        return ConfigurationReader.parse(toml(keys), directory, Overrides.NONE);
    }

    /** Returns the document. The keys of the rule come last, since they are in an array of tables. */
    private static String toml(Map<String, String> keys) {
        StringBuilder toml = new StringBuilder();
        StringBuilder rule = new StringBuilder();
        keys.forEach((key, value) -> (key.startsWith("routes.") ? rule : toml)
                .append(key.replace("routes.", ""))
                .append(" = ")
                .append(value)
                .append('\n'));
        return rule.isEmpty() ? toml.toString() : toml + "[[routes]]\n" + rule;
    }
}
