package io.multimed.server.console;

import io.multimed.server.status.NodeStatus;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The changes of the nodes' states, found by comparing one look with the next. Thread-safe. */
final class NodeEvents {
    private static final int MOST = 200;

    private final Map<String, NodeStatus> before = new HashMap<>();
    private final ArrayDeque<Event> events = new ArrayDeque<>();

    /**
     * A change.
     *
     * @param millis since the epoch
     */
    record Event(long millis, String node, String text) {}

    /** Compares the nodes with those of the previous look. */
    synchronized void look(long millis, List<NodeStatus> nodes) {
        for (NodeStatus now : nodes) {
            NodeStatus old = before.put(now.name(), now);
            String text = old == null ? now.state() : change(old, now);
            if (!text.isEmpty()) {
                if (events.size() >= MOST) {
                    events.removeFirst();
                }
                events.add(new Event(millis, now.name(), text));
            }
        }
    }

    private static String change(NodeStatus old, NodeStatus now) {
        if (!old.state().equals(now.state())) {
            String why = now.detail().isEmpty() || now.state().equals("serving") ? "" : " (" + now.detail() + ")";
            return old.state() + " → " + now.state() + why;
        }
        if (old.pid() != now.pid() && now.pid() != 0 && old.pid() != 0) {
            return "another engine process: " + old.pid() + " → " + now.pid();
        }
        if (!old.tables().equals(now.tables())) {
            return "carries " + String.join(", ", now.tables());
        }
        return "";
    }

    /** Returns the latest changes, the latest first. */
    synchronized List<Event> latest() {
        return new ArrayList<>(events).reversed();
    }
}
