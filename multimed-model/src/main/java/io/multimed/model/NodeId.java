package io.multimed.model;

/**
 * Name of a Computational Node: {@code master}, {@code satellite-1}, {@code satellite-2}, ...
 *
 * @param name as shown by {@code multimed status} and used for the node's directories
 */
public record NodeId(String name) {
    public static final NodeId MASTER = new NodeId("master");

    public NodeId {
        if (!name.matches("[a-z][a-z0-9-]{0,62}")) {
            throw new IllegalArgumentException("not a node name: " + name);
        }
    }

    /** Returns the name of the {@code number}th Satellite, counted from 1. */
    public static NodeId satellite(int number) {
        return new NodeId("satellite-" + number);
    }

    @Override
    public String toString() {
        return name;
    }
}
