package io.multimed.bench.measure;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The use of the machine by processes in the window, by their names.
 *
 * @param memoryBytes after the window
 */
public record Used(
        Map<String, Double> cpuSeconds, Map<String, Long> memoryBytes, Map<String, ContextSwitches> contextSwitches) {
    /**
     * Suffix of a Satellite's name for its process that applies the Master's log, which does not count for the Satellite
     * itself.
     */
    public static final String REPLAY = " replay";

    public static final Used NOTHING = new Used(Map.of(), Map.of(), Map.of());

    public Used {
        cpuSeconds = Map.copyOf(cpuSeconds);
        memoryBytes = Map.copyOf(memoryBytes);
        contextSwitches = Map.copyOf(contextSwitches);
    }

    /**
     * Returns this with the present memory of the processes. The kernel looks at every page of every process for it: with
     * hundreds of working processes that takes minutes, with idle ones seconds.
     */
    public Used withMemory(Map<String, Long> named) {
        return new Used(cpuSeconds, ProcessTree.memoryBytes(named), contextSwitches);
    }

    /** The use of the machine up to the opening of the window. */
    public static final class Since {
        private final Map<String, Long> named;
        private final ProcessTree.Look before;

        /** @param named names and process numbers */
        public Since(Map<String, Long> named) {
            this.named = Map.copyOf(named);
            this.before = ProcessTree.look(named);
        }

        private Since(Map<String, Long> named, ProcessTree.Look before) {
            this.named = named;
            this.before = before;
        }

        /** Returns the same, counted from now on. */
        public Since fromNow() {
            return new Since(named, look());
        }

        private ProcessTree.Look look() {
            return before.many() ? ProcessTree.lookAtMachine(named) : ProcessTree.look(named);
        }

        /** Returns the use since then, without memory. */
        public Used now() {
            ProcessTree.Look now = look();
            Map<String, Double> seconds = new TreeMap<>();
            now.cpuSeconds()
                    .forEach((name, all) ->
                            seconds.put(name, all - before.cpuSeconds().getOrDefault(name, 0.0)));
            Map<String, ContextSwitches> switched = new HashMap<>();
            now.switches()
                    .forEach((name, threads) -> switched.put(
                            name, ContextSwitches.between(before.switches().getOrDefault(name, Map.of()), threads)));
            return new Used(seconds, Map.of(), switched);
        }
    }
}
