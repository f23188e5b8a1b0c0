package io.multimed.mariadb.cli.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.model.Freshness;
import io.multimed.model.NodeId;
import io.multimed.server.config.ConfigurationException;
import io.multimed.server.config.Reloaded;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MariaDbConfigurationTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "multimed-mariadb.toml");

    @TempDir
    Path directory;

    private MariaDbConfiguration read(String toml) throws IOException, ConfigurationException {
        Path file = Files.writeString(directory.resolve("multimed.toml"), toml);
        return MariaDbConfigurationReader.read(Optional.of(file), MariaDbConfigurationReader.Options.NONE);
    }

    private List<String> problems(String toml) {
        return assertThrows(ConfigurationException.class, () -> read(toml)).problems().stream()
                .map(problem -> problem.replace(directory + "/", ""))
                .toList();
    }

    @Test
    void theDocumentHasTheDefaults() throws Exception {
        MariaDbConfiguration standard =
                MariaDbConfigurationReader.read(Optional.empty(), MariaDbConfigurationReader.Options.NONE);
        assertEquals(MariaDbConfiguration.STANDARD, standard);
        assertEquals(
                standard,
                MariaDbConfigurationReader.read(Optional.of(DOCUMENT), MariaDbConfigurationReader.Options.NONE));
        // Those without a fixed default are examples.
        String withoutExamples = Files.readAllLines(DOCUMENT).stream()
                .filter(line -> !line.matches(
                        "#(count|bin|cores|cpus|settings|\\w+_size|freshness) = .*|#\\[nodes.satellite-1]"))
                .map(line -> line.replaceFirst("^#(?=\\w+ = )", ""))
                .collect(Collectors.joining("\n"));
        assertEquals(standard, read(withoutExamples));
    }

    @Test
    void theDocumentNamesEveryKey() throws Exception {
        String text = Files.readAllLines(DOCUMENT).stream()
                .map(line -> line.replaceFirst("^#(?=\\[|\\w+ = )", ""))
                .collect(Collectors.joining("\n"));
        MariaDbConfiguration read = read(text);
        assertEquals(Map.of("join_buffer_size", "4M"), read.plan().satelliteSettings());
        assertEquals(
                Map.of("join_buffer_size", "16M"),
                read.plan().node(NodeId.satellite(1)).settings());
        for (String key : read.keys().keySet()) {
            assertTrue(text.contains(key.substring(key.lastIndexOf('.') + 1) + " = "), key);
        }
    }

    @Test
    void optionsOverrideTheFile() throws Exception {
        Path file = Files.writeString(
                directory.resolve("multimed.toml"),
                "[endpoint]\nlisten = \"127.0.0.1:1\"\n[satellites]\ncount = 3\nmemory_directory = \"mem\"");
        MariaDbConfiguration read = MariaDbConfigurationReader.read(
                Optional.of(file),
                new MariaDbConfigurationReader.Options(
                        Optional.of("127.0.0.1:2"),
                        false,
                        OptionalInt.of(1),
                        Optional.of(Path.of("/opt/maria")),
                        Optional.of("off")));
        assertEquals("127.0.0.1:2", read.endpoint().listen().toString());
        assertEquals(OptionalInt.of(1), read.plan().satellites());
        assertEquals(directory.resolve("mem"), read.memory());
        assertEquals(Optional.of(Path.of("/opt/maria")), read.engineBin());
        assertEquals(Optional.empty(), read.metrics());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[endpoint];listen = \"0.0.0.0:7306\" | endpoint.listen: 0.0.0.0:7306 can be reached from other machines",
                "[endpoint];max_clients = 0 | endpoint.max_clients: must be a number from 1 to 100000, not 0",
                "[endpoint];max_client = 5 | endpoint.max_client: there is no such key",
                "[endpoint];auth = \"trust\" | endpoint.auth: there is no such key",
                "[reads];freshness = \"weak\" | reads.freshness: must be strong, session or eventual, not \"weak\"",
                "[reads];patience = 5 | reads.patience: must be a length of time such as",
                "[metrics];listen = \"127.0.0.1:7306\" | metrics.listen: 127.0.0.1:7306 is where endpoint.listen",
                "[nodes.master.settings];sync_binlog = 0 | nodes.master.settings.sync_binlog: is set by Multimed itself",
                "[nodes.satellite.settings];replicate_do_db = \"a\" | would keep commits from Satellites",
                "[nodes.master.settings];init_connect = \"a\\nb\" | must be one line",
                "[nodes.replica];cores = 1 | nodes.replica: there is no such node"
            })
    void eachMistakeIsNamedWithItsLine(String toml, String told) {
        List<String> problems = problems(toml.replace(";", "\n"));
        assertEquals(1, problems.size(), problems.toString());
        String problem = problems.getFirst();
        assertTrue(problem.startsWith("multimed.toml, line ") && problem.contains(told), problem);
    }

    @Test
    void allMistakesAreTold() {
        assertEquals(
                2,
                problems("[endpoint]\nmax_clients = 0\n[reads]\nfreshness = \"weak\"")
                        .size());
    }

    @Test
    void aReloadAppliesWhatCanBeAppliedAndRefusesMistakesAsAWhole() throws Exception {
        List<MariaDbConfiguration> applied = new ArrayList<>();
        String[] text = {""};
        Reloaded[] files = {new Reloaded(List.of(), List.of(), List.of())};
        MariaDbReloading reloading = new MariaDbReloading(
                read(""),
                () -> {
                    try {
                        return read(text[0]);
                    } catch (IOException e) {
                        throw new ConfigurationException(e.toString());
                    }
                },
                () -> files[0],
                applied::add);
        assertEquals(List.of("nothing has changed"), reloading.reload().lines());
        text[0] = "[endpoint]\nmax_clients = 5\n[satellites]\ncount = 2\n[reads]\nfreshness = \"eventual\"\n"
                + "eventual_lag = \"3s\"\npatience = \"1s\"";
        Reloaded result = reloading.reload();
        assertEquals(
                List.of(
                        "endpoint.max_clients: 10000 -> 5",
                        "reads.eventual_lag: (none) -> 3s",
                        "reads.freshness: strong -> eventual",
                        "reads.patience: 200ms -> 1s"),
                result.changed());
        assertEquals(List.of("satellites.count: (none) -> 2"), result.unchanged());
        result.changed().forEach(change -> assertTrue(MariaDbConfiguration.isChangeable(change), change));
        MariaDbConfiguration now = applied.getLast();
        assertEquals(new Freshness.Eventual(Duration.ofSeconds(3)), now.reads().freshness());
        assertEquals(OptionalInt.empty(), now.plan().satellites());
        int before = applied.size();
        text[0] = "[endpoint]\nmax_clients = 7\n[reads]\nfreshness = \"weak\"";
        assertEquals(1, reloading.reload().problems().size());
        text[0] = "[endpoint]\nmax_clients = 7";
        files[0] = Reloaded.refused(List.of("no certificate"));
        assertEquals(List.of("no certificate"), reloading.reload().problems());
        assertEquals(before, applied.size());
    }
}
