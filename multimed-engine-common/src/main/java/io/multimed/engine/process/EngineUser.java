package io.multimed.engine.process;

import io.multimed.core.spi.EngineException;
import io.multimed.engine.files.FileTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The operating-system user that the engines run as.
 *
 * <p>Engines refuse to run as root. So a Multimed that was started as root gives them to their usual user, such as
 * {@code postgres}, or to {@code nobody} where there is no such user; a Multimed that was started by a user needs no root at all.
 *
 * @param name for messages; the number where the user has no name
 * @param switched whether it is another user than the one Multimed runs as
 */
public record EngineUser(String name, int uid, int gid, boolean switched) {
    private static final Path PASSWD = Path.of("/etc/passwd");
    /**
     * Permissions of the directories above another user's own: they are not that user's, but that user has to pass through
     * them.
     */
    private static final Set<PosixFilePermission> PASSABLE = PosixFilePermissions.fromString("rwx--x--x");

    /**
     * Returns the user for engines whose directories Multimed makes itself.
     *
     * @param preferred the user as which engines of this kind usually run
     */
    public static EngineUser choose(String preferred) throws EngineException {
        EngineUser self = self();
        if (self.uid != 0) {
            return self;
        }
        for (String candidate : List.of(preferred, "nobody")) {
            Optional<EngineUser> user = byName(candidate);
            if (user.isPresent()) {
                return user.get();
            }
        }
        throw new EngineException("An engine cannot run as root, and this machine has neither a user '" + preferred
                + "' nor 'nobody': start Multimed as an ordinary user.");
    }

    /**
     * Returns the user for an existing data directory: the engine requires that the directory belongs to the user that runs it.
     *
     * @throws EngineException if it belongs to root, or to a user that Multimed cannot become
     */
    public static EngineUser owning(Path dataDirectory) throws EngineException {
        EngineUser self = self();
        int owner = attribute(dataDirectory, "unix:uid");
        if (owner == self.uid && owner != 0) {
            return self;
        }
        if (owner == 0) {
            throw new EngineException(
                    "The data directory " + dataDirectory + " belongs to root, and an engine cannot run as root.");
        }
        if (self.uid != 0) {
            throw new EngineException("The data directory " + dataDirectory + " belongs to another user (" + owner
                    + "): start Multimed as that user or as root.");
        }
        return new EngineUser(nameOf(owner), owner, attribute(dataDirectory, "unix:gid"), true);
    }

    /** Returns the user that Multimed itself runs as. */
    public static EngineUser self() {
        try {
            Path self = Path.of("/proc/self");
            int uid = attribute(self, "unix:uid");
            return new EngineUser(nameOf(uid), uid, attribute(self, "unix:gid"), false);
        } catch (EngineException e) {
            throw new IllegalStateException("no /proc: Multimed runs on Linux only", e);
        }
    }

    /** Returns the command that runs {@code command} as this user, in the process in which it is started. */
    List<String> wrap(List<String> command) throws EngineException {
        if (!switched) {
            return command;
        }
        List<String> wrapped = new ArrayList<>();
        if (onPath("setpriv")) {
            wrapped.addAll(List.of("setpriv", "--reuid=" + uid, "--regid=" + gid, "--clear-groups", "--"));
        } else if (onPath("chroot")) {
            wrapped.addAll(List.of("chroot", "--userspec=" + uid + ":" + gid, "--groups=", "/"));
        } else {
            throw new EngineException("To run engines as '" + name
                    + "' Multimed needs the program setpriv (package util-linux) or chroot (coreutils).");
        }
        wrapped.addAll(command);
        return wrapped;
    }

    /** An operation on files. */
    @FunctionalInterface
    public interface FileWork<T extends @Nullable Object> {
        T run() throws IOException;
    }

    /**
     * Performs an operation on files as this user: with this user's rights, and new files belong to this user.
     *
     * <p>It is used for all files in directories into which this user may write. A client who is a superuser of the database
     * acts as this user, and could put a link to any file where root expects another one.
     *
     * @param work short, and of the JDK's classes alone: the thread may be unable to load others meanwhile, for example if
     *     Multimed lies below {@code /root}. On a platform thread
     */
    @SuppressWarnings("Finally") // A thread with the wrong identity must not go on, whatever else has happened.
    public <T extends @Nullable Object> T files(FileWork<T> work) throws IOException {
        if (!switched) {
            return work.run();
        }
        Native.FileIdentity self = Native.fileIdentity();
        try {
            if (!Native.assume(new Native.FileIdentity(uid, gid, List.of()))) {
                throw new IOException("cannot act as the user '" + name + "'");
            }
            return work.run();
        } finally {
            if (!Native.assume(self)) {
                throw new IllegalStateException("cannot act as oneself again");
            }
        }
    }

    /** Deletes a directory and all below it as this user, who may write below it and could put links there meanwhile. */
    public void deleteTree(Path tree) throws IOException {
        FileTree.delete(tree, path -> files(() -> Files.deleteIfExists(path)));
    }

