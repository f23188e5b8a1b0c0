package io.multimed.bench.measure;

import java.util.Map;

/**
 * The inside of a system while the window was open, as seen by looks a few times a second.
 *
 * @param master its name; empty where the inside was not looked at
 * @param nodes engines by name, the Master among them
 * @param waits of readers for a Satellite to become fresh enough
 * @param walBytes that the Master logged
 */
public record Inside(String master, Map<String, Engine> nodes, Waits waits, long walBytes) {
    public static final Inside NOTHING = new Inside("", Map.of(), Waits.NONE, 0);

    /**
     * The observations of one engine.
     *
     * @param looks how often it was looked at
     * @param sessions at work, on the average, by PostgreSQL's name of their wait; {@code running} for those that wait for
     *     nothing but, perhaps, a processor
     * @param lagMillisP99 of the looks: how long ago the oldest commit was received that was not applied
     * @param memoryDiskBytes of its files where they lie in memory; 0 where they lie on a disk
     */
    public record Engine(
            int looks, Map<String, Double> sessions, double lagMillisP99, double lagMillisMax, long memoryDiskBytes) {
        public Engine {
            sessions = Map.copyOf(sessions);
        }
    }

    /**
     * Waits of transactions before they begin.
     *
     * @param reads that waited until a Satellite had applied the commits they had to see
     * @param seconds that they waited, together
     * @param visibility transactions that waited until the Master showed the commits that a Satellite had shown
     */
    public record Waits(long reads, double seconds, long visibility) {
        public static final Waits NONE = new Waits(0, 0, 0);

        public Waits since(Waits before) {
            return new Waits(reads - before.reads, seconds - before.seconds, visibility - before.visibility);
        }
    }

    public Inside {
        nodes = Map.copyOf(nodes);
    }
}
