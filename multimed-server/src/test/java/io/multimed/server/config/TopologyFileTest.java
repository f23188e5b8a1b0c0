package io.multimed.server.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.model.plan.PlanRequest;
import io.multimed.model.plan.Planner;
import io.multimed.model.plan.SystemModel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopologyFileTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({
        "arm64-64,64,64",
        "epyc-64,64,128",
        "hybrid-laptop,14,20",
        "opteron-48,48,48",
        "vm-2,2,2",
        "xeon-2s,32,64"
    })
    void everyPresetIsAMachineThatCanBePlanned(String preset, int cores, int cpus) throws ConfigurationException {
        TopologyFile file = TopologyFile.of(preset);
        assertEquals(preset, file.topology().name());
        assertEquals(cores, file.topology().cores().size());
        assertEquals(cpus, file.topology().cpus().size());
        SystemModel plan = Planner.plan(file.topology(), PlanRequest.DEFAULT);
        assertTrue(plan.satellites().size() >= 1);
        assertEquals(6, TopologyFile.PRESETS.size());
    }

    @Test
    void thePapersMachineAsksForThePapersCores() throws ConfigurationException {
        TopologyFile file = TopologyFile.of("opteron-48");
        assertEquals(4, file.middlewareCores().orElseThrow());
        assertEquals(4, file.masterCores().orElseThrow());
        assertEquals(8, file.topology().numaNodes().size());
    }

    @Test
    void readsAFileOfOnesOwn() throws Exception {
        Path file = Files.writeString(
                directory.resolve("mine.toml"),
                "memory = \"4GB\"\n[[core]]\ncpus = \"0,2\"\n[[core]]\ncpus = \"1,3\"\nnuma = 1\npackage = 1\n");
        TopologyFile read = TopologyFile.of(file.toString());
        assertEquals(2, read.topology().cores().size());
        assertEquals(2, read.topology().numaNodes().size());
        assertEquals(4L << 30, read.topology().memoryBytes());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "memory = \"4GB\"|must have either a [shape] or a list of [[core]]",
                "shape = {}|memory: must be an amount of memory such as",
                "memory = \"4GB\"; shape = { packages = 0 }|shape.packages: must be a number from 1",
                "memory = \"4GB\"; shape = { cores = 4 }|shape.cores: there is no such key; allowed are",
                "memory = \"4GB\"; shape = { packages = 8192, cores_per_die = 8192 }|more than 8192 cpus",
                "memory = \"4GB\"; core = [ { cpus = \"x\" } ]|core[0].cpus: not a list of cpus",
                "memory = \"4GB\"; core = [ { cpus = \"0\" }, { cpus = \"0-1\" } ]|two cores name the same cpu"
            })
    void refusesAFileThatDescribesNoMachine(String toml, String problem) throws Exception {
        Path file = Files.writeString(directory.resolve("bad.toml"), toml.replace("; ", "\n"));
        String message = assertThrows(ConfigurationException.class, () -> TopologyFile.of(file.toString()))
                .getMessage();
        assertTrue(message.contains(problem), message);
    }

    @Test
    void suggestsAPreset() {
        String message = assertThrows(ConfigurationException.class, () -> TopologyFile.of("opteron48"))
                .getMessage();
        assertTrue(message.contains("did you mean \"opteron-48\"?"), message);
    }
}
