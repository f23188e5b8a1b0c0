package io.multimed.endpoint.pg.session.reads;

import io.multimed.sql.ReadMarks;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Mean processor times of long reads by database, shape and node, as all event loops have measured them. What one loop has measured the
 * others need not measure, nor does the next process: a shape's hash is the same there. Thread-safe.
 */
public final class MeasuredTimes {
    /** Number of shapes that are remembered. Beyond it, that which was measured least recently is forgotten. */
    public static final int MOST_SHAPES = 1_000;

    private record Key(String database, long shape) {}

    private final Map<Key, Map<Long, Long>> byShape = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Map<Long, Long>> eldest) {
            return size() > MOST_SHAPES;
        }
    };

    /**
     * A mean.
     *
     * @param database in which the read is executed; tables of the same name may be of any size in another
     * @param shape the hash of the shape
     * @param node the bit of the node, or of all nodes with all data
     * @param nanos processor time
     */
    public record Mean(String database, long shape, long node, long nanos) {}

    /** Sets a mean. */
    public synchronized void set(Mean mean) {
        byShape.computeIfAbsent(new Key(mean.database(), mean.shape()), key -> new HashMap<>())
                .put(mean.node(), mean.nanos());
    }

    /** Returns the mean of reads with these marks on a node; 0 if there is none. */
    synchronized long nanos(ReadMarks marks, long node) {
        Map<Long, Long> nodes = byShape.get(new Key(marks.database(), marks.shape()));
        return nodes == null ? 0 : nodes.getOrDefault(node, 0L);
    }

    /** Returns all means, those of a shape one after the other. */
    public synchronized List<Mean> all() {
        List<Mean> all = new ArrayList<>();
        byShape.forEach((key, nodes) -> nodes.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(node -> all.add(new Mean(key.database(), key.shape(), node.getKey(), node.getValue()))));
        return all;
    }
}
