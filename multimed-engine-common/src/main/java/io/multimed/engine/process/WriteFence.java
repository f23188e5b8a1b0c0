package io.multimed.engine.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restricts a thread, and all that it starts, to writing in given places (landlock(7); Linux 5.19, no privilege needed).
 *
 * <p>It is for Satellites. A standby replays the Master's actions, so if the Master creates a tablespace, the standby would use
 * the same directory. The fence is a second line of defence; kernels without Landlock have none.
 */
public final class WriteFence {
    private static final Logger log = LoggerFactory.getLogger(WriteFence.class);

    private static final long WRITE_FILE = 1 << 1;
    private static final long REMOVE_DIR = 1 << 4;
    private static final long REMOVE_FILE = 1 << 5;
    private static final long MAKE_DIR = 1 << 7;
    private static final long MAKE_REG = 1 << 8;
    private static final long MAKE_SOCK = 1 << 9;
    private static final long MAKE_FIFO = 1 << 10;
    private static final long MAKE_SYM = 1 << 12;
    private static final long REFER = 1 << 13;
    private static final long TRUNCATE = 1 << 14;

    /** The first version that allows to rename files from one directory into another at all. */
    private static final long LEAST_VERSION = 2;

    private static final long TRUNCATE_VERSION = 3;

    private WriteFence() {}

    /** Whether this machine's kernel supports it. */
    public static boolean supported() {
        return Native.landlockVersion() >= LEAST_VERSION;
    }

    /**
     * Restricts the calling thread for good, if the kernel can.
     *
     * @param directories where writing stays allowed; those that do not exist count as not allowed. None: no fence
     * @param logFile which may be written too
     */
    public static void around(List<Path> directories, Path logFile) {
        if (directories.isEmpty() || !supported()) {
            return;
        }
        long file = WRITE_FILE | (Native.landlockVersion() >= TRUNCATE_VERSION ? TRUNCATE : 0);
        long all = file | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | MAKE_SOCK | MAKE_FIFO | MAKE_SYM | REFER;
        long rules = Native.landlockCreate(all);
        if (rules < 0) {
            log.warn("Cannot enclose an engine: error {}", -rules);
            return;
        }
        List<Path> allowed = new ArrayList<>(directories);
        Path logDirectory = logFile.toAbsolutePath().getParent();
        if (logDirectory != null) {
            allowed.add(logDirectory);
        }
        int error = Native.landlockAllow(rules, "/dev/null", file);
        for (Path directory : allowed) {
            if (error == 0 && Files.isDirectory(directory)) {
                error = Native.landlockAllow(rules, directory.toString(), all);
            }
        }
        if (error == 0) {
            error = Native.landlockEnforce(rules);
        }
        Native.close(rules);
        if (error != 0) {
            log.warn("Cannot enclose an engine: error {}", error);
        }
    }
}
