package io.multimed.engine.postgresql.process;

import io.multimed.engine.process.Native;
import io.multimed.engine.process.ProcessTable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * All processes of one engine, found by the information in {@code /proc} that every user may read.
 *
 * <p>Multimed gives every engine a {@code cluster_name} of its own, which PostgreSQL writes into the title of each of its
 * processes. So the engine's processes are found even if they lost their parent, and even by a later Multimed. An engine that
 * another user started on the same data has another title.
 *
 * @param clusterName at most 63 characters, on this machine unique to the data directory
 */
public record ClusterProcesses(String clusterName) {
    private static final Duration DEATH = Duration.ofSeconds(20);
    /** {@code startup recovering 000000010000000000000042}, also while it waits for that segment. */
    private static final Pattern REPLAYING = Pattern.compile(": startup .*\\b[0-9A-F]{8}([0-9A-F]{16})\\b");

    /**
     * Returns the family of the engine on a data directory; the same in every run of Multimed.
     *
     * @param node name of the Computational Node, for readers of a process list
     */
    public static ClusterProcesses of(String node, Path dataDirectory) {
        CRC32 crc = new CRC32();
        crc.update(dataDirectory.toAbsolutePath().normalize().toString().getBytes(StandardCharsets.UTF_8));
        String shortNode = node.length() <= 40 ? node : node.substring(0, 40);
        return new ClusterProcesses(String.format("multimed-%s-%08x", shortNode, crc.getValue()));
    }

    /** Returns the living processes of this engine, in no order. */
    public List<Long> members() {
        List<Long> members = new ArrayList<>();
        for (ProcessTable.Entry entry : ProcessTable.all()) {
            if (isMember(entry)) {
                members.add(entry.pid());
            }
        }
        return members;
    }

    /**
     * Returns the segment of the log that a standby replays now, without its timeline, from the title of its startup process.
     * It is empty if the title does not contain it (not yet, or {@code update_process_title} is off). It grows as replay goes
     * on.
     */
    String replaying() {
        for (long member : members()) {
            Matcher title = REPLAYING.matcher(ProcessTable.commandLine(member));
            if (title.find()) {
                return title.group(1);
            }
        }
        return "";
    }

    /**
     * Ends every process of this engine at once, stopped ones too, and the programs they started (an archive command, a COPY
     * from a program). None is left when this returns.
     *
     * <p>Searches again after each round: a process may have been born between the search and the end of its parent.
     */
    void killAll() {
        long deadline = System.nanoTime() + DEATH.toNanos();
        Set<Long> sessions = new HashSet<>();
        while (true) {
            List<ProcessTable.Entry> all = ProcessTable.all();
            Set<Long> victims = new HashSet<>();
            for (ProcessTable.Entry entry : all) {
                if (isMember(entry)) {
                    victims.add(entry.pid());
                }
            }
            // Each child of a postmaster leads a session of its own; the programs it starts stay in that session.
            sessions.addAll(victims);
            for (ProcessTable.Entry entry : all) {
                if (!entry.dead() && sessions.contains(entry.session())) {
                    victims.add(entry.pid());
                }
            }
            if (victims.isEmpty()) {
                return;
            }
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("processes " + victims + " of " + clusterName + " do not die");
            }
            for (long victim : victims) {
                Native.kill(victim, Native.SIGKILL);
            }
            pause();
        }
    }

    /** Lets stopped processes go on, so that they can receive a request to end. */
    void resume() {
        for (long member : members()) {
            Native.kill(member, Native.SIGCONT);
        }
    }

    private boolean isMember(ProcessTable.Entry entry) {
        if (entry.dead() || !entry.name().equals("postgres")) {
            return false;
        }
        String line = ProcessTable.commandLine(entry.pid());
        return line.startsWith("postgres: " + clusterName + ":")
                || (line + '\0').contains("cluster_name=" + clusterName + '\0');
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(2);
        } catch (InterruptedException e) {
            // An early return would leave an engine without its postmaster; the caller still sees the interrupt.
            Thread.currentThread().interrupt();
            Thread.yield();
        }
    }
}
