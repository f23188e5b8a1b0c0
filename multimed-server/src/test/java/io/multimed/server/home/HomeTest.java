package io.multimed.server.home;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.multimed.model.NodeId;
import io.multimed.server.startup.StartException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HomeTest {
    @TempDir
    Path directory;

    @Test
    void keepsTheMastersDataBelowItself() {
        Home home = Home.of(directory.resolve("shop"));
        assertEquals(directory.resolve("shop/data"), home.data());
        assertFalse(home.adopted());
    }

    @Test
    void liesBesideADataDirectoryThatIsAlreadyThere() throws Exception {
        Path data = Files.createDirectory(directory.resolve("main"));
        Files.writeString(data.resolve("PG_VERSION"), "18\n");
        Home home = Home.of(data);
        assertEquals(data, home.data());
        assertEquals(directory.resolve("main.multimed"), home.directory());
        assertTrue(home.adopted());
    }

    @Test
    void aCommandIsAboutTheMachinesServiceIfItsUserNeverHadAnInstance() throws Exception {
        Path own = directory.resolve("own");
        Path system = directory.resolve("system");
        assertEquals(own, Home.defaultOfRunning(own, system));
        Files.createDirectory(system);
        assertEquals(system, Home.defaultOfRunning(own, system));
        Files.createDirectory(own);
        assertEquals(own, Home.defaultOfRunning(own, system));
    }

    @Test
    void refusesAnInstanceOfAnotherUserAndSaysWhose() throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"));
        Path home = Files.createDirectory(directory.resolve("home"));
        Files.writeString(home.resolve("multimed.lock"), "1\n");
        Home.of(home).check();
        Files.setAttribute(home.resolve("multimed.lock"), "unix:uid", 1);
        StartException refused =
                assertThrows(StartException.class, () -> Home.of(home).check());
        assertTrue(refused.getMessage().contains("holds an instance of the user daemon"), refused.getMessage());
    }

    @Test
    void isTheSameByWhateverNameItIsCalled() throws Exception {
        Path real = Files.createDirectories(directory.resolve("disk/shop"));
        Path data = Files.createDirectory(directory.resolve("disk/main"));
        Files.writeString(data.resolve("PG_VERSION"), "18\n");
        Path link = Files.createSymbolicLink(directory.resolve("link"), directory.resolve("disk"));
        assertEquals(Home.of(real), Home.of(link.resolve("shop")));
        assertEquals(Home.of(directory.resolve("disk/new/one")), Home.of(link.resolve("new/one")));
        assertEquals(Home.of(data), Home.of(link.resolve("main")));
        // The parent of a link is the parent of the link's target.
        Path deep = Files.createSymbolicLink(directory.resolve("deep"), real);
        assertEquals(Home.of(real), Home.of(deep.resolve("../shop")));
        assertEquals(
                directory.resolve("disk/new"), Home.of(deep.resolve("../new")).directory());
    }

    @Test
    void socketsMoveToTmpWhereTheirPathsWouldBeTooLong() {
        Home near = Home.of(Path.of("/srv/shop"));
        assertEquals(Path.of("/srv/shop/run/satellite-1"), near.run(NodeId.satellite(1)));
        Home far = Home.of(Path.of("/srv/" + "very-long-name/".repeat(8)));
        assertTrue(
                far.run().toString().matches("/tmp/multimed-[0-9a-f]{8}"),
                far.run().toString());
        assertTrue(far.controlSocket().startsWith(far.run()));
        Home two = Home.of(Path.of("/srv/one,two"));
        assertTrue(two.relay().startsWith("/tmp"), two.relay().toString());
    }

    @Test
    void dataInMemoryOfTwoInstancesHasTwoNames() {
        Path memory = Path.of("/dev/shm");
        assertFalse(Home.of(directory.resolve("a"))
                .memoryRoot(memory)
                .equals(Home.of(directory.resolve("b")).memoryRoot(memory)));
    }

    @Test
    void theDefaultFollowsTheUsersDataDirectory() {
        if (!System.getProperty("user.name").equals("root")) {
            assertEquals(Path.of("/x/multimed"), Home.defaultDirectory(Map.of("XDG_DATA_HOME", "/x")));
        }
        Path standard = Home.defaultDirectory(Map.of());
        assertTrue(standard.isAbsolute() && standard.endsWith("multimed"), standard.toString());
    }

    @Test
    void refusesADirectoryThatHoldsSomethingElse() throws Exception {
        Files.writeString(directory.resolve("thesis.tex"), "");
        assertThrows(StartException.class, Home.of(directory)::check);
        Files.delete(directory.resolve("thesis.tex"));
        Files.writeString(directory.resolve("multimed.toml"), "");
        Home.of(directory).check();
    }

    /** Root may write everywhere but there, so without the check it would notice only when half of the instance exists. */
    @Test
    void refusesAFileSystemThatIsReadOnlyAndSaysSo() throws Exception {
        Path archive = directory.resolve("archive.zip");
        try (FileSystem empty = FileSystems.newFileSystem(archive, Map.of("create", "true"))) {
            Files.createDirectory(empty.getPath("/srv"));
        }
        try (FileSystem readOnly = FileSystems.newFileSystem(archive, Map.of("accessMode", "readOnly"))) {
            Home home = Home.of(readOnly.getPath("/srv/shop"));
            StartException refused = assertThrows(StartException.class, home::check);
            assertEquals("/srv is on a file system that is read-only; choose another --dir", refused.getMessage());
        }
    }

    @Test
    void onlyOneHasTheLock() throws Exception {
        Path file = directory.resolve("multimed.lock");
        HomeLock first = HomeLock.take(file);
        StartException refused = assertThrows(StartException.class, () -> HomeLock.take(file));
        assertTrue(
                refused.getMessage()
                        .contains("process " + ProcessHandle.current().pid()),
                refused.getMessage());
        first.close();
        HomeLock.take(file).close();
    }
}
