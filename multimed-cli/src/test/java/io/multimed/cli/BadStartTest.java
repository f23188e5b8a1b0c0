package io.multimed.cli;

import static io.multimed.cli.TestPrograms.MULTIMED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.process.ProgramProcess;
import io.multimed.testkit.process.TestDirectory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A configuration that cannot work is refused in one sentence, and nothing is left behind. */
@Tag("slow")
class BadStartTest {
    private TestDirectory parent;

    @BeforeEach
    void makeDirectory() throws Exception {
        parent = new TestDirectory();
    }

    @AfterEach
    void removeDirectory() throws Exception {
        parent.close();
    }

    private void assertRefused(String reason, String... arguments) throws Exception {
        try (ProgramProcess command = MULTIMED.start(arguments)) {
            int status = command.awaitExit();
            List<String> errors = command.errors().lines().toList();
            assertTrue(status != 0, "exit status");
            assertEquals("", command.printed());
            assertTrue(
                    errors.stream().anyMatch(line -> line.startsWith("multimed: ") && line.contains(reason)),
                    reason + " in " + errors);
            assertTrue(
                    errors.stream().noneMatch(line -> line.contains("at io.multimed") || line.contains("Exception")),
                    errors.toString());
        }
        assertFalse(Files.exists(parent.resolve("home")), "half-created");
    }

    private String home() {
        return parent.resolve("home").toString();
    }

    @Test
    void aPortInUse() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertRefused(
                    "endpoint.listen: cannot listen on 127.0.0.1:" + other.getLocalPort(),
                    "up",
                    "--dir",
                    home(),
                    "--listen",
                    "127.0.0.1:" + other.getLocalPort());
        }
    }

    @Test
    void metricsWhereClientsConnect() throws Exception {
        Path config = Files.writeString(parent.resolve("bad.toml"), "metrics.listen = '127.0.0.1:7499'");
        assertRefused(
                "metrics.listen: 127.0.0.1:7499 is where --listen (127.0.0.1:7499) wants to be",
                "up",
                "--dir",
                home(),
                "--listen",
                "127.0.0.1:7499",
                "--config",
                config.toString());
    }

    @Test
    void anAddressThatOthersCanReachWithoutPasswords() throws Exception {
        assertRefused(
                "--listen: 0.0.0.0:0 can be reached from other machines",
                "up",
                "--dir",
                home(),
                "--listen",
                "0.0.0.0:0");
    }

    @Test
    void aWrongKeyInTheConfiguration() throws Exception {
        Path config = Files.writeString(parent.resolve("bad.toml"), "[satelites]\ncount = 1\n");
        assertRefused(
                "satelites: there is no such key; did you mean \"satellites\"?",
                "up",
                "--dir",
                home(),
                "--config",
                config.toString());
    }

    /** Some mistakes are found before anything is made, some only when the new cluster is started. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nodes.master.settings.work_men = 1|nodes.master.settings.work_men: unrecognized configuration parameter",
                "nodes.master.settings.work_mem = 'much'|nodes.master.settings.work_mem: invalid value",
                "nodes.satellite.settings.work_men = 1|nodes.satellite.settings.work_men: unrecognized",
                "nodes.satellite-1.settings.jit = 'no idea'|nodes.satellite-1.settings.jit: parameter",
                "nodes.master.settings.max_connections = 3|must be less than",
                "nodes.master.cores = 4000|nodes.master.cores (4000) do not fit beside",
                "nodes.satellite-1.cpus = '4000'|nodes.satellite-1.cpus: 4000 cannot be used here",
                "satellites.memory_directory = 'nowhere'|satellites.memory_directory: there is no directory",
                "endpoint.tls = { certificate = 'bad.toml', key = 'bad.toml' }|endpoint.tls: ",
            },
            quoteCharacter = '`')
    void aConfigurationThatNothingStartsWith(String line, String reason) throws Exception {
        Path config = Files.writeString(
                parent.resolve("bad.toml"), "endpoint.listen = '127.0.0.1:0'\nmetrics.listen = 'off'\n" + line);
        assertRefused(reason, "up", "--dir", home(), "--satellites", "1", "--config", config.toString());
    }

    @Test
    void aConfigurationThatIsNotThere() throws Exception {
        assertRefused(
                "there is no such file",
                "up",
                "--dir",
                home(),
                "--config",
                parent.resolve("none").toString());
    }

    @Test
    void aConfigurationInItsDirectoryThatIsALinkToNowhere() throws Exception {
        Path other = Files.createDirectory(parent.resolve("other"));
        Path link = Files.createSymbolicLink(other.resolve("multimed.toml"), parent.resolve("none"));
        assertRefused(link + ": there is no such file", "up", "--dir", other.toString());
        assertEquals(1, other.toFile().list().length);
    }

    @Test
    void programsThatAreNotThere() throws Exception {
        assertRefused(
                "--engine-bin: there is no program postgres",
                "up",
                "--dir",
                home(),
                "--engine-bin",
                parent.path().toString());
    }

    @Test
    void aDirectoryThatHoldsSomethingElse() throws Exception {
        Path other = Files.createDirectory(parent.resolve("other"));
        Files.writeString(other.resolve("thesis.tex"), "");
        assertRefused("is not empty and holds neither", "up", "--dir", other.toString(), "--listen", "127.0.0.1:0");
        assertEquals(1, other.toFile().list().length);
    }

    @Test
    void aFileWhereTheDirectoryShouldBe() throws Exception {
        Path file = Files.writeString(parent.resolve("file"), "");
        assertRefused("is a file, not a directory", "up", "--dir", file + "/below");
    }

    /** No user, not even root, can make a directory there. */
    @Test
    void aDirectoryThatCannotBeMade() throws Exception {
        assertRefused("; choose another --dir", "up", "--dir", "/proc/multimed", "--listen", "127.0.0.1:0");
    }

    @Test
    void nobodyToAskForStatus() throws Exception {
        assertRefused("no Multimed runs on " + home(), "status", "--dir", home());
        assertRefused("no Multimed runs on " + home(), "down", "--dir", home());
    }

    @Test
    void aCommandOrAnOptionThatDoesNotExist() throws Exception {
        assertRefused("'upp'", "upp");
        assertRefused("'--satelites'", "up", "--satelites", "1");
        assertRefused(
                "--satellites: must be a number from 0 to 64, not -1", "up", "--dir", home(), "--satellites", "-1");
    }
}
