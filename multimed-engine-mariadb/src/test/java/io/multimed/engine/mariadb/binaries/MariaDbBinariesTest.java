package io.multimed.engine.mariadb.binaries;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.core.spi.EngineException;
import io.multimed.engine.mariadb.TestMariaDb;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MariaDbBinariesTest {
    @TempDir
    Path temp;

    @Test
    @Tag("slow")
    void theEmbeddedReleaseIsThereForEveryone() throws Exception {
        MariaDbBinaries binaries = TestMariaDb.binaries();
        assertEquals("11.4.5", binaries.version());
        assertTrue(Files.getPosixFilePermissions(binaries.server()).contains(PosixFilePermission.OTHERS_EXECUTE));
        assertEquals(6, binaries.systemTables().size());
        assertEquals(binaries, TestMariaDb.binaries());
    }

    @Test
    void saysWhereNoProgramsAre() {
        assertEquals("No MariaDB in " + temp + ": there is no program mariadbd.", refusal());
    }

    @Test
    void acceptsAnInstallationByTheDirectoryOfItsServer() throws Exception {
        program("sbin/mariadbd", "echo 'mariadbd  Ver 10.11.14-MariaDB-0+deb12u2 for debian-linux-gnu on x86_64'");
        share("share/mysql");
        MariaDbBinaries binaries = MariaDbBinaries.installed(temp.resolve("sbin"));
        assertEquals("10.11.14", binaries.version());
        assertEquals(temp.resolve("share/mysql"), binaries.share());
        assertEquals(binaries, MariaDbBinaries.installed(temp));
    }

    @Test
    void refusesReleasesThatItDoesNotSupport() throws Exception {
        program("bin/mariadbd", "echo 'mariadbd  Ver 10.6.22-MariaDB for Linux on x86_64 (MariaDB Server)'");
        assertEquals(
                "MariaDB 10.6.22 in " + temp + " is not supported: Multimed runs versions from 10.11 on.", refusal());
        program("bin/mariadbd", "echo 'mysqld  Ver 8.0.41 for Linux on x86_64 (MySQL Community Server - GPL)'");
        assertTrue(refusal().contains("is not a MariaDB server: it answered 'mysqld  Ver 8.0.41"), refusal());
    }

    @Test
    void namesTheLibraryThatLacks() throws Exception {
        program(
                "bin/mariadbd",
                "echo 'mariadbd: error while loading shared libraries: libcrypt.so.1: cannot open shared object file' >&2;"
                        + " exit 127");
        assertTrue(refusal().contains("needs the library libcrypt.so.1, which this machine does not have"), refusal());
    }

    @Test
    void namesTheShareDirectoryThatLacks() throws Exception {
        program("bin/mariadbd", "echo 'mariadbd  Ver 11.8.3-MariaDB for Linux on x86_64'");
        assertTrue(refusal().startsWith("MariaDB's share directory, which holds english/errmsg.sys, is at none of ["));
        share("share");
        MariaDbBinaries binaries = MariaDbBinaries.installed(temp);
        EngineException lacking = assertThrows(EngineException.class, binaries::systemTables);
        assertEquals(
                "MariaDB's share directory " + temp.resolve("share")
                        + " has no mariadb_system_tables.sql or mysql_system_tables.sql.",
                lacking.getMessage());
    }

    private String refusal() {
        return String.valueOf(assertThrows(EngineException.class, () -> MariaDbBinaries.installed(temp))
                .getMessage());
    }

    private void program(String name, String script) throws Exception {
        Path path = temp.resolve(name);
        Files.createDirectories(path.getParent());
        Files.writeString(path, "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private void share(String name) throws Exception {
        Path english = temp.resolve(name).resolve("english");
        Files.createDirectories(english);
        Files.writeString(english.resolve("errmsg.sys"), "");
    }
}
