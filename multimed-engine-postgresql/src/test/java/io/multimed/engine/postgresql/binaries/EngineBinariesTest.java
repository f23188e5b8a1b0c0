package io.multimed.engine.postgresql.binaries;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.core.spi.CopyProgress;
import io.multimed.core.spi.EngineException;
import io.multimed.engine.files.ProgramCache;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class EngineBinariesTest {
    @TempDir
    Path temp;

    @Test
    void unpacksTheEmbeddedReleaseOnceAndForEveryone() throws Exception {
        Path cache = temp.resolve("a/cache");
        AtomicLong copied = new AtomicLong();
        AtomicLong total = new AtomicLong();
        EngineBinaries first = EmbeddedBinaries.unpack(cache, (done, all) -> {
            copied.set(done);
            total.set(all);
        });
        assertEquals(18, first.major());
        assertTrue(first.version().startsWith("18."), first.version());
        assertTrue(total.get() > 1 << 20);
        assertEquals(total.get(), copied.get());
        assertTrue(Files.getPosixFilePermissions(first.postgres()).contains(PosixFilePermission.OTHERS_EXECUTE));
        assertTrue(Files.getPosixFilePermissions(first.directory().resolveSibling("lib/postgresql"))
                .contains(PosixFilePermission.OTHERS_EXECUTE));
        EngineBinaries second = EmbeddedBinaries.unpack(cache, (done, all) -> {
            throw new AssertionError("unpacked twice");
        });
        assertEquals(first, second);
    }

    @Test
    void severalThatUnpackAtOnceEndWithOneCompleteDirectory() throws Exception {
        List<Callable<EngineBinaries>> racers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            racers.add(() -> EmbeddedBinaries.unpack(temp, CopyProgress.SILENT));
        }
        try (var pool = Executors.newFixedThreadPool(racers.size())) {
            for (var result : pool.invokeAll(racers)) {
                assertEquals(18, result.get().major());
            }
        }
        try (var entries = Files.list(temp)) {
            assertEquals(1, entries.count());
        }
    }

    @Test
    void unpacksWhereTheUserKeepsSuchThings() {
        assertEquals(Path.of("/home/a/.cache/multimed"), ProgramCache.of("a", Map.of("HOME", "/home/a")));
        assertEquals(
                Path.of("/big/multimed"), ProgramCache.of("a", Map.of("HOME", "/home/a", "XDG_CACHE_HOME", "/big")));
        // The engines' user could not get to a cache below root's home directory.
        assertEquals(Path.of("/var/cache/multimed"), ProgramCache.of("root", Map.of("XDG_CACHE_HOME", "/root/big")));
    }

    @Test
    void saysWhatToDoWhereItCannotUnpack() throws Exception {
        Path file = Files.createFile(temp.resolve("file"));
        EngineException refused = assertThrows(
                EngineException.class, () -> EmbeddedBinaries.unpack(file.resolve("cache"), CopyProgress.SILENT));
        assertEquals(
                "Cannot unpack PostgreSQL into " + file.resolve("cache")
                        + ": it is there already, and no directory. XDG_CACHE_HOME names another place; --engine-bin an"
                        + " installed PostgreSQL.",
                refused.getMessage());
    }

    @Test
    void saysWhereNoProgramsAre() {
        EngineException missing = assertThrows(EngineException.class, () -> EngineBinaries.installed(temp));
        assertEquals(
                "No PostgreSQL in " + temp + ": " + temp.resolve("postgres") + " does not exist.",
                missing.getMessage());
    }

    @Test
    void refusesReleasesThatItDoesNotSupport() throws Exception {
        program("initdb", "");
        program("postgres", "echo 'postgres (PostgreSQL) 14.11 (Debian 14.11-1)'");
        EngineException old = assertThrows(EngineException.class, () -> EngineBinaries.installed(temp));
        assertEquals(
                "PostgreSQL 14.11 in " + temp + " is not supported: Multimed runs versions 15 to 18.",
                old.getMessage());
        program("postgres", "echo 'postgres (PostgreSQL) 19beta1'");
        assertThrows(EngineException.class, () -> EngineBinaries.installed(temp));
        program("postgres", "echo 'something else'");
        EngineException other = assertThrows(EngineException.class, () -> EngineBinaries.installed(temp));
        assertTrue(other.getMessage().contains("is not a PostgreSQL server"), other.getMessage());
    }

    @Test
    void acceptsTheDirectoryAboveThePrograms() throws Exception {
        Files.createDirectory(temp.resolve("bin"));
        program("bin/initdb", "");
        program("bin/postgres", "echo 'postgres (PostgreSQL) 17.5'");
        EngineBinaries binaries = EngineBinaries.installed(temp);
        assertEquals(17, binaries.major());
        assertEquals(temp.resolve("bin"), binaries.directory());
        assertFalse(binaries.version().isEmpty());
    }

    private void program(String name, String script) throws Exception {
        Path path = temp.resolve(name);
        Files.writeString(path, "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
