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
 * @param applied the SCN that it has applied; for the Master that of the last commit received from it
 * @param lagMillis time since the oldest commit was received that it has not applied; 0 if it has applied all
 */
public record NodeReport(
        ComputationalNode node,
        String state,
        String detail,
        long pid,
        List<Integer> cores,
        Path socket,
        long applied,
        double lagMillis) {
    public NodeReport {
        cores = List.copyOf(cores);
    }
}
