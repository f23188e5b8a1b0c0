package io.multimed.server.status;

import io.multimed.model.Role;
import java.util.List;

/**
 * One Computational Node now.
 *
 * @param state serving, cloning, catching-up, down, ...
 * @param detail a few words more, such as how far a copy is or why it is down; may be empty
 * @param pid of the engine's main process, 0 when it is not running
 * @param cores hardware threads it may use
 * @param host directory of its Unix-domain socket
 * @param applied the SCN it has applied; for the Master the end of its log that has been heard of
 * @param lagMillis how long ago the oldest commit was received that it has not applied; 0 when it has all
 * @param active transactions that run there
 * @param served transactions served since the start
 */
public record NodeStatus(
        String name,
        Role role,
        String state,
        String detail,
        long pid,
        List<Integer> cores,
        String host,
        int port,
        long applied,
        double lagMillis,
        int active,
        long served) {
    public NodeStatus {
        cores = List.copyOf(cores);
    }
}
