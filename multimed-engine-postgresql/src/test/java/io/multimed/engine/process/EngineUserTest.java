package io.multimed.engine.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.multimed.engine.postgresql.TestEngines;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Operations on files in the engines' directories, whether Multimed is root or the same user. */
class EngineUserTest {
    private EngineUser user;
    private Path directory;

    @BeforeEach
    void makeDirectory() throws Exception {
        user = TestEngines.user();
        Path temp = TestEngines.directory();
        directory = temp.resolve("engines");
        user.privateDirectory(directory);
    }

    @AfterEach
    void deleteDirectory() throws Exception {
        TestEngines.delete(directory.getParent());
    }

    @Test
    void whatIsMadeAsTheEnginesUserIsHis() throws Exception {
        Path file = directory.resolve("file");
        assertEquals(file, user.files(() -> Files.writeString(file, "text")));
        assertEquals(user.uid(), Files.getAttribute(file, "unix:uid"));
        assertEquals(user.gid(), Files.getAttribute(file, "unix:gid"));
    }

    @Test
    void aLinkToWhatOnlyRootMayReadLeadsNowhere() throws Exception {
        assumeTrue(user.switched());
        Path secret = Files.writeString(directory.resolveSibling("secret"), "root's");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-r-----"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), secret);
        assertThrows(AccessDeniedException.class, () -> user.files(() -> Files.readString(link)));
        assertThrows(AccessDeniedException.class, () -> user.files(() -> Files.writeString(link, "else")));
        // The thread is root again.
        assertEquals("root's", Files.readString(link));
    }

    @Test
    void theThreadIsItselfAgainAfterAFailure() throws Exception {
        assumeTrue(user.switched());
        Native.FileIdentity before = Native.fileIdentity();
        assertThrows(
                IOException.class,
                () -> user.files(() -> {
                    assertEquals(user.uid(), Native.fileIdentity().uid());
                    throw new IOException("disk full");
                }));
        assertEquals(before, Native.fileIdentity());
    }

    @Test
    void whatIsMadeAboveItsDirectoriesItMayPassWhateverTheUmask() throws Exception {
        assumeTrue(user.switched());
        Path there = Files.createDirectory(directory.resolveSibling("there"));
        Files.setPosixFilePermissions(there, PosixFilePermissions.fromString("rwx--x---"));
        Path made = there.resolve("a/b");
        user.privateDirectory(made.resolve("engine"));
        assertEquals("rwx--x--x", mode(made));
        assertEquals("rwx--x--x", mode(made.getParent()));
        assertEquals("rwx------", mode(made.resolve("engine")));
        assertEquals("rwx--x---", mode(there), "it was there before");
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void deletesWhatIsTheUsersAndNothingBehindItsLinks() throws Exception {
        Path kept = Files.createDirectory(directory.resolveSibling("kept"));
        Files.writeString(kept.resolve("file"), "text");
        user.files(() -> Files.createSymbolicLink(directory.resolve("link"), kept));
        Path below = directory.resolve("below");
        user.files(() -> Files.createDirectory(below));
        user.files(() -> Files.writeString(below.resolve("file"), "text"));
        user.deleteTree(below);
        user.deleteTree(directory.resolve("link"));
        assertFalse(Files.exists(below));
        assertTrue(Files.exists(kept.resolve("file")));
    }
}
