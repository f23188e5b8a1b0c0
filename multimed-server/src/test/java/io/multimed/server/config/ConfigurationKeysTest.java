package io.multimed.server.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each key of the file is compared, and known to be changeable or not. */
class ConfigurationKeysTest {
    private static Configuration parse(String toml) throws ConfigurationException {
        return ConfigurationReader.parse(toml, Path.of("/"), Overrides.NONE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "endpoint | listen | '127.0.0.1:1' | 127.0.0.1:7432 | 127.0.0.1:1 | false",
                "endpoint | auth | 'scram-sha-256' | trust | scram-sha-256 | true",
                "endpoint | max_clients | 5 | 10000 | 5 | true",
                "endpoint | admin_users | ['b', 'a'] | (none) | a, b | true",
                "endpoint | stats_users | ['b'] | (none) | b | true",
                "satellites | count | 0 | (none) | 0 | false",
                "satellites | storage | 'disk' | memory | disk | false",
                "satellites | memory_directory | '/tmp' | /dev/shm | /tmp | false",
                "satellites | hold_vacuum | '1min' | 5min | 1min | false",
                "satellites | comparison | 0 | 1 | 0 | false",
                "satellites | capture | 'triggers' | log | triggers | false",
                "middleware | cores | 2 | (none) | 2 | false",
                "middleware | busy_poll | '0us' | 50us | 0h | false",
                "nodes.master | cores | 2 | (none) | 2 | false",
                "nodes.master | cpus | '0-1' | (none) | 0-1 | false",
                "nodes.master.settings | work_mem | '5MB' | (none) | 5MB | false",
                "nodes.satellite.settings | work_mem | '5MB' | (none) | 5MB | false",
                "nodes.satellite-1.settings | work_mem | '5MB' | (none) | 5MB | false",
                "pools | master | 7 | (none) | 7 | true",
                "pools | satellite | 7 | (none) | 7 | true",
                "pools | transactions | 7 | 100 | 7 | true",
                "pools | kept_sessions | 7 | 100 | 7 | true",
                "pools | idle_in_transaction | '7s' | 1min | 7s | true",
                "pools | reads_per_connection | 7 | 32 | 7 | false",
                "limits | query_timeout | '7s' | (none) | 7s | true",
                "limits | max_db_client_connections | 7 | (none) | 7 | true",
                "limits.users.alice | transaction_timeout | '7s' | (none) | 7s | true",
                "limits.databases.shop | query_wait_timeout | '7s' | (none) | 7s | true",
                "reads | freshness | 'session' | strong | session | true",
                "reads | patience | '7ms' | 100ms | 7ms | true",
                "reads | safe_functions | ['f'] | (none) | f | true",
                "reads | coalesce | false | true | false | true",
                "reads | long_reads_yield | false | true | false | false",
                "metrics | listen | 'off' | 127.0.0.1:7433 | off | false",
                "metrics | console | true | false | true | false",
                "log | format | 'json' | text | json | false",
                "log | slow | '500ms' | 0h | 500ms | true",
                "log | literals | true | false | true | true",
                "shutdown | drain | '1s' | 10s | 1s | true",
            })
    void aKeyThatDiffers(String table, String key, String value, String before, String after, boolean changeable)
            throws ConfigurationException {
        String name = table + "." + key;
        assertEquals(
                List.of(name + ": " + before + " -> " + after),
                ConfigurationKeys.changes(
                                Configuration.STANDARD, parse("[" + table + "]\n" + key + " = " + value + "\n"))
                        .stream()
                        .map(ConfigurationKeys.Change::toString)
                        .toList());
        assertEquals(changeable, ConfigurationKeys.isChangeable(name));
    }

    @Test
    void tablesOfTheirOwn(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("pem"), "");
        Path rules = Files.writeString(directory.resolve("pg_hba.conf"), "local all all peer");
        Set<String> keys = new HashSet<>(
                ConfigurationKeys.of(parse("""
                [endpoint]
                unix_socket_dir = "/tmp"
                unix_socket_mode = "0770"
                unix_socket_group = "dba"
                hba_file = "%2$s"
                ident_file = "%1$s"
                [endpoint.tls]
                certificate = "%1$s"
                key = "%1$s"
                client_ca = "%1$s"
                [metrics]
                password_file = "%1$s"
                [reads]
                freshness = "eventual"
                eventual_lag = "7s"
                [satellites.part]
                database = "shop"
                tables = ["public.orders"]
                queries = ["SELECT 1 FROM orders"]
                indexes = ["CREATE INDEX ON public.orders (id)"]
                serves = "long"
                cores = 1
                settings = { work_mem = "5MB" }
                [[routes]]
                match = { role = "reports" }
                to = "part"
                otherwise = "wait"
                """.formatted(file, rules))).keySet());
        keys.removeAll(ConfigurationKeys.of(Configuration.STANDARD).keySet());
        assertEquals(
                Set.of(
                        "endpoint.unix_socket_dir",
                        "endpoint.unix_socket_mode",
                        "endpoint.unix_socket_group",
                        "endpoint.hba_file",
                        "endpoint.ident_file",
                        "endpoint.tls.certificate",
                        "endpoint.tls.key",
                        "endpoint.tls.client_ca",
                        "endpoint.tls.required",
                        "metrics.password_file",
                        "reads.eventual_lag",
                        "satellites.part.database",
                        "satellites.part.tables",
                        "satellites.part.columns",
                        "satellites.part.queries",
                        "satellites.part.indexes",
                        "satellites.part.serves",
                        "satellites.part.cores",
                        "nodes.part.settings.work_mem",
                        "routes[0]"),
                keys);
        assertTrue(ConfigurationKeys.isChangeable("routes[0]"));
    }

    @Test
    void theResultIsReadAsItWasWritten() {
        Reloaded result = new Reloaded(List.of("a"), List.of("b: \"1\""), List.of("c\nd"));
        assertEquals(result, Reloaded.read(result.written()));
    }
}
