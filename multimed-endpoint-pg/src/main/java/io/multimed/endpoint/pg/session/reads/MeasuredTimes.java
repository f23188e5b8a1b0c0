package io.multimed.endpoint.pg.session.reads;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Mean processor times of long reads by shape and node, as all event loops have measured them. What one loop has measured the others need
 * not measure, nor does the next process: a shape's hash is the same there. Databases are not told apart. Thread-safe.
 */
public final class MeasuredTimes {
    /** Number of shapes that are remembered. Beyond it, that which was measured least recently is forgotten. */
    public static final int MOST_SHAPES = 1_000;

    private final Map<Long, Map<Long, Long>> byShape = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Map<Long, Long>> eldest) {
            return size() > MOST_SHAPES;
        }
    };

    /**
     * A mean.
     *
     * @param shape the hash of the shape
     * @param node the bit of the node, or of all nodes with all data
     * @param nanos processor time
     */
    public record Mean(long shape, long node, long nanos) {}

    /** Sets a mean. */
    public synchronized void set(Mean mean) {
        byShape.computeIfAbsent(mean.shape(), shape -> new HashMap<>()).put(mean.node(), mean.nanos());
    }

    /** Returns the mean of a shape on a node; 0 if there is none. */
    synchronized long nanos(long shape, long node) {
        Map<Long, Long> nodes = byShape.get(shape);
        return nodes == null ? 0 : nodes.getOrDefault(node, 0L);
    }

    /** Returns all means, those of a shape one after the other. */
    public synchronized List<Mean> all() {
        List<Mean> all = new ArrayList<>();
        byShape.forEach((shape, nodes) -> nodes.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(node -> all.add(new Mean(shape, node.getKey(), node.getValue()))));
        return all;
    }
}
