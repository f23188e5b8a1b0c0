package io.multimed.mariadb;

import io.multimed.core.node.ComputationalNode;
import java.nio.file.Path;
import java.util.List;

/**
 * The present state of one node.
 *
 * @param state serving, copying, catching-up, down, ...
 * @param detail a few more words, or empty
 * @param pid of its engine; 0 if none runs
 * @param cores hardware threads that it may use
 * @param socket its engine's private socket
 */
public record NodeReport(
        ComputationalNode node, String state, String detail, long pid, List<Integer> cores, Path socket) {
    public NodeReport {
        cores = List.copyOf(cores);
    }
}
