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
            "endpoint.unix_socket_dir",
            "endpoint.unix_socket_mode",
            "endpoint.unix_socket_group",
            "endpoint.hba_file",
            "endpoint.ident_file",
            "endpoint.tls.certificate",
            "endpoint.tls.key",
            "endpoint.tls.client_ca",
            "endpoint.tls.required",
            "satellites.count",
            "satellites.analytics.database",
            "satellites.analytics.tables",
            "satellites.analytics.columns",
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
            "limits.max_user_connections",
            "limits.max_db_connections",
            "limits.max_user_client_connections",
            "limits.max_db_client_connections",
            "limits.query_timeout",
            "limits.query_wait_timeout",
            "limits.idle_transaction_timeout",
            "limits.transaction_timeout",
            "limits.users.reports.query_timeout",
            "limits.databases.shop.max_db_client_connections",
            "reads.safe_functions",
            "metrics.password_file",
            "otlp.headers_file");

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
        for (String file : List.of(
                "server.crt",
                "server.key",
                "clients.crt",
                "console.password",
                "otlp.headers",
                "pg_ident.conf",
                "postgres")) {
            Path made = Files.createFile(directory.resolve(file));
            assertTrue(made.toFile().setExecutable(true));
        }
        Files.writeString(directory.resolve("pg_hba.conf"), "local all all peer");
        documented.replace("endpoint.unix_socket_dir", '"' + directory.toString() + '"');
        documented.replace("engine.bin", '"' + directory.toString() + '"');
        // Rules take the place of simpler keys.
        Set<String> asked = new TreeSet<>(asked(without("endpoint.hba_file", "endpoint.ident_file")));
        asked.addAll(asked(without("endpoint.auth", "endpoint.tls.required")));

        Set<String> stated = new TreeSet<>();
        for (String key : documented.keySet()) {
            for (int dot = key.indexOf('.'); dot >= 0; dot = key.indexOf('.', dot + 1)) {
                stated.add(key.substring(0, dot));
            }
            stated.add(key);
        }
        // Settings are PostgreSQL's, so they are not compared.
        Set<String> known = new TreeSet<>();
        asked.forEach(key -> known.add(key.replaceFirst("\\[0]", "")));
        // The document shows these within one line.
        known.removeIf(key -> key.startsWith("routes.match."));
        known.removeIf(key -> key.contains(".settings.") || key.contains(".columns."));
        // The names are examples, each with one of the keys.
        known.removeIf(key -> key.matches("limits\\.(users|databases)\\.[a-z]+\\..+"));
        stated.removeIf(key -> key.matches("limits\\.(users|databases)\\.[a-z]+\\..+"));
        stated.removeIf(key -> key.contains(".settings."));
        assertEquals(known, stated);
        assertTrue(documented.keySet().containsAll(EXAMPLES), "an example that is no longer there");
    }

    private Map<String, String> without(String... keys) {
        Map<String, String> others = new LinkedHashMap<>(documented);
        others.keySet().removeAll(Set.of(keys));
        return others;
    }

    private Set<String> asked(Map<String, String> keys) throws ConfigurationException {
        TomlTable document = TomlTable.parse(toml(keys), "document", new ArrayList<>());
        ConfigurationReader.of(document, directory, Overrides.NONE);
        return document.asked();
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
