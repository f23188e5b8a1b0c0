package io.multimed.engine.postgresql.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.multimed.core.spi.EngineException;
import io.multimed.engine.postgresql.TestEngines;
import io.multimed.engine.postgresql.binaries.EngineBinaries;
import io.multimed.engine.postgresql.binaries.ProgramPlaces;
import io.multimed.engine.process.EngineTool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The explanation of a data directory that was made by another major version. */
class MajorUpgradeTest {
    private static final Path DEBIANS_15 = Path.of("/usr/lib/postgresql/15/bin");

    private Path temp;

    @BeforeEach
    void create() throws Exception {
        temp = TestEngines.directory();
    }

    @AfterEach
    void delete() throws Exception {
        TestEngines.delete(temp);
    }

    private static String explain(Path data, EngineBinaries programs) {
        return assertThrows(EngineException.class, () -> MasterCluster.requireUsable(data, programs))
                .getMessage();
    }

    private Path directory(String version) throws Exception {
        Path data = Files.createDirectory(temp.resolve("shop"));
        Files.writeString(data.resolve("PG_VERSION"), version + "\n");
        return data;
    }

    @Test
    void anOlderOneIsNamedWithTheCommandsThatUpgradeIt() throws Exception {
        Path data = directory("14");
        Path programs = Files.createDirectory(temp.resolve("bin"));
        Path upgrading = Files.createFile(programs.resolve("pg_upgrade"));
        assertTrue(upgrading.toFile().setExecutable(true));
        assertEquals("""
                The data directory %1$s was made by PostgreSQL 14, but the programs in %2$s are PostgreSQL 18.1. \
                To upgrade it run, as the user who owns it, in a directory where that user may write:

                  %2$s/initdb --pgdata=%1$s-18 --username=postgres --auth=trust [--data-checksums, if the old one has them]
                  %2$s/pg_upgrade --username=postgres --old-bindir=BIN_OF_14 --new-bindir=%2$s --old-datadir=%1$s --new-datadir=%1$s-18

                Then name %1$s-18 with --dir.""".formatted(data, programs), explain(data, new EngineBinaries(programs, 18, "18.1")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--data-checksums", ""})
    void knownProgramsAndChecksumsAreNamed(String option) throws Exception {
        assumeTrue(Files.isExecutable(DEBIANS_15.resolve("initdb")), "PostgreSQL 15 is not installed");
        Path data = Files.createDirectory(temp.resolve("data"));
        TestEngines.user().own(data);
        List<String> initdb =
                new ArrayList<>(List.of(DEBIANS_15 + "/initdb", "--pgdata=" + data, "--no-sync", "--auth=trust"));
        if (!option.isEmpty()) {
            initdb.add(option);
        }
        EngineTool.run(TestEngines.user(), initdb, Map.of());
        assertEquals(Optional.of(!option.isEmpty()), DataDirectory.hasChecksums(data, "15"));
        String said = explain(data, new EngineBinaries(temp, 18, "18.1"));
        assertTrue(said.contains("--engine-bin /usr/lib/postgresql/15/bin."), said);
        assertTrue(said.contains(option.isEmpty() ? " --no-data-checksums\n" : " --data-checksums\n"), said);
        assertTrue(said.contains(" --old-bindir=/usr/lib/postgresql/15/bin "), said);
        assertTrue(said.contains("install PostgreSQL 18 with its pg_upgrade"), said);
        assertTrue(said.endsWith("Then put " + data + "-18 in the place of " + data + "."), said);
    }

    @Test
    void aNewerOneCannotBeTakenBack() throws Exception {
        String said = explain(directory("18"), new EngineBinaries(temp, 17, "17.2"));
        assertTrue(said.contains("--engine-bin BIN_OF_18"), said);
        assertTrue(said.endsWith("PostgreSQL cannot take data back to an older version."), said);
        assertFalse(said.contains("pg_upgrade"), said);
    }

    @Test
    void theProgramsAreLookedForWherePackagesInstallThem() throws Exception {
        assertEquals(Optional.empty(), new ProgramPlaces().find("postgres", "9"));
        assumeTrue(Files.isExecutable(DEBIANS_15.resolve("postgres")), "PostgreSQL 15 is not installed");
        assertEquals(Optional.of(DEBIANS_15), new ProgramPlaces().find("postgres", "15"));
    }
}
