package io.multimed.server.satellite;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Notices engines whose main process was stopped (SIGSTOP, a debugger): their feed and their open connections may be
 * well, but they accept no new ones.
 *
 * <p>Used by the timer's thread alone.
 */
public final class FrozenEngines {
    private final Set<Long> stoppedBefore = new HashSet<>();

    /** Looks at all Satellites; one that is found stopped twice in a row is reported. */
    public void look(List<SatelliteUnit> units) {
        for (SatelliteUnit unit : units) {
            long pid = unit.engine().get().pid();
            if (pid == 0 || !unit.node().serving() || !stopped(pid)) {
                stoppedBefore.remove(pid);
            } else if (!stoppedBefore.add(pid)) {
                stoppedBefore.remove(pid);
                unit.supervisor().unresponsive("its main process is stopped");
            }
        }
    }

    /** The state is the first field after the program's name, which may itself contain anything (proc(5)). */
    private static boolean stopped(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"), StandardCharsets.ISO_8859_1);
            int state = stat.lastIndexOf(')') + 2;
            return state < stat.length() && (stat.charAt(state) == 'T' || stat.charAt(state) == 't');
        } catch (IOException e) {
            // It has just ended; its end is reported by other ways.
            return false;
        }
    }
}
