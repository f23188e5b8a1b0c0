package io.multimed.cli;

import static io.multimed.cli.TestPrograms.MULTIMED;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code multimed doctor} on this machine. */
class DoctorCommandTest {
    @TempDir
    Path directory;

    private String config(String toml) throws Exception {
        return Files.writeString(directory.resolve("test.toml"), toml).toString();
    }

    @Test
    void findsNoProblemWhereAnInstanceCouldStartAndChangesNothing() throws Exception {
        Path home = directory.resolve("home");
        String found = MULTIMED.run(
                0,
                "doctor",
                "--dir",
                home.toString(),
                "--config",
                config("endpoint.listen = \"127.0.0.1:0\"\nmetrics.listen = \"127.0.0.1:0\"\n"));
        for (String subject : new String[] {"configuration", "PostgreSQL", "directory", "endpoint.listen"}) {
            assertTrue(found.lines().anyMatch(line -> line.startsWith("ok       " + subject)), found);
        }
        assertFalse(Files.exists(home), found);
    }

    @Test
    void saysWhatIsWrongInTheConfigurationAndFails() throws Exception {
        String found = MULTIMED.run(
                1, "doctor", "--dir", directory.resolve("home").toString(), "--config", config("endpoint.lisen = 1\n"));
        assertTrue(found.contains("problem  configuration  ") && found.contains("lisen"), found);
        assertTrue(found.contains("-> "), found);
    }
}