    /** Gives {@code path} to this user. */
    public void own(Path path) throws IOException {
        if (switched) {
            Files.setAttribute(path, "unix:uid", uid, LinkOption.NOFOLLOW_LINKS);
            Files.setAttribute(path, "unix:gid", gid, LinkOption.NOFOLLOW_LINKS);
        }
    }

    /**
     * Makes a directory below which this user's own ones are to lie, with all missing ones above it. This user can pass through
     * those that are made, whatever the umask of the user who started Multimed.
     */
    public void makeWay(Path directory) throws IOException {
        if (switched) {
            FileTree.make(directory.toAbsolutePath(), PASSABLE);
        } else {
            Files.createDirectories(directory);
        }
    }

    /**
     * Makes a directory for this user alone, mode 0700, if it is missing, its parents included.
     *
     * @throws EngineException if it cannot be made, or belongs to another user
     */
    public void privateDirectory(Path directory) throws EngineException {
        try {
            Path parent = directory.toAbsolutePath().getParent();
            if (parent != null) {
                makeWay(parent);
            }
            try {
                Files.createDirectory(
                        directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
                own(directory);
            } catch (FileAlreadyExistsException e) {
                // In /dev/shm and /tmp any user may have put something under the name.
                if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
                    throw new EngineException("Not a directory: " + directory + ".", e);
                }
                int owner = attribute(directory, "unix:uid");
                if (owner != uid) {
                    throw new EngineException(
                            "The directory " + directory + " belongs to '" + nameOf(owner) + "', not to '" + name
                                    + "'.",
                            e);
                }
                Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
            }
        } catch (IOException e) {
            throw new EngineException("Cannot create the directory " + directory + ": " + e + ".", e);
        }
    }

    /**
     * Refuses a path that this user cannot get to, as when it lies below {@code /root}.
     *
     * @param what names the path in the message, such as {@code "The data directory"}
     */
    public void requireReach(String what, Path path) throws EngineException {
        if (!switched) {
            return;
        }
        List<Path> ways = new ArrayList<>();
        for (Path way = path.toAbsolutePath().normalize(); way != null; way = way.getParent()) {
            ways.addFirst(way);
        }
        for (Path way : ways) {
            if (Files.isDirectory(way) && !maySearch(way)) {
                throw new EngineException(what + " " + path + " cannot be reached by the user '" + name
                        + "' that runs the engines, because " + way + " is closed to it: choose another place, or run"
                        + " 'chmod o+x " + way + "'.");
            }
        }
    }

    /** Whether {@code path} belongs to this user. */
    public boolean owns(Path path) throws EngineException {
        return attribute(path, "unix:uid") == uid;
    }

    /** Refuses a directory in which another user could replace this user's files. */
    public void requireTrusted(Path directory) throws EngineException {
        int owner = attribute(directory, "unix:uid");
        if (owner != 0 && owner != uid && owner != self().uid) {
            throw new EngineException("The directory " + directory + " belongs to another user, '" + nameOf(owner)
                    + "': choose another one.");
        }
    }

    /**
     * Whether the mode bits let this user search a directory. On a directory with access lists they hold the group's mask,
     * which errs towards "may".
     */
    private boolean maySearch(Path directory) throws EngineException {
        int mode = attribute(directory, "unix:mode");
        if (attribute(directory, "unix:uid") == uid) {
            return (mode & 0100) != 0;
        }
        if (attribute(directory, "unix:gid") == gid) {
            return (mode & 0010) != 0;
        }
        return (mode & 0001) != 0;
    }

    private static Optional<EngineUser> byName(String name) {
        return passwd(0, name)
                .map(line -> new EngineUser(name, Integer.parseInt(line[2]), Integer.parseInt(line[3]), true));
    }

    public static String nameOf(int uid) {
        return passwd(2, Integer.toString(uid)).map(line -> line[0]).orElse(Integer.toString(uid));
    }

    private static Optional<String[]> passwd(int field, String value) {
        try (var lines = Files.lines(PASSWD, java.nio.charset.StandardCharsets.ISO_8859_1)) {
            return lines.map(line -> line.split(":", -1))
                    .filter(line -> line.length >= 4 && line[field].equals(value))
                    .findFirst();
        } catch (IOException | UncheckedIOException e) {
            return Optional.empty();
        }
    }

    private static int attribute(Path path, String attribute) throws EngineException {
        try {
            return (Integer) Files.getAttribute(path, attribute);
        } catch (IOException e) {
            throw new EngineException("Cannot look at " + path + ": " + e + ".", e);
        }
    }

    private static boolean onPath(String program) {
        String path = System.getenv("PATH");
        for (String directory : (path == null ? "/usr/bin:/bin:/usr/sbin:/sbin" : path).split(":")) {
            if (!directory.isEmpty() && Files.isExecutable(Path.of(directory, program))) {
                return true;
            }
        }
        return false;
    }
}
